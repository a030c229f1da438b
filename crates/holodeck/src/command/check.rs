//! `holodeck check`: everything that `test` checks, and no agent.

use std::path::Path;

use holodeck_agent::AgentSpec;
use holodeck_model::Diagnostic;
use holodeck_model::config::Overrides;
use holodeck_model::diagnostic::Severity;
use holodeck_model::select::{self, Selection};
use holodeck_report::text;

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
        agent_replaced: spec.is_some(),
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
        let planned = select::plan(config, &Selection::default());
        diagnostics.extend(planned.needs.into_iter().map(as_note));
        summary = Some(in_words(&args.agent_yaml, planned.n_cases));
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

/// What would refuse a run does not make the file wrong.
fn as_note(mut need: Diagnostic) -> Diagnostic {
    if need.severity == Severity::Error {
        need.severity = Severity::Note;
    }
    need
}

fn in_words(agent_yaml: &Path, n_cases: usize) -> String {
    format!(
        "{} is fine: {}",
        agent_yaml.display(),
        text::count(n_cases as u64, "test case")
    )
}
