//! Workshop commands of this repository: `cargo xtask COMMAND`. One file a command.
//!
//! To add a command: a file `src/NAME.rs` with a function `run`, a line in `USAGE`, a line in `main`. Then `cargo xtask NAME`.

use std::process::ExitCode;

mod bench;
mod bless;
mod ci;
mod codegen;
mod diff_python;
mod dist;
mod tidy;
mod workspace;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  ci                     everything that must hold: format, lints, tests, docs, tidy, generated files
  tidy                   which crate may know what, file sizes, names, leftovers
  codegen [--check]      writes schemas/ and docs/reference/ from the code; --check only compares
  bless                  rewrites golden files and transcripts, then shows what changed
  bench [PART]           speed and memory: criterion benches and whole runs (parts: criterion, runs)
  diff-python [PART]     holds our Python semantics against a Python 3.11, where there is one (parts: text, float, regex, yaml)
  dist                   builds the program as it is released";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["ci"] => ci::run(),
        ["tidy"] => tidy::run(),
        ["codegen"] => codegen::run(codegen::Mode::Write),
        ["codegen", "--check"] => codegen::run(codegen::Mode::Check),
        ["bless"] => bless::run(),
        ["bench", rest @ ..] => bench::run(rest),
        ["diff-python", rest @ ..] => diff_python::run(rest),
        ["dist"] => dist::run(),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            workspace::complain(&error.to_string());
            ExitCode::FAILURE
        }
    }
}
