//! `cargo xtask codegen`: files that are written from the code and committed, so that they can't go stale.
//!
//! To add one: a function that gives its text, and a line in [`run`].

use std::process::Command;

use holodeck_model::shape::{reference, schema};

use crate::workspace::{Result, build_holodeck, complain, root, say};

mod cli;
mod exit_codes;

/// What to do with a file that is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Write it.
    Write,
    /// Complain.
    Check,
}

/// `cargo xtask codegen [--check]`
pub(crate) fn run(mode: Mode) -> Result<()> {
    let mut files = Files { mode, n_stale: 0 };
    files.put("docs/reference/exit-codes.md", &exit_codes::page()?)?;
    files.put("docs/reference/config.md", &config_page())?;
    for (name, schema) in [
        ("agent", schema::agent()),
        ("config", schema::project()),
        ("scripted", schema::scripted()),
    ] {
        let text = serde_json::to_string_pretty(&schema)? + "\n";
        files.put(&format!("schemas/{name}.schema.json"), &text)?;
    }
    let program = build_holodeck("dev")?;
    let protocol = Command::new(&program)
        .args(["schema", "agent-protocol"])
        .output()?;
    files.put(
        "schemas/agent-protocol.schema.json",
        &String::from_utf8(protocol.stdout)?,
    )?;
    files.put("docs/reference/cli.md", &cli::page(&program)?)?;
    match (mode, files.n_stale) {
        (Mode::Check, n) if n > 0 => {
            Err(format!("{n} generated files are stale: run `cargo xtask codegen`").into())
        }
        _ => Ok(()),
    }
}

fn config_page() -> String {
    format!("{GENERATED}\n{}", reference::page())
}

/// The generated files, one after the other.
struct Files {
    mode: Mode,
    n_stale: usize,
}

impl Files {
    fn put(&mut self, path: &str, text: &str) -> Result<()> {
        let place = root().join(path);
        if std::fs::read_to_string(&place).is_ok_and(|there| there == text) {
            return Ok(());
        }
        self.n_stale += 1;
        match self.mode {
            Mode::Check => complain(&format!("{path} is not what the code says")),
            Mode::Write => {
                if let Some(folder) = place.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                std::fs::write(&place, text)?;
                say(&format!("wrote {path}"));
            }
        }
        Ok(())
    }
}

/// The first line of a generated page.
const GENERATED: &str =
    "<!-- Written by `cargo xtask codegen` from the code: change it there. -->\n";
