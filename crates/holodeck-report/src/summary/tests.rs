use super::Summary;
use crate::sample::{self, TurnOutcomeExt as _, turn};

#[test]
fn metrics_come_in_file_order_whatever_finished_first() {
    let cases = [
        sample::case(0, "a", vec![turn("q", "x").graded("z", 1.0, "1", "")]),
        sample::case(
            1,
            "b",
            vec![
                turn("q", "x")
                    .graded("a", 0.1, "1", "")
                    .graded("z", 0.0, "1", ""),
            ],
        ),
        sample::case(2, "c", vec![turn("q", "x").graded("b", 0.7, "1", "")]),
    ];
    let mut backwards = Summary::new(3);
    for case in cases.iter().rev() {
        backwards.add(case);
    }
    let forwards = sample::summary(&cases).wire();
    let keys: Vec<&String> = forwards.average_scores.keys().collect();
    assert_eq!(keys, ["z", "a", "b"]);
    backwards.wall_time_ms = forwards.wall_time_ms;
    assert_eq!(
        serde_json::to_string(&backwards.wire()).unwrap(),
        serde_json::to_string(&forwards).unwrap()
    );
}

#[test]
fn an_empty_run_has_no_rate_to_be_proud_of() {
    let wire = Summary::new(0).wire();
    assert!(wire.complete && wire.pass_rate == 0.0);
    assert!(!Summary::new(1).is_complete());
}

#[test]
fn what_failed_is_told_apart_from_what_broke() {
    let summary = sample::summary(&sample::cases());
    assert_eq!(summary.n_cases_failed(), 4);
    assert_eq!(summary.n_cases_in_error, 2);
    assert_eq!(summary.n_infrastructure_errors(), 2);
    assert_eq!(summary.n_turns_skipped, 3);
    assert_eq!(summary.n_turns_replied, 7);
}
