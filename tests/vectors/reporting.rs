//! What a report says (V2, V3, V3a): its fields, and the summary of scores.

use holodeck_model::outcome::{CaseOutcome, TurnOutcome};
use holodeck_model::plan::{CaseId, MetricKind};
use holodeck_model::record::{ToolInvocation, TurnEnd, TurnRecord};
use holodeck_model::verdict::{MetricVerdict, TurnVerdict};
use holodeck_report::{Summary, rollup, wire};
use holodeck_tests::vector::{Vector, field};
use holodeck_value::{Object, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// `{object}`: its fields in order, ours after them; the required ones are enough to read it, and each of them is needed.
pub(crate) fn fields(vector: &Vector) -> Result<(), String> {
    let mut result = rollup::case(&case(&[1.0]));
    let file = rollup::case(&case(&[1.0])).processed_files.remove(0);
    let call = result.tool_invocations.remove(0);
    let metric = result.metric_results.remove(0);
    let metadata = metadata();
    match vector.text("object") {
        "TestResult" => shape(vector, &result),
        "MetricResult" => shape(vector, &metric),
        "ToolInvocation" => shape(vector, &call),
        "ProcessedFileInput" => shape(vector, &file),
        "EvalRun" => {
            let report =
                holodeck_report::Header::default().report(vec![result], Summary::new(1).wire());
            shape(vector, &wire::EvalRun { report, metadata })
        }
        "EvalRunMetadata" => shape(vector, &metadata),
        "PromptVersion" => shape(vector, &metadata.prompt_version),
        other => Err(format!("what is a {other}?")),
    }
}

fn shape<T: Serialize + DeserializeOwned>(vector: &Vector, object: &T) -> Result<(), String> {
    let text = serde_json::to_string(object).map_err(|e| e.to_string())?;
    let whole = Value::from_json(&text).map_err(|e| e.to_string())?;
    let whole = whole.as_object().ok_or("not a mapping")?;
    let in_order = names(vector.expected("fields_in_order"));
    let written: Vec<&str> = whole
        .iter()
        .map(|(name, _)| name)
        .take(in_order.len())
        .collect();
    if written != in_order {
        return Err(format!("expected {in_order:?}\n     got {written:?}"));
    }
    let required = names(vector.expected("required"));
    let reads_without = |left_out: Option<&str>| {
        let kept = required.iter().filter(|name| Some(**name) != left_out);
        let kept: Object = kept
            .filter_map(|name| Some(((*name).to_owned(), whole.get(name)?.clone())))
            .collect();
        serde_json::from_str::<T>(&Value::Object(kept).to_json()).is_ok()
    };
    if !reads_without(None) {
        return Err("the required fields are not enough to read it".to_owned());
    }
    match required.iter().find(|name| reads_without(Some(name))) {
        Some(name) => Err(format!("it reads without the required `{name}`")),
        None => Ok(()),
    }
}

fn names(list: &Value) -> Vec<&str> {
    match list {
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// `{case_scores}`: one case a score.
pub(crate) fn summary(vector: &Vector) -> Result<(), String> {
    let Value::Array(scores) = vector.input("case_scores") else {
        return Err("`case_scores` is not a list".to_owned());
    };
    let mut summary = Summary::new(scores.len() as u64);
    for score in scores {
        let Value::Number(score) = score else {
            return Err("a score is not a number".to_owned());
        };
        summary.add(&case(&[score.as_f64()]));
    }
    let text = serde_json::to_string(&summary.wire()).map_err(|e| e.to_string())?;
    let got = Value::from_json(&text).map_err(|e| e.to_string())?;
    let told = [
        ("total", "total_tests"),
        ("passed", "passed"),
        ("failed", "failed"),
        ("pass_rate", "pass_rate"),
        ("metrics_evaluated", "metrics_evaluated"),
        ("average_scores", "average_scores"),
    ];
    let told = told.map(|(ours, theirs)| (ours.to_owned(), field(&got, theirs).clone()));
    vector.check(&Value::Object(told.into_iter().collect()))
}

/// A case that a grader gave these scores, a turn each, with a tool call and a file.
fn case(scores: &[f64]) -> CaseOutcome {
    let turns = scores
        .iter()
        .enumerate()
        .map(|(index, &score)| TurnOutcome {
            index,
            input: "q".to_owned(),
            ground_truth: Some("1".to_owned()),
            expected_tools: None,
            asserted: true,
            record: TurnRecord {
                response: Some("1".to_owned()),
                tool_invocations: vec![ToolInvocation {
                    name: "add".to_owned(),
                    args: Value::Object(Object::new()),
                    result: Value::Null,
                    error: None,
                    duration_ms: None,
                }],
                processed_files: vec![Value::Object(Object::new())],
                ..TurnRecord::unsent(TurnEnd::Replied)
            },
            verdict: TurnVerdict {
                tools: Vec::new(),
                metrics: vec![MetricVerdict {
                    name: "numeric".to_owned(),
                    kind: MetricKind::Standard,
                    score,
                    threshold: None,
                    passed: score >= 1.0,
                    error: None,
                    reasoning: None,
                    evaluation_time_ms: 0,
                    model_used: None,
                    details: None,
                    output: None,
                    fails_case: false,
                }],
            },
        });
    CaseOutcome {
        index: 0,
        id: CaseId {
            key: "c".to_owned(),
            occurrence: 0,
        },
        name: Some("c".to_owned()),
        single_turn: false,
        started_at: "2026-12-01T02:47:11.632825+00:00".to_owned(),
        error: None,
        turns: turns.collect(),
    }
}

fn metadata() -> wire::EvalRunMetadata {
    wire::EvalRunMetadata {
        agent_config: Value::Object(Object::new()),
        prompt_version: wire::PromptVersion {
            version: "1".to_owned(),
            author: None,
            description: None,
            tags: Vec::new(),
            source: "inline".to_owned(),
            file_path: None,
            body_hash: "0".to_owned(),
            extra: Object::new(),
        },
        holodeck_version: "0".to_owned(),
        cli_args: Vec::new(),
        git_commit: None,
    }
}
