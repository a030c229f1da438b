//! What a turn was worth.

use holodeck_value::{Object, Value};
use serde::{Deserialize, Serialize};

use crate::plan::MetricKind;

/// The verdicts on one turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnVerdict {
    /// One an entry of `expected_tools`, in order. Empty where nothing was asserted or the turn was skipped.
    pub tools: Vec<ToolVerdict>,
    /// One a metric that ran, in order.
    pub metrics: Vec<MetricVerdict>,
}

impl TurnVerdict {
    /// Whether all tool assertions hold; `None` where there is none.
    pub fn tools_matched(&self) -> Option<bool> {
        (!self.tools.is_empty()).then(|| self.tools.iter().all(|t| t.passed))
    }
}

/// The verdict on one entry of `expected_tools`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolVerdict {
    /// The entry's `name`.
    pub expected_tool: String,
    /// Written as a bare string.
    pub bare: bool,
    /// Whether it holds.
    pub passed: bool,
    /// Asserted arguments as the author wrote them; `None` where no `args` was given.
    pub args_asserted: Option<Object>,
    /// At least so many calls.
    pub count: u32,
    /// The first satisfying call of an entry that passed.
    pub matched_call_index: Option<usize>,
    /// Why it failed.
    pub unmatched_reason: Option<String>,
    /// The entry in one line: `subtract(a=206588, b≈181001)`.
    pub summary: String,
}

/// The verdict of one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetricVerdict {
    /// Its name in reports.
    pub name: String,
    /// Its family.
    pub kind: MetricKind,
    /// 0 to 1.
    pub score: f64,
    /// As the author set it.
    pub threshold: Option<f64>,
    /// Whether it passed.
    pub passed: bool,
    /// Why it could not be computed.
    pub error: Option<String>,
    /// Why it came out so: expected and got, the number as it was read.
    pub reasoning: Option<String>,
    /// In milliseconds.
    pub evaluation_time_ms: u64,
    /// Which model judged.
    pub model_used: Option<String>,
    /// What a grader adds.
    pub details: Option<Value>,
    /// What a grader printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<GraderOutput>,
    /// The metric broke (rather than said no) and its author asked that this fail the case at once.
    pub fails_case: bool,
}

/// What a grader printed while it judged, each text cut at 64 KiB; and where it broke.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GraderOutput {
    /// To stdout.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stdout: String,
    /// To stderr.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The trace of its exception.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub trace: String,
}
