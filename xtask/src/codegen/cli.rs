//! docs/reference/cli.md: what `--help` of each command says.

use std::path::Path;
use std::process::{Command, Stdio};

use super::GENERATED;
use crate::workspace::Result;

/// Each command, as the words after `holodeck`.
const COMMANDS: &[&str] = &[
    "",
    "test",
    "check",
    "report",
    "config show",
    "schema",
    "init",
    "grader new",
    "grader run",
];

pub(super) fn page(program: &Path) -> Result<String> {
    let mut page = format!("{GENERATED}\n# Command line\n");
    for command in COMMANDS {
        let title = format!("holodeck {command}");
        let help = help(program, command)?;
        page += "\n## `";
        page += title.trim_end();
        page += "`\n\n```text\n";
        page += help.trim_end();
        page += "\n```\n";
    }
    Ok(page)
}

/// Without a terminal, so that its width does not matter.
fn help(program: &Path, command: &str) -> Result<String> {
    let output = Command::new(program)
        .args(command.split_whitespace())
        .arg("--help")
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .output()?;
    if !output.status.success() {
        return Err(format!("holodeck {command} --help ended with {}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
