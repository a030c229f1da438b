//! agent.yaml and the agent that answers, read from disk with the environment, and their mistakes told.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use holodeck_agent::AgentSpec;
use holodeck_model::config::{self, Config, Options, Overrides};
use holodeck_model::diagnostic::{self, Diagnostic, Severity, Style};
use holodeck_model::files::Files;

use crate::agent::{self, Agent};
use crate::args::MessageFormat;
use crate::exit::Exit;
use crate::files::Disk;
use crate::graders::Graders;
use crate::screen::{Screen, Stream};
use crate::stage::Stage;

/// The disk, as the loader and the agents see it.
pub(crate) fn disk() -> Arc<dyn Files> {
    Arc::new(Disk)
}

/// Reads agent.yaml and all that belongs to it.
pub(crate) fn read(agent_yaml: &Path, overrides: Overrides) -> config::Loaded {
    let options = Options {
        working_folder: std::env::current_dir().unwrap_or_default(),
        home: std::env::home_dir(),
        overrides,
    };
    holodeck_model::read(
        agent_yaml,
        &disk(),
        &|name| std::env::var(name).ok(),
        &options,
    )
}

/// An agent.yaml, who answers and who grades; a part with mistakes is missing.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) config: Option<Config>,
    pub(crate) agent: Option<Agent>,
    pub(crate) graders: Graders,
    /// The mistakes of all of them.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Reads agent.yaml and the agent that answers (the one that `--agent` names, else its own), and looks for the graders.
pub(crate) fn read_all(
    agent_yaml: &Path,
    agent: Option<&str>,
    mut overrides: Overrides,
    stage: &Stage,
    screen: &Screen,
) -> Result<Loaded, Exit> {
    let spec = agent.map(AgentSpec::parse).transpose().map_err(|error| {
        screen.say(&format!("error: --agent: {error}"));
        Exit::Usage
    })?;
    overrides.agent_replaced = spec.is_some();
    let config::Loaded {
        config,
        graders: named,
        mut diagnostics,
    } = read(agent_yaml, overrides);
    let agent = agent::choose(spec, config.as_ref(), agent_yaml, &mut diagnostics);
    let finding = stage.try_to(Graders::find(&named));
    let (graders, missing) = finding.ok_or(Exit::Interrupted)?;
    diagnostics.extend(missing);
    diagnostic::sort(&mut diagnostics);
    Ok(Loaded {
        config,
        agent,
        graders,
        diagnostics,
    })
}

/// Tells what was found: as text on stderr, or as one JSON object on stdout. Any error among it refuses the run.
pub(crate) fn tell(
    mut diagnostics: Vec<Diagnostic>,
    config: Option<&Config>,
    format: MessageFormat,
    screen: &Screen,
) -> Exit {
    if let Some(config) = config {
        let masker = config.masker();
        for diagnostic in &mut diagnostics {
            masker.diagnostic(diagnostic);
        }
    }
    let is_refused = diagnostics.iter().any(|d| d.severity == Severity::Error);
    let refused = if is_refused {
        Exit::Usage
    } else {
        Exit::Passed
    };
    match format {
        MessageFormat::Text if diagnostics.is_empty() => refused,
        MessageFormat::Text => {
            let look = screen.look(Stream::Stderr);
            let style = if look.colour {
                Style::Colour
            } else {
                Style::Plain
            };
            screen.show(&diagnostic::render(&diagnostics, style, look.width));
            refused
        }
        MessageFormat::Json => {
            let mut out = screen.open(Stream::Stdout);
            // `Out` keeps its trouble for `finish`.
            let _ = writeln!(out, "{}", diagnostic::to_json(&diagnostics));
            refused.and(out.end(screen))
        }
    }
}
