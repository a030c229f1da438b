//! The author's own grader: its answer as a verdict (rule N8).

use holodeck_grader::Graded;
use holodeck_model::plan::Metric;
use holodeck_model::verdict::{GraderOutput, MetricVerdict};
use holodeck_value::Value;

use crate::Grade;

/// Fills in the verdict of a grader that was called. An error fails the metric with score 0.
pub(super) fn fill(verdict: &mut MetricVerdict, metric: &Metric, grade: &Grade) {
    let graded = &grade.graded;
    verdict.evaluation_time_ms = u64::try_from(grade.took.as_millis()).unwrap_or(u64::MAX);
    verdict.output = output(graded);
    // Whoever called it should have checked; a score that is none must not pass here either.
    let checked = graded
        .result
        .clone()
        .and_then(|result| result.check().map_err(Into::into));
    match checked {
        Ok(result) => {
            verdict.score = result.score;
            verdict.passed = result.passes(verdict.threshold);
            verdict.reasoning = result.reason;
            verdict.details = result.details.map(Value::Object);
        }
        Err(error) => {
            verdict.fails_case = metric.fail_on_error && error.escalates();
            verdict.error = Some(error.to_string());
        }
    }
}

fn output(graded: &Graded) -> Option<GraderOutput> {
    let trace = graded.result.as_ref().err().and_then(|e| e.trace());
    let output = GraderOutput {
        stdout: graded.stdout.clone(),
        stderr: graded.stderr.clone(),
        trace: trace.unwrap_or_default().to_owned(),
    };
    (output != GraderOutput::default()).then_some(output)
}

#[cfg(test)]
mod tests;
