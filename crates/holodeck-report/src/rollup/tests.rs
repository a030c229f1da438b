use super::case;
use crate::sample::{self, TurnOutcomeExt as _, skipped, turn};

#[test]
fn a_metric_rolls_up_over_the_turns_that_ran_it() {
    let told = case(&sample::case(
        0,
        "a",
        vec![
            turn("1", "x").graded("numeric", 1.0, "1", "yes"),
            turn("2", "x"),
            turn("3", "x")
                .graded("numeric", 0.0, "1", "no")
                .graded("equality", 1.0, "1", "yes"),
        ],
    ));
    let scores = told
        .metric_results
        .iter()
        .map(|m| (m.metric_name.as_str(), m.score, m.passed, m.n_turns));
    assert_eq!(
        scores.collect::<Vec<_>>(),
        [
            ("numeric", 0.5, Some(false), 2),
            ("equality", 1.0, Some(true), 1)
        ]
    );
    assert_eq!(
        told.metric_results[0].reasoning.as_deref(),
        Some("[turn 0] yes\n[turn 2] no")
    );
    assert_eq!(told.test_input, "1\n---\n2\n---\n3");
    assert_eq!(told.ground_truth, None);
    assert!(!told.passed);
}

#[test]
fn a_threshold_that_turns_share_stays() {
    let with_threshold = |threshold| {
        let mut turn = turn("1", "x").graded("m", 1.0, "1", "yes");
        turn.verdict.metrics[0].threshold = threshold;
        turn
    };
    let threshold = |a, b| {
        let turns = vec![with_threshold(a), with_threshold(b)];
        case(&sample::case(0, "a", turns)).metric_results[0].threshold
    };
    assert_eq!(threshold(Some(0.5), Some(0.5)), Some(0.5));
    assert_eq!(threshold(Some(0.5), Some(0.6)), None);
    assert_eq!(threshold(Some(0.5), None), None);
}

#[test]
fn tools_of_all_turns_come_together() {
    let told = case(&sample::case(
        0,
        "a",
        vec![
            turn("1", "x")
                .expects("\"s\"", "s", None)
                .called("s", "{}", "null"),
            turn("2", "x"),
            turn("3", "x").expects("\"t\"", "t", Some("no call to 't' found")),
            skipped("4", "stopped").expects("\"u\"", "u", None),
        ],
    ));
    let expected = ["s", "t", "u"].map(holodeck_value::Value::from).to_vec();
    assert_eq!(told.expected_tools, Some(expected));
    assert_eq!(told.tools_matched, Some(false));
    assert_eq!(told.tool_calls, ["s"]);
    assert_eq!(
        told.errors,
        [
            "[turn 2] expected tool(s) not called in this turn: t",
            "[turn 3] skipped: stopped"
        ]
    );
    assert_eq!(told.agent_response, None);
    let nothing = case(&sample::case(0, "a", vec![turn("1", "x")]));
    assert_eq!(
        (nothing.expected_tools, nothing.tools_matched),
        (None, None)
    );
}

#[test]
fn a_case_that_could_not_be_played_says_why_first() {
    let told = case(&sample::cases()[3]);
    assert_eq!(
        told.errors,
        [
            "its session could not be opened: connection refused",
            "[turn 0] skipped: no session"
        ]
    );
    assert!(!told.passed && told.infrastructure_error);
}
