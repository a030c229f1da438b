//! Where things are in the repository, and how a command of the workshop speaks and starts programs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a workshop command gives back; the error is told as it is.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The repository's root.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask stands in the repository")
}

/// Data sets that may lie beside the repository and are never part of it.
pub(crate) fn outside_data() -> Option<PathBuf> {
    let data = root().parent()?.join("shared/data");
    data.is_dir().then_some(data)
}

/// The cargo that started us, at the repository's root.
pub(crate) fn cargo<const N: usize>(args: [&str; N]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    command
}

/// Says something on stdout.
#[expect(clippy::print_stdout, reason = "workshop commands speak to a person")]
pub(crate) fn say(text: &str) {
    println!("{text}");
}

/// Says something on stderr.
#[expect(clippy::print_stderr, reason = "workshop commands speak to a person")]
pub(crate) fn complain(text: &str) {
    eprintln!("{text}");
}
