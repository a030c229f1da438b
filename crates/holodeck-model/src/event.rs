//! What the runner tells while it runs; progress is a function of these.

use crate::outcome::CaseOutcome;

/// Something happened. A case's events come in order; those of parallel cases interleave.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The run begins.
    RunStarted {
        /// Cases to run.
        n_cases: usize,
    },
    /// A case's session is about to be opened.
    CaseStarted {
        /// Position in the file, from 0.
        index: usize,
        /// Its name, else `test_cases[i]`.
        label: &'a str,
        /// Turns to play.
        n_turns: usize,
    },
    /// A turn ended and was judged.
    TurnFinished {
        /// Position of its case in the file.
        index: usize,
        /// Position in the case.
        turn: usize,
        /// V1.
        passed: bool,
    },
    /// A case ended, was judged and is in the journal.
    CaseFinished {
        /// All of it.
        outcome: &'a CaseOutcome,
    },
    /// An interrupt was seen: running turns are being stopped.
    Interrupted,
}
