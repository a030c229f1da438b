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
pub(crate) fn cargo(args: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    command
}

/// Runs a command to its end; a bad status is an error that shows the command.
pub(crate) fn must(command: &mut Command) -> Result<()> {
    let status = command.status()?;
    if status.success() {
        return Ok(());
    }
    Err(format!("{} ended with {status}", shown(command)).into())
}

/// The command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem();
    program
        .into_iter()
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Builds the program under a profile and says where it is.
pub(crate) fn build_holodeck(profile: &str) -> Result<PathBuf> {
    must(&mut cargo(&[
        "build",
        "--quiet",
        "--package",
        "holodeck",
        "--profile",
        profile,
    ]))?;
    let target = cargo_metadata::MetadataCommand::new()
        .current_dir(root())
        .no_deps()
        .exec()?
        .target_directory;
    let folder = if profile == "dev" { "debug" } else { profile };
    let program = format!("holodeck{}", std::env::consts::EXE_SUFFIX);
    Ok(target.join(folder).join(program).into_std_path_buf())
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
