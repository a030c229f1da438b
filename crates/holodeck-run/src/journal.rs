//! The journal of a run: a file that holds a header, every finished case, and a footer, each a line of JSON.
//!
//! It is the run's memory: whatever a report shows is read from it. `docs/reference/journal.md` describes the format for others; change both together, and raise [`VERSION`] where an old reader would go wrong.
//! Does not resume a run, and does not know what a secret is: masking is given to it.

mod read;
mod sync;
mod write;

pub use read::{Cases, JournalReader, ReadError, TornLine};
pub use write::{Journal, JournalError, Mask};

use holodeck_model::outcome::CaseOutcome;
use holodeck_value::Value;
use serde::{Deserialize, Serialize};

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u32 = 1;

/// What is known of a run at its start. Strings are written as they are given: secrets must be masked already.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Identifies the run.
    pub run_id: String,
    /// RFC 3339 in UTC with microseconds.
    pub started_at: String,
    /// The version of holodeck.
    pub program_version: String,
    /// The agent's name.
    pub agent: String,
    /// Path of agent.yaml as it was typed.
    pub agent_config_path: String,
    /// Who answers instead of the agent's own provider (`--agent`), as it was typed.
    pub agent_override: Option<String>,
    /// Identifies what was planned: `sha256:` and hex digits.
    pub plan_hash: String,
    /// Cases that were to be run.
    pub n_cases: usize,
    /// How they were run.
    pub settings: Settings,
    /// Whatever else the reports show of the run; null where nothing.
    pub metadata: Value,
}

/// How the cases of a run were run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Bound of a turn, in milliseconds.
    pub llm_timeout_ms: u64,
    /// Cases at once.
    pub parallel_test_cases: usize,
}

/// What is known of a run at its end. A run that was killed, or could not write its journal, has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Footer {
    /// RFC 3339 in UTC with microseconds.
    pub finished_at: String,
    /// Whether it was interrupted (rule X8).
    pub interrupted: bool,
    /// Cases that ran to their end: those in the journal.
    pub n_finished: usize,
    /// Cases that did not.
    pub n_not_run: usize,
    /// From the first case to the last, in milliseconds.
    pub duration_ms: u64,
}

/// The first line. The version comes first and alone, so that every later version can be told apart.
#[derive(Serialize, Deserialize)]
struct FirstLine<H> {
    holodeck_journal: u32,
    header: H,
}

/// Every line after the first.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Line<'a> {
    Case(&'a CaseOutcome),
    Footer(&'a Footer),
}
