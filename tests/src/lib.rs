//! What the tests of whole holodeck share: the vectors of `conformance/`, and the real program under a watchdog.
//!
//! `vectors/` runs every vector as a named test; `it/` holds the tests that are written out; `ui/` holds transcripts.

pub mod library;
pub mod processes;
pub mod program;
pub mod suite;
pub mod vector;

use std::path::{Path, PathBuf};

/// The repository's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests stand in the repository")
}

/// Data sets that may lie beside the repository and are never part of it. Says so where they are not there.
#[expect(clippy::print_stderr, reason = "a test that did not run must be seen")]
pub fn outside_data(name: &str) -> Option<PathBuf> {
    let data = root().parent()?.join("shared/data").join(name);
    if data.exists() {
        return Some(data);
    }
    eprintln!("not run: there is no ../shared/data/{name} beside the repository");
    None
}

/// The examples of the guide, run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/embed.md")]
pub struct EmbedGuide;
