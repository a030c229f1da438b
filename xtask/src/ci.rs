//! `cargo xtask ci`: everything that must hold before a change goes in, in order, stopping at the first thing that does not.

use std::process::Command;
use std::time::Instant;

use crate::workspace::{Result, cargo, complain, must, say};
use crate::{codegen, tidy};

/// What a step runs.
enum Work {
    Command(Box<Command>),
    Own(fn() -> Result<()>),
}

/// One thing that must hold.
struct Step {
    name: &'static str,
    work: Work,
    /// What to do where it does not.
    remedy: &'static str,
}

/// `cargo xtask ci`
pub(crate) fn run() -> Result<()> {
    let steps = steps();
    let n = steps.len();
    let begun = Instant::now();
    for (i, mut step) in steps.into_iter().enumerate() {
        let number = i + 1;
        let name = step.name;
        say(&format!("[{number}/{n}] {name}"));
        let begun = Instant::now();
        let done = match &mut step.work {
            Work::Command(command) => must(command),
            Work::Own(work) => work(),
        };
        if let Err(error) = done {
            complain(&error.to_string());
            return Err(format!("[{number}/{n}] {name} failed: {}", step.remedy).into());
        }
        let seconds = begun.elapsed().as_secs_f64();
        say(&format!("[{number}/{n}] {name}: ok, {seconds:.1} s"));
    }
    let seconds = begun.elapsed().as_secs_f64();
    say(&format!("all {n} steps hold, {seconds:.1} s"));
    Ok(())
}

fn steps() -> Vec<Step> {
    let command = |args: &[&str]| Work::Command(Box::new(cargo(args)));
    let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    vec![
        Step {
            name: "format",
            work: command(&["fmt", "--all", "--check"]),
            remedy: "run `cargo fmt --all`",
        },
        Step {
            name: "lints",
            work: command(&[
                "clippy",
                "--workspace",
                "--all-targets",
                "--quiet",
                "--",
                "-D",
                "warnings",
            ]),
            remedy: "mend what clippy shows above; an exception is `#[expect(lint, reason = \"..\")]`",
        },
        Step {
            name: "tests and doc tests",
            work: command(&["test", "--workspace", "--quiet"]),
            remedy: "mend the failing tests above; `cargo xtask bless` where golden files should change",
        },
        Step {
            name: "documentation",
            work: Work::Command(Box::new(doc)),
            remedy: "mend the doc comments that rustdoc shows above",
        },
        Step {
            name: "tidy",
            work: Work::Own(tidy::run),
            remedy: "each line above says what to do",
        },
        Step {
            name: "generated files",
            work: Work::Own(|| codegen::run(codegen::Mode::Check)),
            remedy: "run `cargo xtask codegen` and commit what it wrote",
        },
    ]
}
