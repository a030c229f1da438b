//! Says what a turn was worth: its tool assertions and its metrics, each with a reason that a person can read.
//!
//! Knows no sessions, no files, no processes and no reports; every function is pure. Start reading at [`judge`].
//!
//! ```
//! use holodeck_model::plan::{Equality, Metric, MetricKind, MetricSpec, TurnPlan};
//! use holodeck_model::record::{TurnEnd, TurnRecord};
//!
//! let equality = Equality { case_insensitive: true, ..Equality::default() };
//! let metric = Metric {
//!     name: "equality".to_owned(),
//!     kind: MetricKind::Standard,
//!     threshold: None,
//!     fail_on_error: false,
//!     response_path: None,
//!     spec: MetricSpec::Equality(equality),
//! };
//! let turn = TurnPlan {
//!     index: 0,
//!     input: "Is it so?".to_owned(),
//!     ground_truth: Some("yes".to_owned()),
//!     expected_tools: None,
//!     files: Vec::new(),
//!     retrieval_context: None,
//!     turn_config: None,
//!     metrics: [metric].into(),
//! };
//! let record = TurnRecord { response: Some("Yes".to_owned()), ..TurnRecord::unsent(TurnEnd::Replied) };
//! let verdict = holodeck_eval::judge(&turn, &record, &holodeck_eval::Grades::default());
//! assert!(verdict.metrics[0].passed);
//! ```

#![warn(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this crate is pure"
)]

mod grades;
mod metric;
mod quote;
mod tools;

pub use grades::{Grade, Grades};
use holodeck_model::plan::{CodeMetric, MetricSpec, TurnPlan};
use holodeck_model::record::{TurnEnd, TurnRecord};
use holodeck_model::verdict::TurnVerdict;

/// Judges one turn.
///
/// Only a turn that was answered is judged, an empty answer included (rule N7). A turn that timed out, failed or was
/// skipped has failed by rule V1 already: calls that it did not get to make prove nothing about the agent, so it has no
/// verdicts at all, and reports show the error alone.
///
/// Metrics that need `ground_truth` are left out on a turn without one (rule N7). Code graders have been called before, where
/// [`code_metrics`] says: their answers are in `grades`. One that is not fails its metric.
pub fn judge(turn: &TurnPlan, record: &TurnRecord, grades: &Grades) -> TurnVerdict {
    if record.end != TurnEnd::Replied {
        return TurnVerdict::default();
    }
    let reply = record.response.as_deref().unwrap_or_default();
    TurnVerdict {
        tools: turn
            .expected_tools
            .iter()
            .flat_map(|entries| entries.iter())
            .map(|entry| tools::judge(entry, &record.tool_invocations))
            .collect(),
        metrics: turn
            .metrics
            .iter()
            .enumerate()
            .filter_map(|(at, metric)| {
                let grade = grades.get(at);
                metric::judge(metric, turn.ground_truth.as_deref(), reply, grade)
            })
            .collect(),
    }
}

/// The code metrics whose graders must be called before a turn is judged, each with its position among the turn's metrics.
pub fn code_metrics<'t>(
    turn: &'t TurnPlan,
    record: &TurnRecord,
) -> impl Iterator<Item = (usize, &'t CodeMetric)> {
    let metrics = match record.end {
        TurnEnd::Replied => &turn.metrics[..],
        _ => &[],
    };
    let metrics = metrics.iter().enumerate();
    metrics.filter_map(|(at, metric)| match &metric.spec {
        MetricSpec::Code(code) => Some((at, code)),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
