//! Rule N8: a threshold beats the metric's own verdict.

use holodeck_model::plan::Metric;
use holodeck_value::Decimal;

/// Whether the metric passed, and why, the threshold heard.
pub(super) fn decide(metric: &Metric, score: f64, own: bool, reasoning: String) -> (bool, String) {
    let Some(threshold) = &metric.threshold else {
        return (own, reasoning);
    };
    // The shortest decimal of the score: 0.7 reaches a threshold that was written `0.7`.
    let passed = Decimal::parse(&format!("{score}")).is_some_and(|score| score >= threshold.0);
    let verb = if passed { "reaches" } else { "is below" };
    let reasoning = format!(
        "{reasoning}; score {score} {verb} the threshold {}",
        threshold.0
    );
    (passed, reasoning)
}
