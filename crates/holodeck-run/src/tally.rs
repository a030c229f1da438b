//! What a run came to, counted case by case so that no case need stay in memory.

use std::time::Duration;

use holodeck_model::outcome::{CaseOutcome, TurnOutcome};

/// What a run came to; the cases are in the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunOutcome {
    /// Cases that were to be run.
    pub n_cases: usize,
    /// Cases that ran and passed (rule V2).
    pub n_passed: usize,
    /// Cases that ran and did not pass. With `n_passed`, those that ran (rule V3).
    pub n_failed: usize,
    /// Cases among the failed ones in which trouble with the world had a part: timeouts, backend and session errors, sessions that did not open, cases that could not be read (rule X7).
    pub n_infrastructure_errors: usize,
    /// Turns of the cases that ran, the skipped ones included.
    pub n_turns: usize,
    /// Turns that were skipped (rule X4).
    pub n_skipped_turns: usize,
    /// Turns that got something from the agent: a reply (an empty one too) or a tool call.
    pub n_answered_turns: usize,
    /// Why the agent can't be reached at all, where the run ended early for that.
    pub unreachable: Option<String>,
    /// Whether the run was interrupted (rule X8).
    pub interrupted: bool,
    /// From the first case to the last.
    pub duration: Duration,
}

impl RunOutcome {
    /// Cases that never ran, or that an interrupt stopped before their end.
    pub fn n_not_run(&self) -> usize {
        self.n_cases - self.n_finished()
    }
    /// Cases that ran to their end.
    pub fn n_finished(&self) -> usize {
        self.n_passed + self.n_failed
    }
    /// Whether cases ran and yet no request was ever answered: the run could not be carried out (rule V4, exit 3).
    pub fn nothing_answered(&self) -> bool {
        self.n_finished() > 0 && self.n_answered_turns == 0
    }

    pub(crate) fn add(&mut self, case: &CaseOutcome) {
        if case.passed() {
            self.n_passed += 1;
        } else {
            self.n_failed += 1;
        }
        self.n_infrastructure_errors += usize::from(case.has_infrastructure_error());
        self.n_turns += case.turns.len();
        let count = |is: fn(&TurnOutcome) -> bool| case.turns.iter().filter(|t| is(t)).count();
        self.n_skipped_turns += count(|t| t.record.end.is_skipped());
        self.n_answered_turns +=
            count(|t| t.record.response.is_some() || !t.record.tool_invocations.is_empty());
    }
}
