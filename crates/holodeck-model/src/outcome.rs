//! A finished case: what was asked, what happened, what it was worth. This is what the journal keeps and reports tell.

use holodeck_value::Value;
use serde::{Deserialize, Serialize};

use crate::plan::CaseId;
use crate::record::TurnRecord;
use crate::verdict::TurnVerdict;

/// A finished case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseOutcome {
    /// Position in the file, from 0.
    pub index: usize,
    /// Identity.
    pub id: CaseId,
    /// The author's name for it.
    pub name: Option<String>,
    /// Written with `input`.
    pub single_turn: bool,
    /// When its session was opened, RFC 3339 in UTC with microseconds.
    pub started_at: String,
    /// Why it could not be played at all, as a sentence for the report: its session could not be opened (its turns are skipped then), it could not be read again (it has no turns then), or holodeck itself broke on it.
    /// Such a case fails whatever its turns say, and counts as an infrastructure error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// One a turn of the plan, in order.
    pub turns: Vec<TurnOutcome>,
}

/// A finished turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnOutcome {
    /// Position in the case, from 0.
    pub index: usize,
    /// What was said.
    pub input: String,
    /// The right answer.
    pub ground_truth: Option<String>,
    /// As the author wrote it: strings and `{name, args?, count?}`.
    pub expected_tools: Option<Vec<Value>>,
    /// Whether anything about it could fail (N7).
    pub asserted: bool,
    /// What happened.
    pub record: TurnRecord,
    /// What it was worth.
    pub verdict: TurnVerdict,
}

impl CaseOutcome {
    /// Rule V2.
    pub fn passed(&self) -> bool {
        self.error.is_none() && self.turns.iter().all(TurnOutcome::passed)
    }
    /// Whether trouble with the world (not a failed assertion) is among the reasons why it failed.
    pub fn has_infrastructure_error(&self) -> bool {
        self.error.is_some()
            || self
                .turns
                .iter()
                .any(|t| t.record.end.is_infrastructure_error())
    }
    /// Its name, else `test_cases[i]`.
    pub fn label(&self) -> String {
        self.name
            .clone()
            .unwrap_or_else(|| format!("test_cases[{}]", self.index))
    }
}

impl TurnOutcome {
    /// Rule V1.
    pub fn passed(&self) -> bool {
        self.record.end.error().is_none()
            && self.verdict.tools_matched() != Some(false)
            && self
                .verdict
                .metrics
                .iter()
                .all(|m| m.passed && !m.fails_case)
    }
    /// Everything that went wrong, in words: how the turn ended, then missed tools (bare names in one line, one line an object entry).
    pub fn errors(&self) -> Vec<String> {
        let missed = self.verdict.tools.iter().filter(|t| !t.passed);
        let bare: Vec<&str> = missed
            .clone()
            .filter(|t| t.bare)
            .map(|t| t.expected_tool.as_str())
            .collect();
        let bare = (!bare.is_empty()).then(|| {
            format!(
                "expected tool(s) not called in this turn: {}",
                bare.join(", ")
            )
        });
        let objects = missed.filter(|t| !t.bare).map(|t| {
            format!(
                "expected {}: {}",
                t.summary,
                t.unmatched_reason.as_deref().unwrap_or("not called")
            )
        });
        self.record
            .end
            .error()
            .into_iter()
            .chain(bare)
            .chain(objects)
            .collect()
    }
}
