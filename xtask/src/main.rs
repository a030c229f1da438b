//! Workshop commands of this repository: `cargo xtask COMMAND`.

use std::process::ExitCode;

mod diff_python;
mod workspace;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  diff-python [PART]   holds our Python semantics against a Python 3.11, where there is one (parts: text, float, regex, yaml)
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["diff-python", rest @ ..] => diff_python::run(rest),
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
