//! Everything that is checked before the first word to the agent.

use std::path::Path;
use std::sync::Arc;

use holodeck_agent::{AgentSpec, Scripted};
use holodeck_model::Diagnostic;
use holodeck_model::config::{Config, Overrides};
use holodeck_model::plan::RunPlan;
use holodeck_model::select::{self, BadFilter, Selection};

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
    let selection = match selection(args) {
        Ok(selection) => selection,
        Err(error) => {
            screen.say(&format!("error: --filter: {error}"));
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
    let planned = config.map(|config| {
        let planned = select::plan(&config, &selection);
        diagnostics.extend(planned.needs.iter().cloned());
        (config, planned)
    });
    load::tell(&diagnostics, args.message_format, screen);
    if load::has_errors(&diagnostics) {
        return Err(Exit::Usage);
    }
    let ((config, planned), (backend, agent)) = planned.zip(backend).ok_or(Exit::Usage)?;
    if planned.n_cases > 0 && planned.n_selected == 0 {
        screen.say(&format!(
            "error: --filter selects none of the {} test cases\nhelp: holodeck test {} --list prints their names",
            planned.n_cases,
            agent_yaml.display()
        ));
        return Err(Exit::Usage);
    }
    if planned.n_cases == 0 {
        screen.say(&format!(
            "note: there are no test cases in {}",
            agent_yaml.display()
        ));
    }
    let plan = planned.plan;
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

fn selection(args: &Test) -> Result<Selection, BadFilter> {
    let filters = args
        .filter
        .iter()
        .map(|filter| filter.parse())
        .collect::<Result<_, _>>()?;
    Ok(Selection {
        filters,
        limit: args.limit.map(Into::into),
    })
}

fn overrides(args: &Test, agent_replaced: bool) -> Overrides {
    Overrides {
        llm_timeout: args.timeout.map(Into::into),
        parallel_test_cases: args.parallel_test_cases.map(|n| n.get() as u64),
        verbose: args.verbose.then_some(true),
        quiet: args.quiet.then_some(true),
        agent_replaced,
    }
}

fn scripted(file: &Path, diagnostics: &mut Vec<Diagnostic>) -> Option<(Scripted, String)> {
    let name = file.display().to_string();
    match Scripted::load(file, &name, load::disk()) {
        Ok(scripted) => Some((scripted, format!("scripted:{name}"))),
        Err(found) => {
            diagnostics.extend(found);
            None
        }
    }
}
