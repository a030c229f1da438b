//! agent.yaml read from disk with the environment, and its mistakes told.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use holodeck_model::config::{Config, Options, Overrides};
use holodeck_model::diagnostic::{self, Diagnostic, Severity, Style};
use holodeck_model::files::Files;

use crate::args::MessageFormat;
use crate::files::Disk;
use crate::screen::{Screen, Stream};

/// The disk, as the loader and the agents see it.
pub(crate) fn disk() -> Arc<dyn Files> {
    Arc::new(Disk)
}

/// Reads agent.yaml and all that belongs to it.
pub(crate) fn read(agent_yaml: &Path, overrides: Overrides) -> (Option<Config>, Vec<Diagnostic>) {
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

/// Tells what was found: as text on stderr, or as one JSON object on stdout.
pub(crate) fn tell(diagnostics: &[Diagnostic], format: MessageFormat, screen: &Screen) {
    match format {
        MessageFormat::Text if diagnostics.is_empty() => {}
        MessageFormat::Text => {
            let look = screen.look(Stream::Stderr);
            let style = if look.colour {
                Style::Colour
            } else {
                Style::Plain
            };
            screen.say(&diagnostic::render(diagnostics, style, look.width));
        }
        MessageFormat::Json => {
            let mut out = screen.open(Stream::Stdout);
            // `Out` keeps its trouble for `finish`.
            let _ = writeln!(out, "{}", diagnostic::to_json(diagnostics));
            if let Err(error) = out.finish() {
                screen.say(&format!("error: cannot write to stdout: {error}"));
            }
        }
    }
}

/// Whether anything refuses the run.
pub(crate) fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}
