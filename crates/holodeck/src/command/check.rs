//! `holodeck check`: everything that `test` checks, and no agent.

use holodeck_agent::AgentSpec;
use holodeck_model::config::{Overrides, Selection};
use holodeck_model::diagnostic::Severity;

use crate::args::{Check, MessageFormat};
use crate::exit::Exit;
use crate::load;
use crate::screen::Screen;

pub(crate) fn run(args: &Check, screen: &Screen) -> Exit {
    let spec = match args.agent.as_deref().map(AgentSpec::parse).transpose() {
        Ok(spec) => spec,
        Err(error) => {
            screen.say(&format!("error: --agent: {error}"));
            return Exit::Usage;
        }
    };
    let overrides = Overrides {
        own_agent: spec.is_some(),
        ..Overrides::default()
    };
    let (config, mut diagnostics) = load::read(&args.agent_yaml, overrides);
    let replies = match (&spec, &config) {
        (Some(AgentSpec::Scripted(file)), _) => Some(file.clone()),
        (None, Some(config)) => config.scripted_file(),
        (None, None) => None,
    };
    if let Some(file) = replies {
        let name = file.display().to_string();
        diagnostics.extend(
            holodeck_agent::Scripted::load(&file, &name, load::disk())
                .err()
                .unwrap_or_default(),
        );
    }
    let mut summary = None;
    if let Some(config) = &config {
        diagnostics.extend(config.advice().iter().cloned());
        let (_, needs) = holodeck_model::plan(config, &Selection::default());
        diagnostics.extend(needs.into_iter().map(|mut need| {
            need.severity = Severity::Note;
            need
        }));
        summary = Some(config.in_words());
    }
    load::tell(&diagnostics, args.message_format, screen);
    if load::has_errors(&diagnostics) {
        return Exit::Usage;
    }
    if let (Some(summary), MessageFormat::Text) = (summary, args.message_format) {
        screen.say(&summary);
    }
    Exit::Passed
}
