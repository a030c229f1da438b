//! Everything that is checked before the first word to the agent.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use holodeck_agent::{AgentSpec, Scripted};
use holodeck_model::Diagnostic;
use holodeck_model::config::{Config, Overrides, Selection};
use holodeck_model::diagnostic::Severity;
use holodeck_model::plan::RunPlan;

use crate::args::Test;
use crate::exit::Exit;
use crate::load;
use crate::screen::Screen;

/// A run that can begin.
pub(crate) struct Prepared {
    pub(crate) config: Config,
    pub(crate) plan: RunPlan,
    pub(crate) backend: Arc<Scripted>,
    /// Who answers, in words.
    pub(crate) agent: String,
    pub(crate) verbose: bool,
    pub(crate) quiet: bool,
}

/// Reads and checks all there is; every mistake is told before it gives up.
pub(crate) fn prepare(args: &Test, agent_yaml: &Path, screen: &Screen) -> Result<Prepared, Exit> {
    let spec = match args.agent.as_deref().map(AgentSpec::parse).transpose() {
        Ok(spec) => spec,
        Err(error) => {
            screen.say(&format!("error: --agent: {error}"));
            return Err(Exit::Usage);
        }
    };
    let (config, mut diagnostics) = load::read(agent_yaml, overrides(args, spec.is_some()));
    let replies = match (&spec, &config) {
        (Some(AgentSpec::Scripted(file)), _) => Some(file.clone()),
        (None, Some(config)) => config.scripted_file(),
        (None, None) => None,
    };
    let backend = replies.and_then(|file| scripted(&file, &mut diagnostics));
    let planned = config.and_then(|config| {
        if spec.is_none() && config.scripted_file().is_none() {
            diagnostics.push(needs_an_agent(&config));
        }
        let selection = Selection::new(&args.filter, args.limit.map(Into::into));
        let (plan, found) = match selection {
            Ok(selection) => holodeck_model::plan(&config, &selection),
            Err(found) => (None, vec![found]),
        };
        diagnostics.extend(found);
        Some((config, plan?))
    });
    load::tell(&diagnostics, args.message_format, screen);
    if load::has_errors(&diagnostics) {
        return Err(Exit::Usage);
    }
    let ((config, plan), (backend, agent)) = planned.zip(backend).ok_or(Exit::Usage)?;
    let quiet = config.settings().flag("quiet") && !args.verbose;
    let verbose = config.settings().flag("verbose") && !quiet;
    Ok(Prepared {
        config,
        plan,
        backend: Arc::new(backend),
        agent,
        verbose,
        quiet,
    })
}

fn overrides(args: &Test, own_agent: bool) -> Overrides {
    Overrides {
        llm_timeout: args.timeout.map(Into::into),
        parallel_test_cases: args.parallel_test_cases.map(|n| n.get() as u64),
        verbose: args.verbose.then_some(true),
        quiet: args.quiet.then_some(true),
        own_agent,
    }
}

fn scripted(file: &PathBuf, diagnostics: &mut Vec<Diagnostic>) -> Option<(Scripted, String)> {
    let name = file.display().to_string();
    match Scripted::load(file, &name, load::disk()) {
        Ok(scripted) => Some((scripted, format!("scripted:{name}"))),
        Err(found) => {
            diagnostics.extend(found);
            None
        }
    }
}

/// A file for a live agent, and no other agent named.
fn needs_an_agent(config: &Config) -> Diagnostic {
    let provider = &config.model().provider;
    let mut diagnostic = Diagnostic::error(
        "no-agent",
        format!("the model's provider is `{provider}`, and this version calls no live agent"),
    );
    diagnostic.severity = Severity::Error;
    diagnostic.path = "model.provider".to_owned();
    diagnostic.hint =
        Some("name who answers on the command line: --agent scripted:FILE".to_owned());
    diagnostic
}
