//! What the tests of whole holodeck share: the vectors of `conformance/`, and the real program under a watchdog.
//!
//! `vectors/` runs every vector as a named test; `it/` holds the tests that are written out; `ui/` holds transcripts.

pub mod library;
pub mod processes;
pub mod program;
mod python;
pub mod suite;
pub mod vector;

use std::io::Write;
use std::path::{Path, PathBuf};

pub use python::has_python;

/// The repository's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests stand in the repository")
}

/// Says in one line that the test which is running is not run, and why. It is seen though a test that passes shows nothing it prints.
pub fn not_run(why: &str) {
    let thread = std::thread::current();
    let line = match thread.name() {
        Some(test) if test != "main" => format!("not run: {test}: {why}\n"),
        _ => format!("not run: {why}\n"),
    };
    std::io::stderr()
        .write_all(line.as_bytes())
        .expect("stderr takes a line");
}

/// Data sets that may lie beside the repository and are never part of it. Says so where they are not there.
pub fn outside_data(name: &str) -> Option<PathBuf> {
    let data = root().parent()?.join("shared/data").join(name);
    if data.exists() {
        return Some(data);
    }
    not_run(&format!(
        "there is no ../shared/data/{name} beside the repository"
    ));
    None
}

/// The examples of the guide, run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/embed.md")]
pub struct EmbedGuide;
