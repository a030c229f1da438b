use std::time::Duration;

use holodeck_grader::{GraderError, GraderResult};
use holodeck_model::plan::{CodeMetric, MetricKind, MetricSpec, Threshold};
use holodeck_value::{Decimal, Object};

use super::*;
use crate::metric::judge;

fn verdict(answer: Result<GraderResult, GraderError>, threshold: Option<&str>) -> MetricVerdict {
    let metric = Metric {
        name: "f".to_owned(),
        kind: MetricKind::Code,
        threshold: threshold.map(|t| Threshold(Decimal::parse(t).unwrap())),
        fail_on_error: true,
        response_path: None,
        spec: MetricSpec::Code(CodeMetric {
            grader: "m:f".to_owned(),
            timeout_ms: 1,
        }),
    };
    let grade = Grade {
        graded: answer.into(),
        took: Duration::from_micros(2_500),
    };
    judge(&metric, None, "", Some(&grade)).unwrap()
}

#[test]
fn its_own_verdict_beats_the_threshold_and_a_bare_score_meets_it() {
    let passed = |result: GraderResult, threshold| verdict(Ok(result), threshold).passed;
    assert!(passed(
        GraderResult::new(0.0).with_passed(true),
        Some("0.9")
    ));
    assert!(!passed(GraderResult::new(1.0).with_passed(false), None));
    assert!(passed(0.7.into(), Some("0.7")));
    assert!(!passed(0.7.into(), Some("0.7000000000000001")));
    assert!(passed(0.5.into(), None));
    assert!(!passed(0.49.into(), None));
}

#[test]
fn a_grader_that_broke_fails_the_case_and_an_odd_answer_only_its_metric() {
    let raised = GraderError::Raised {
        kind: "ValueError".to_owned(),
        message: "no program".to_owned(),
        trace: Some("line 3".to_owned()),
    };
    let broke = verdict(Err(raised), Some("0"));
    assert_eq!(broke.error.as_deref(), Some("ValueError: no program"));
    assert!(!broke.passed && broke.fails_case);
    assert_eq!(broke.output.unwrap().trace, "line 3");
    assert_eq!(broke.evaluation_time_ms, 2);

    for odd in [1.5, -0.1, f64::NAN] {
        let odd = verdict(Ok(GraderResult::new(odd).with_passed(true)), Some("0"));
        assert!(!odd.passed && !odd.fails_case && odd.error.is_some());
        assert!(odd.score.abs() < f64::EPSILON);
    }
}

#[test]
fn reason_and_details_are_the_graders() {
    let mut details = Object::new();
    details.insert("k", 1_u64.into());
    let result = GraderResult::from(true)
        .with_reason("so")
        .with_details(details);
    let verdict = verdict(Ok(result), None);
    assert_eq!(verdict.reasoning.as_deref(), Some("so"));
    assert_eq!(verdict.details.unwrap().to_json(), r#"{"k":1}"#);
    assert_eq!(verdict.output, None);
}
