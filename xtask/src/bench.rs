//! `cargo xtask bench`: speed and memory, for docs/design/performance.md.

use crate::workspace::Result;

/// `cargo xtask bench [PART]`
pub(crate) fn run(_wanted: &[&str]) -> Result<()> {
    Err("not written yet".into())
}
