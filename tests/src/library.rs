//! Libraries of graders, built when a test asks for them.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::program::{cargo_build, target};
use crate::root;

/// `hostile_native`: graders that do everything wrong.
pub fn hostile() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let folder = build(&["--package", "hostile-native"]);
        folder.join(format!("{DLL_PREFIX}hostile_native{DLL_SUFFIX}"))
    })
}

/// A program that is a worker for native graders and nothing else.
pub fn native_worker() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let example = [
            "--package",
            "holodeck-grader-host",
            "--example",
            "native_worker",
        ];
        build(&example).join("examples/native_worker")
    })
}

/// The example of a native grader, as its own `cargo build` line makes it, in a folder of our target.
pub fn example() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let manifest = root().join("examples/code-graders/native/Cargo.toml");
        let folder = target().join("examples");
        cargo_build::<&OsStr>(&[
            "--manifest-path".as_ref(),
            manifest.as_ref(),
            "--target-dir".as_ref(),
            folder.as_ref(),
        ]);
        folder.join(format!("debug/{DLL_PREFIX}turn_program{DLL_SUFFIX}"))
    })
}

/// Builds `tests/graders/malformed.rs` with its mistake of this name.
pub fn malformed(mistake: &str, folder: &Path) -> PathBuf {
    let path = folder.join(format!("{mistake}{DLL_SUFFIX}"));
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=cdylib", "--cap-lints=allow"])
        .args(["--cfg", mistake, "-o"])
        .arg(&path)
        .arg(root().join("tests/graders/malformed.rs"))
        .status()
        .expect("rustc starts");
    assert!(built.success(), "{mistake} does not build");
    path
}

/// Builds `tests/graders/in_c.c` against the header that we ship; `None` where there is no C compiler.
pub fn in_c(folder: &Path) -> Option<PathBuf> {
    let path = folder.join(format!("{DLL_PREFIX}in_c{DLL_SUFFIX}"));
    let built = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
        .args(["-shared", "-fPIC", "-I"])
        .arg(root().join("docs/reference"))
        .arg("-o")
        .arg(&path)
        .arg(root().join("tests/graders/in_c.c"))
        .status();
    match built {
        Ok(status) => assert!(status.success(), "in_c.c does not build"),
        Err(error) => {
            crate::not_run(&format!("there is no C compiler `cc`: {error}"));
            return None;
        }
    }
    Some(path)
}

/// Builds as the test itself was built, since measurements are made in release. Gives the folder of what was built.
fn build(what: &[&str]) -> PathBuf {
    if cfg!(debug_assertions) {
        cargo_build(what);
        return target().join("debug");
    }
    cargo_build(&[what, &["--release"]].concat());
    target().join("release")
}
