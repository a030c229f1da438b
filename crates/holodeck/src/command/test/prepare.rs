//! Everything that is checked before the first word to the agent.

use std::path::Path;
use std::sync::Arc;

use holodeck_model::config::{Config, Overrides};
use holodeck_model::mask::Masker;
use holodeck_model::plan::RunPlan;
use holodeck_model::select::{self, BadFilter, Selection};
use holodeck_report::console::Verbosity;

use crate::agent::Agent;
use crate::args::Test;
use crate::command::report::verbosity;
use crate::exit::Exit;
use crate::judge::Judge;
use crate::load;
use crate::screen::Screen;
use crate::stage::Stage;

/// A run that can begin.
pub(crate) struct Prepared {
    pub(crate) config: Config,
    pub(crate) plan: RunPlan,
    pub(crate) agent: Agent,
    pub(crate) judge: Arc<Judge>,
    /// Whatever is told of the run goes through it.
    pub(crate) masker: Masker,
    pub(crate) verbosity: Verbosity,
}

/// Reads and checks all there is; every mistake is told before it gives up.
pub(crate) fn prepare(
    args: &Test,
    agent_yaml: &Path,
    stage: &Stage,
    screen: &Screen,
) -> Result<Prepared, Exit> {
    let selection = match selection(args) {
        Ok(selection) => selection,
        Err(error) => {
            screen.say(&format!("error: --filter: {error}"));
            return Err(Exit::Usage);
        }
    };
    let agent = args.agent.as_deref();
    let loaded = load::read_all(agent_yaml, agent, overrides(args), stage, screen)?;
    let mut diagnostics = loaded.diagnostics;
    let planned = loaded.config.as_ref().map(|config| {
        let planned = select::plan(config, &selection);
        diagnostics.extend(planned.needs.iter().cloned());
        planned
    });
    let config = loaded.config;
    let told = load::tell(diagnostics, config.as_ref(), args.message_format, screen);
    if told != Exit::Passed {
        return Err(told);
    }
    let (Some(config), Some(planned), Some(agent)) = (config, planned, loaded.agent) else {
        // Without a diagnostic none of them is missing.
        return Err(Exit::Usage);
    };
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
        masker: config.masker(),
        config,
        plan,
        agent,
        judge: Arc::new(Judge(loaded.graders)),
        verbosity: verbosity(verbose, quiet),
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
        limit: args.limit.map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
    })
}

fn overrides(args: &Test) -> Overrides {
    Overrides {
        llm_timeout: args.timeout,
        parallel_test_cases: args.parallel_test_cases,
        verbose: args.verbose.then_some(true),
        quiet: args.quiet.then_some(true),
        agent_replaced: false,
    }
}
