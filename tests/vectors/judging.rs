//! Metrics and tool assertions of a turn (M5 to M7, N1 to N8), judged as a run judges them.

use std::sync::Arc;

use holodeck_eval::{Grades, judge};
use holodeck_match::PyRegex;
use holodeck_model::plan::{
    Equality, Extract, Metric, MetricKind, MetricSpec, Numeric, ResponsePath, TurnPlan,
};
use holodeck_model::record::{TokenUsage, TurnEnd, TurnRecord};
use holodeck_model::verdict::MetricVerdict;
use holodeck_tests::vector::{Vector, field};
use holodeck_value::{Decimal, Object, Value};

/// `{flags, response, ground_truth}`
pub(crate) fn equality(vector: &Vector) -> Result<(), String> {
    let flags = vector.input("flags");
    let spec = MetricSpec::Equality(Equality {
        case_insensitive: is_set(flags, "case_insensitive"),
        strip_punctuation: is_set(flags, "strip_punctuation"),
        strip_whitespace: is_set(flags, "strip_whitespace"),
    });
    let verdict = judged(
        spec,
        None,
        vector.text("ground_truth"),
        vector.text("response"),
    );
    vector.check(&object([
        ("score", score(&verdict)),
        ("passed", Value::Bool(verdict.passed)),
    ]))
}

/// `{config, response, ground_truth}`
pub(crate) fn numeric(vector: &Vector) -> Result<(), String> {
    let config = vector.input("config");
    let spec = MetricSpec::Numeric(Numeric {
        absolute_tolerance: decimal(field(config, "absolute_tolerance"), "1e-6"),
        relative_tolerance: decimal(field(config, "relative_tolerance"), "0"),
        accept_percent: is_set(config, "accept_percent"),
        accept_thousands_separators: is_set(config, "accept_thousands_separators"),
        extract: match field(config, "extract") {
            Value::Null => None,
            Value::String(which) if which == "first" => Some(Extract::First),
            Value::String(which) if which == "last" => Some(Extract::Last),
            by => {
                let pattern = field(by, "regex").as_str().ok_or("odd `extract`")?;
                Some(Extract::Regex(
                    PyRegex::new(pattern).map_err(|e| e.to_string())?,
                ))
            }
        },
    });
    let verdict = judged(
        spec,
        None,
        vector.text("ground_truth"),
        vector.text("response"),
    );
    vector.check(&object([
        ("passed", Value::Bool(verdict.passed)),
        ("score", score(&verdict)),
        ("parse_error", Value::Bool(verdict.error.is_some())),
    ]))
}

/// `{response, path}`: the text that is graded; null where the metric fails with a reason.
pub(crate) fn response_path(vector: &Vector) -> Result<(), String> {
    let path = ResponsePath::parse(vector.text("path")).map_err(|e| e.to_string())?;
    let expected = vector.expected.as_str();
    let verdict = judged(
        MetricSpec::Equality(Equality::default()),
        Some(path),
        expected.unwrap_or("anything"),
        vector.text("response"),
    );
    match expected {
        Some(_) if verdict.passed => Ok(()),
        None if verdict.error.is_some() => Ok(()),
        _ => Err(format!("{verdict:?}")),
    }
}

/// `{path}`: whether it is a response path.
pub(crate) fn response_path_grammar(vector: &Vector) -> Result<(), String> {
    vector.check(&Value::Bool(
        ResponsePath::parse(vector.text("path")).is_ok(),
    ))
}

/// `{prompt_tokens, completion_tokens, total_tokens}`
pub(crate) fn token_usage(vector: &Vector) -> Result<(), String> {
    let tokens = |name: &str| match vector.input(name) {
        Value::Number(number) => number.as_u64(),
        _ => None,
    };
    let usage = tokens("prompt_tokens")
        .zip(tokens("completion_tokens"))
        .map(|(read, written)| TokenUsage::new(read, written, tokens("total_tokens")));
    let accepted = matches!(usage, Some(Ok(_)));
    vector.check(&object([("accepted", Value::Bool(accepted))]))
}

fn judged(
    spec: MetricSpec,
    response_path: Option<ResponsePath>,
    ground_truth: &str,
    reply: &str,
) -> MetricVerdict {
    let metric = Metric {
        name: "m".to_owned(),
        kind: MetricKind::Standard,
        threshold: None,
        fail_on_error: false,
        response_path,
        spec,
    };
    let turn = TurnPlan {
        index: 0,
        input: "q".to_owned(),
        ground_truth: Some(ground_truth.to_owned()),
        expected_tools: None,
        files: Vec::new(),
        retrieval_context: None,
        turn_config: None,
        metrics: Arc::new([metric]),
    };
    let record = TurnRecord {
        response: Some(reply.to_owned()),
        ..TurnRecord::unsent(TurnEnd::Replied)
    };
    judge(&turn, &record, &Grades::default()).metrics.remove(0)
}

fn is_set(settings: &Value, name: &str) -> bool {
    *field(settings, name) == Value::Bool(true)
}

fn decimal(value: &Value, default: &str) -> Decimal {
    let numeral = match value {
        Value::Number(number) => number.lexeme(),
        _ => default,
    };
    Decimal::parse(numeral).expect("tolerances of vectors are numbers")
}

fn score(verdict: &MetricVerdict) -> Value {
    Value::from_json(&format!("{:?}", verdict.score)).expect("a score is a JSON number")
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(
        fields
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect::<Object>(),
    )
}
