//! Not written yet.

use super::{Python, Tally};
use crate::workspace::Result;

pub(crate) fn run(_: &Python) -> Result<Tally> {
    Err("not written yet".into())
}
