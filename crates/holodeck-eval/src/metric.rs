//! The metrics of a turn, a file each; the one place that knows them all.
//!
//! To add a metric:
//!
//! 1. Give [`MetricSpec`] a variant with its settings, and say in `Metric::grades` (holodeck-model, `plan.rs`) whether it
//!    needs `ground_truth`. The compiler now names the `match` below.
//! 2. Write `metric/NAME.rs` with one pure function from settings, answer and ground truth to a [`Finding`]; it never
//!    imports this file's `judge`. What needs a grader or a judging model takes its finished reply as an argument.
//! 3. Call it from [`find`] below.
//! 4. Read its settings in holodeck-model's `config`, and put its vectors into `tests/conformance/NAME.jsonl`.
//! 5. `cargo test -p holodeck-eval -p holodeck-tests` proves it.

mod code;
mod equality;
mod extract;
mod numeric;
mod response_path;
mod threshold;

use holodeck_model::plan::{Metric, MetricSpec};
use holodeck_model::verdict::MetricVerdict;

use crate::Grade;

/// What a metric found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Finding {
    /// It could be computed.
    Scored {
        /// 0 to 1.
        score: f64,
        /// What it says itself, before a threshold (rule N8).
        passed: bool,
        /// Why, for a person to read.
        reasoning: String,
    },
    /// It could not: it fails with score 0 whatever the threshold.
    Unreadable {
        /// Why, for a person to read.
        error: String,
        /// Not the reply's fault: the ground truth can't be read, an engine gave up.
        ours: bool,
    },
}

impl Finding {
    /// A yes or no as a score of 1 or 0.
    fn yes_or_no(passed: bool, reasoning: String) -> Self {
        Self::Scored {
            score: if passed { 1.0 } else { 0.0 },
            passed,
            reasoning,
        }
    }
}

/// What is graded: the whole reply, or a part of it.
#[derive(Clone, Debug, PartialEq)]
struct Answer {
    /// The text of it (rule M2).
    text: String,
    /// What `numeric` reads: the numeral as written where a JSON number is graded, else the text.
    numeral: String,
    /// What it is called in reasons: `the reply`, ``the reply's `a.b` ``.
    called: String,
}

/// Judges one metric, `grade` its grader's answer where it is a code metric; `None` where it does not run on this turn (rule N7).
pub(crate) fn judge(
    metric: &Metric,
    ground_truth: Option<&str>,
    reply: &str,
    grade: Option<&Grade>,
) -> Option<MetricVerdict> {
    if !metric.grades(ground_truth.is_some()) {
        return None;
    }
    let mut verdict = MetricVerdict {
        name: metric.name.clone(),
        kind: metric.kind,
        score: 0.0,
        threshold: metric.threshold.as_ref().map(|t| t.0.to_f64()),
        passed: false,
        error: None,
        reasoning: None,
        evaluation_time_ms: 0,
        model_used: None,
        details: None,
        output: None,
        fails_case: false,
    };
    if let (MetricSpec::Code(_), Some(grade)) = (&metric.spec, grade) {
        code::fill(&mut verdict, metric, grade);
        return Some(verdict);
    }
    match find(metric, ground_truth.unwrap_or_default(), reply) {
        Finding::Scored {
            score,
            passed,
            reasoning,
        } => {
            let (passed, reasoning) = threshold::decide(metric, score, passed, reasoning);
            verdict.score = score;
            verdict.passed = passed;
            verdict.reasoning = Some(reasoning);
        }
        Finding::Unreadable { error, ours } => {
            verdict.error = Some(error);
            verdict.fails_case = ours && metric.fail_on_error;
        }
    }
    Some(verdict)
}

fn find(metric: &Metric, ground_truth: &str, reply: &str) -> Finding {
    let answer = match &metric.response_path {
        None => Answer {
            text: reply.to_owned(),
            numeral: reply.to_owned(),
            called: "the reply".to_owned(),
        },
        Some(path) => match response_path::resolve(path, reply) {
            Ok(answer) => answer,
            Err(error) => return Finding::Unreadable { error, ours: false },
        },
    };
    match &metric.spec {
        MetricSpec::Equality(settings) => equality::find(*settings, &answer, ground_truth),
        MetricSpec::Numeric(settings) => numeric::find(settings, &answer, ground_truth),
        MetricSpec::Code(code) => Finding::Unreadable {
            error: format!("the grader `{}` was not called", code.grader),
            ours: false,
        },
        // A run that needs one is refused before it starts; should one get here, it must not pass.
        MetricSpec::Deferred { metric, .. } => Finding::Unreadable {
            error: format!("this version can't compute `{metric}`"),
            ours: true,
        },
    }
}
