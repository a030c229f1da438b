//! Holds what this program does as Python would against a real Python 3.11.
//!
//! Each part makes its inputs here, deterministically, asks a script of `xtask/oracles/` what Python makes of them, and counts.
//! Without a Python 3.11 nothing is compared; that is said and is no failure.
//!
//! To add a part: a script `xtask/oracles/NAME.py` that reads JSON lines and writes one JSON line for each; a file
//! `diff_python/NAME.rs` with `run(&Python) -> Result<Tally>`; a line in [`PARTS`]. Then `cargo xtask diff-python NAME`.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::workspace::{Result, complain, root, say};

mod float;
mod regex;
mod rng;
mod text;
mod yaml;

pub(crate) use rng::Rng;

/// How a part is run.
type Run = fn(&Python) -> Result<Tally>;

const PARTS: &[(&str, Run)] = &[
    ("text", text::run),
    ("float", float::run),
    ("regex", regex::run),
    ("yaml", yaml::run),
];

/// How many differences are shown.
const SHOWN: usize = 20;

/// What came of one part.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// What was compared, in a few words.
    pub(crate) name: &'static str,
    /// Inputs that both sides were asked about.
    pub(crate) compared: usize,
    /// Of these, the ones with the same answer.
    pub(crate) same: usize,
    /// Inputs that this program refuses by design and Python takes, counted by the documented reason.
    pub(crate) refused: BTreeMap<String, usize>,
    /// Everything else, each in one line: input, Python's answer, ours. Any makes the command fail.
    pub(crate) differences: Vec<String>,
}

impl Tally {
    /// An empty one.
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }
    /// Counts one comparison; `input` is shown where the answers differ.
    pub(crate) fn compare(&mut self, input: &str, python: &str, ours: &str) {
        self.compared += 1;
        if python == ours {
            self.same += 1;
        } else {
            self.differences
                .push(format!("{input}: Python {python}, ours {ours}"));
        }
    }
    /// Counts an input that is refused by design.
    pub(crate) fn refuse(&mut self, reason: &str) {
        self.compared += 1;
        *self.refused.entry(reason.to_owned()).or_default() += 1;
    }
}

/// A Python 3.11.
#[derive(Debug)]
pub(crate) struct Python {
    program: String,
}

impl Python {
    fn find() -> Option<Self> {
        ["python3.11", "python3"].into_iter().find_map(|program| {
            let said = Command::new(program)
                .args(["-c", "import sys; print(sys.version_info[:2] == (3, 11))"])
                .output()
                .ok()?;
            (said.status.success() && said.stdout.starts_with(b"True")).then(|| Self {
                program: program.to_owned(),
            })
        })
    }

    /// Whether a module can be imported.
    pub(crate) fn has(&self, module: &str) -> bool {
        Command::new(&self.program)
            .args(["-c", &format!("import {module}")])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    /// Feeds `lines` to `xtask/oracles/SCRIPT` and gives back its lines, one for each.
    pub(crate) fn ask(&self, script: &str, lines: &[String]) -> Result<Vec<String>> {
        let mut child = Command::new(&self.program)
            .arg(root().join("xtask/oracles").join(script))
            .env("PYTHONIOENCODING", "utf-8")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take().ok_or("the script has no stdin")?;
        let mut asked = lines.join("\n");
        asked.push('\n');
        let output = std::thread::scope(|scope| {
            scope.spawn(move || stdin.write_all(asked.as_bytes()));
            child.wait_with_output()
        })?;
        if !output.status.success() {
            return Err(format!("xtask/oracles/{script} failed: {}", output.status).into());
        }
        let answers: Vec<String> = String::from_utf8(output.stdout)?
            .lines()
            .map(str::to_owned)
            .collect();
        if answers.len() != lines.len() {
            return Err(format!(
                "xtask/oracles/{script} gave {} answers to {} questions",
                answers.len(),
                lines.len()
            )
            .into());
        }
        Ok(answers)
    }
}

/// `cargo xtask diff-python [PART]...`
pub(crate) fn run(wanted: &[&str]) -> Result<()> {
    if let Some(unknown) = wanted
        .iter()
        .find(|w| PARTS.iter().all(|(name, _)| name != *w))
    {
        return Err(format!("there is no part `{unknown}`").into());
    }
    let Some(python) = Python::find() else {
        complain("there is no Python 3.11 here (python3.11, python3): nothing was compared");
        return Ok(());
    };
    let mut n_differences = 0;
    for (name, part) in PARTS {
        if wanted.is_empty() || wanted.contains(name) {
            let tally = part(&python)?;
            tell(&tally);
            n_differences += tally.differences.len();
        }
    }
    if n_differences > 0 {
        return Err(format!("{n_differences} differences from Python").into());
    }
    Ok(())
}

fn tell(tally: &Tally) {
    say(&format!(
        "{}: {} compared, {} the same, {} refused by design, {} different",
        tally.name,
        tally.compared,
        tally.same,
        tally.refused.values().sum::<usize>(),
        tally.differences.len()
    ));
    for (reason, n) in &tally.refused {
        say(&format!("  refused {n}: {reason}"));
    }
    for difference in tally.differences.iter().take(SHOWN) {
        say(&format!("  {difference}"));
    }
    if tally.differences.len() > SHOWN {
        say(&format!("  and {} more", tally.differences.len() - SHOWN));
    }
}
