use std::sync::Arc;

use holodeck_match::{ArgMatcher, ExpectedCall, Form};
use holodeck_model::plan::{
    CodeMetric, Equality, Metric, MetricKind, MetricSpec, Numeric, Threshold, TurnPlan,
};
use holodeck_model::record::{TokenUsage, ToolInvocation, TurnEnd, TurnRecord};
use holodeck_model::verdict::TurnVerdict;
use holodeck_value::{Decimal, Value};

use super::Grades;

fn judge(turn: &TurnPlan, record: &TurnRecord) -> TurnVerdict {
    super::judge(turn, record, &Grades::default())
}

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

fn metric(spec: MetricSpec, threshold: Option<&str>) -> Metric {
    Metric {
        name: "m".to_owned(),
        kind: MetricKind::Standard,
        threshold: threshold.map(|t| Threshold(decimal(t))),
        fail_on_error: true,
        response_path: None,
        spec,
    }
}

fn numeric() -> MetricSpec {
    MetricSpec::Numeric(Numeric {
        absolute_tolerance: decimal("0.000001"),
        relative_tolerance: decimal("0"),
        accept_percent: false,
        accept_thousands_separators: false,
        extract: None,
    })
}

fn turn(ground_truth: Option<&str>, metrics: Vec<Metric>) -> TurnPlan {
    TurnPlan {
        index: 0,
        input: "q".to_owned(),
        ground_truth: ground_truth.map(str::to_owned),
        expected_tools: None,
        files: Vec::new(),
        retrieval_context: None,
        turn_config: None,
        metrics: metrics.into(),
    }
}

fn record(end: TurnEnd, response: Option<&str>) -> TurnRecord {
    TurnRecord {
        response: response.map(str::to_owned),
        usage: None::<TokenUsage>,
        ..TurnRecord::unsent(end)
    }
}

fn replied(response: &str) -> TurnRecord {
    record(TurnEnd::Replied, Some(response))
}

fn call(name: &str, args: &str) -> ToolInvocation {
    ToolInvocation {
        name: name.to_owned(),
        args: Value::from_json(args).unwrap(),
        result: Value::Null,
        error: None,
        duration_ms: None,
    }
}

#[test]
fn metric_without_ground_truth_does_not_run() {
    let plan = turn(
        None,
        vec![
            metric(numeric(), None),
            metric(MetricSpec::Equality(Equality::default()), None),
        ],
    );
    assert!(judge(&plan, &replied("x")).metrics.is_empty());
}

#[test]
fn empty_reply_is_judged() {
    let plan = turn(Some("5"), vec![metric(numeric(), None)]);
    let verdict = judge(&plan, &replied(""));
    assert!(!verdict.metrics[0].passed);
    assert_eq!(
        verdict.metrics[0].error.as_deref(),
        Some("the reply \"\" is not a number (it is empty)")
    );
}

#[test]
fn turn_that_was_not_answered_is_not_judged() {
    let mut plan = turn(Some("5"), vec![metric(numeric(), None)]);
    plan.expected_tools = Some(
        [ExpectedCall {
            name: "t".to_owned(),
            args: None,
            count: 1,
            form: Form::Bare,
        }]
        .into(),
    );
    for end in [
        TurnEnd::TimedOut,
        TurnEnd::BackendFailed {
            message: "m".to_owned(),
        },
    ] {
        let verdict = judge(&plan, &record(end, Some("5")));
        assert!(verdict.metrics.is_empty() && verdict.tools.is_empty());
    }
}

#[test]
fn threshold_beats_the_verdict_but_not_an_unreadable_reply() {
    let plan = turn(
        Some("5"),
        vec![
            metric(numeric(), Some("0")),
            metric(numeric(), Some("1.0000000000000000001")),
        ],
    );
    let wrong = judge(&plan, &replied("6"));
    assert!(wrong.metrics[0].passed);
    let right = judge(&plan, &replied("5"));
    assert!(!right.metrics[1].passed, "{:?}", right.metrics[1]);
    let unreadable = judge(&plan, &replied("five"));
    assert!(!unreadable.metrics[0].passed);
    assert!(!unreadable.metrics[0].fails_case);
}

#[test]
fn unreadable_ground_truth_fails_the_case_where_asked() {
    let plan = turn(Some("yes"), vec![metric(numeric(), None)]);
    assert!(judge(&plan, &replied("5")).metrics[0].fails_case);
}

#[test]
fn metric_of_a_later_version_never_passes() {
    let spec = MetricSpec::Deferred {
        metric: "bleu".to_owned(),
        needs_ground_truth: true,
    };
    let plan = turn(Some("x"), vec![metric(spec, Some("0"))]);
    assert!(!judge(&plan, &replied("x")).metrics[0].passed);
}

#[test]
fn grader_that_was_not_called_never_passes() {
    let spec = MetricSpec::Code(CodeMetric {
        grader: "m:f".to_owned(),
        timeout_ms: 1,
    });
    let plan = turn(None, vec![metric(spec, Some("0"))]);
    let verdict = judge(&plan, &replied("x"));
    assert!(!verdict.metrics[0].passed);
    assert_eq!(
        verdict.metrics[0].error.as_deref(),
        Some("the grader `m:f` was not called")
    );
}

#[test]
fn tool_verdict_tells_the_entry_and_the_reason() {
    let entry = ExpectedCall {
        name: "subtract".to_owned(),
        args: Some(vec![(
            "a".to_owned(),
            ArgMatcher::Literal(Value::from_json("206588").unwrap()),
        )]),
        count: 1,
        form: Form::Object,
    };
    let mut plan = turn(None, Vec::new());
    plan.expected_tools = Some(Arc::new([entry]));
    let mut record = replied("x");
    let long = format!("{{\"a\": \"{}\"}}", "y".repeat(10_000));
    record.tool_invocations = vec![call("subtract", &long)];
    let verdict = judge(&plan, &record);
    let tool = &verdict.tools[0];
    assert!(!tool.passed);
    assert_eq!(tool.matched_call_index, None);
    let asserted = tool.args_asserted.as_ref().unwrap();
    assert_eq!(
        asserted.get("a"),
        Some(&Value::from_json("206588").unwrap())
    );
    assert!(tool.unmatched_reason.as_ref().unwrap().len() < 500);

    record
        .tool_invocations
        .push(call("mcp__subtract", r#"{"a": 206588.0, "b": 1}"#));
    let verdict = judge(&plan, &record);
    assert_eq!(verdict.tools[0].matched_call_index, Some(1));
    assert_eq!(verdict.tools[0].unmatched_reason, None);
}
