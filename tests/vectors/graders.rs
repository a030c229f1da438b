//! What a grader returns, and what becomes of it.

use std::sync::LazyLock;
use std::time::Duration;

use holodeck_grader::{GraderContext, GraderError, GraderResult, Object, Value};
use holodeck_grader_host::native::Library;
use holodeck_grader_host::{GraderHost, HostConfig};
use holodeck_tests::library;
use holodeck_tests::vector::Vector;
use tokio::runtime::Runtime;

/// `{returns, threshold}`: `returns` in the words of Python.
pub(crate) fn python(vector: &Vector) -> Result<(), String> {
    let python = answered_in_python(vector.text("returns"));
    if let Err(GraderError::Raised { kind, message, .. }) = &python
        && kind == "KeyError"
    {
        return Err(format!("tests/graders/answers.py has no {message}"));
    }
    vector.check(&told(python, vector))
}

/// The same of a native grader.
pub(crate) fn native(vector: &Vector) -> Result<(), String> {
    let returns = vector.text("returns");
    let native =
        answered_natively(returns).ok_or(format!("`{returns}` is said in no other language"))?;
    vector.check(&told(native, vector))
}

/// The grader in Python that answers so. Its workers serve all vectors and end with this process.
fn answered_in_python(returns: &str) -> Result<GraderResult, GraderError> {
    static HOST: LazyLock<(Runtime, GraderHost)> = LazyLock::new(|| {
        let runtime = Runtime::new().expect("a runtime");
        let folder = holodeck_tests::root().join("tests/graders");
        (runtime, GraderHost::new(HostConfig::new(vec![folder])))
    });
    let (runtime, host) = &*HOST;
    runtime.block_on(async {
        let grader = host.resolve("answers:answer").await.expect("it is there");
        let context = GraderContext::new(returns, "a");
        grader.grade(&context, Duration::from_secs(30)).await.result
    })
}

/// As the report tells it.
fn told(judged: Result<GraderResult, GraderError>, vector: &Vector) -> Value {
    let threshold = match vector.input("threshold") {
        Value::Number(number) => Some(number.as_f64()),
        _ => None,
    };
    let is_error = judged.is_err();
    let escalates = judged.as_ref().is_err_and(GraderError::escalates);
    let result = judged.unwrap_or_else(|_| GraderResult::from(false));
    let told = serde_json::json!({
        "score": result.score,
        "passed": result.passes(threshold),
        "error": is_error,
        "details": result.details,
        "escalates_if_fail_on_error": escalates,
        "kind": "code",
        "reason": result.reason,
    });
    Value::from_json(&told.to_string()).expect("serde_json writes JSON")
}

/// What a native grader does that answers the same, as far as it can.
fn answered_natively(returns: &str) -> Option<Result<GraderResult, GraderError>> {
    let json = match returns {
        "true" | "true with threshold 2" => r#"{"score": 1.0, "passed": true}"#,
        "false" => r#"{"score": 0.0, "passed": false}"#,
        "0.7" | "0.7 thr 0.8" => r#"{"score": 0.7}"#,
        "0.8 thr 0.8" => r#"{"score": 0.8}"#,
        "0.49" => r#"{"score": 0.49}"#,
        "int 1" => r#"{"score": 1}"#,
        "int 0" => r#"{"score": 0}"#,
        "result passed" => {
            r#"{"score": 1.0, "passed": true, "reason": "r", "details": {"foo": "bar"}}"#
        }
        "result passed true with low score and threshold" => r#"{"score": 0.0, "passed": true}"#,
        "result none" | "result none thr" => r#"{"score": 0.6}"#,
        "empty details" => r#"{"score": 1.0, "passed": true, "details": {}}"#,
        "7.0" => r#"{"score": 7.0}"#,
        "-3 passed True" => r#"{"score": -3, "passed": true}"#,
        "details with NaN" => return Some(called("nan_in_details", "{}")),
        "raises custom" => return Some(called("raises", "{}")),
        "raises AssertionError" => return Some(called("panics", "{}")),
        // The types of Rust forbid these; bytes of a library in C do not.
        "dict" => return Some(read(r#"{"a": 1}"#)),
        "list" | "tuple" => return Some(read("[1.0]")),
        "score is a string" => return Some(read(r#"{"score": "1.0"}"#)),
        "passed is a string" => return Some(read(r#"{"score": 1.0, "passed": "no"}"#)),
        "details not a dict" => return Some(read(r#"{"score": 1.0, "details": [1]}"#)),
        "details not JSON" | "circular details" => {
            return Some(read(r#"{"score": 1.0, "details": {"x": <object>}}"#));
        }
        _ => return None,
    };
    Some(called("config", json))
}

fn read(json: &str) -> Result<GraderResult, GraderError> {
    Ok(GraderResult::from_json(json.as_bytes())?)
}

/// Calls a grader of the hostile library, its `turn_config` being `config`.
fn called(function: &str, config: &str) -> Result<GraderResult, GraderError> {
    let library = Library::open(library::hostile()).expect("the hostile library opens");
    let grader = library.grader(function).expect("it has the grader");
    let mut context = GraderContext::new("q", "a");
    context.turn_config = match Value::from_json(config).expect("a mapping") {
        Value::Object(config) => config,
        _ => Object::new(),
    };
    tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime")
        .block_on(grader.grade(&context, Duration::from_secs(10)))
        .result
}
