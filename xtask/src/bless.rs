//! `cargo xtask bless`: golden files and transcripts are rewritten by the tests themselves, never by hand; then read the diff.

use std::process::Command;

use crate::workspace::{Result, cargo, must, root, say};

/// `cargo xtask bless`
pub(crate) fn run() -> Result<()> {
    let mut tests = cargo(&["test", "--workspace", "--quiet", "--no-fail-fast"]);
    tests.env("UPDATE_EXPECT", "1").env("TRYCMD", "overwrite");
    // A test that rewrites its golden file may fail in the same run, so the outcome says nothing; `ci` does.
    if !tests.status()?.success() {
        say(
            "some tests failed while their golden files were rewritten: run `cargo xtask ci` to see what is left",
        );
    }
    must(
        Command::new("git")
            .args(["diff", "--stat"])
            .current_dir(root()),
    )
}
