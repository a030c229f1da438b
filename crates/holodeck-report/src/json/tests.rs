use expect_test::expect;
use holodeck_model::outcome::{CaseOutcome, TurnOutcome};
use holodeck_model::plan::MetricKind;
use holodeck_model::record::{ToolInvocation, TurnEnd};
use holodeck_model::verdict::MetricVerdict;
use holodeck_value::{Number, Object, Value};
use proptest::prelude::*;

use crate::sample::{self, TurnOutcomeExt as _};
use crate::{Format, rollup, wire};

fn report(cases: &[CaseOutcome]) -> String {
    let mut out = Vec::new();
    let mut iter = cases.iter().cloned().map(Ok);
    Format::Json
        .write(
            &sample::header(),
            &sample::summary(cases),
            &mut iter,
            &mut out,
        )
        .unwrap();
    String::from_utf8(out).unwrap()
}

#[track_caller]
fn check(cases: &[CaseOutcome]) {
    let results = cases.iter().map(rollup::case).collect();
    let whole = sample::header().report(results, sample::summary(cases).wire());
    let text = report(cases);
    assert_eq!(text, serde_json::to_string_pretty(&whole).unwrap() + "\n");
    assert_eq!(
        serde_json::from_str::<wire::TestReport>(&text).unwrap(),
        whole
    );
}

#[test]
fn the_text_is_that_of_the_wire_types() {
    check(&sample::cases());
    check(&[]);
}

#[test]
fn every_field_is_there_and_null_when_unset() {
    let turn = sample::turn("what is the difference?", "25587")
        .called(
            "subtract",
            r#"{"a": 206588.00, "b": 12345678901234567890123, "c": 1E400}"#,
            r#""25587""#,
        )
        .graded("numeric", 1.0, "25587", "expected 25587, got 25587")
        .expects(
            r#"{"name": "subtract", "args": {"a": 206588}}"#,
            "subtract(a=206588)",
            None,
        );
    expect![[r#"
        {
          "agent_name": "financial-assistant",
          "agent_config_path": "agent.yaml",
          "results": [
            {
              "test_name": "convfinqa-0",
              "test_input": "what is the difference?",
              "processed_files": [],
              "agent_response": "25587",
              "tool_calls": [
                "subtract"
              ],
              "tool_invocations": [
                {
                  "name": "subtract",
                  "args": {
                    "a": 206588.00,
                    "b": 12345678901234567890123,
                    "c": 1E400
                  },
                  "result": "25587",
                  "bytes": 7,
                  "duration_ms": 3,
                  "error": null
                }
              ],
              "expected_tools": [
                {
                  "name": "subtract",
                  "args": {
                    "a": 206588
                  }
                }
              ],
              "tools_matched": true,
              "metric_results": [
                {
                  "metric_name": "numeric",
                  "kind": "standard",
                  "score": 1.0,
                  "threshold": null,
                  "passed": true,
                  "scale": "0-1",
                  "error": null,
                  "retry_count": 0,
                  "evaluation_time_ms": 0,
                  "model_used": null,
                  "reasoning": "[turn 0] expected 25587, got 25587",
                  "n_turns": 1
                }
              ],
              "ground_truth": null,
              "passed": true,
              "execution_time_ms": 300,
              "errors": [],
              "timestamp": "2026-12-01T02:47:12.000000+00:00",
              "token_usage": {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "total_tokens": 15,
                "cache_creation_tokens": 0,
                "cache_read_tokens": 0
              },
              "turns": [
                {
                  "turn_index": 0,
                  "input": "what is the difference?",
                  "response": "25587",
                  "ground_truth": "25587",
                  "expected_tools": [
                    {
                      "name": "subtract",
                      "args": {
                        "a": 206588
                      }
                    }
                  ],
                  "tool_calls": [
                    "subtract"
                  ],
                  "tool_invocations": [
                    {
                      "name": "subtract",
                      "args": {
                        "a": 206588.00,
                        "b": 12345678901234567890123,
                        "c": 1E400
                      },
                      "result": "25587",
                      "bytes": 7,
                      "duration_ms": 3,
                      "error": null
                    }
                  ],
                  "tools_matched": true,
                  "arg_match_details": [
                    {
                      "expected_tool": "subtract",
                      "args_asserted": {
                        "a": 206588
                      },
                      "matched_call_index": 0,
                      "unmatched_reason": null
                    }
                  ],
                  "metric_results": [
                    {
                      "metric_name": "numeric",
                      "kind": "standard",
                      "score": 1.0,
                      "threshold": null,
                      "passed": true,
                      "scale": "0-1",
                      "error": null,
                      "retry_count": 0,
                      "evaluation_time_ms": 0,
                      "model_used": null,
                      "reasoning": "expected 25587, got 25587",
                      "n_turns": 1
                    }
                  ],
                  "passed": true,
                  "execution_time_ms": 300,
                  "token_usage": {
                    "prompt_tokens": 10,
                    "completion_tokens": 5,
                    "total_tokens": 15,
                    "cache_creation_tokens": 0,
                    "cache_read_tokens": 0
                  },
                  "errors": [],
                  "skipped": false,
                  "grader_details": null,
                  "asserted": true,
                  "infrastructure_error": false
                }
              ],
              "index": 0,
              "case_key": "convfinqa-0",
              "occurrence": 0,
              "infrastructure_error": false,
              "arg_match_details": null,
              "grader_details": null
            }
          ],
          "summary": {
            "total_tests": 1,
            "passed": 1,
            "failed": 0,
            "pass_rate": 100.0,
            "total_duration_ms": 300,
            "metrics_evaluated": {
              "numeric": 1
            },
            "average_scores": {
              "numeric": 1.0
            },
            "turns": 1,
            "turns_passed": 1,
            "turns_skipped": 0,
            "turns_unasserted": 0,
            "infrastructure_errors": 0,
            "not_run": 0,
            "complete": true,
            "wall_time_ms": 12340,
            "token_usage": {
              "prompt_tokens": 10,
              "completion_tokens": 5,
              "total_tokens": 15,
              "cache_creation_tokens": 0,
              "cache_read_tokens": 0
            }
          },
          "timestamp": "2026-12-01T02:47:11.632825+00:00",
          "holodeck_version": "0.1.0",
          "environment": {
            "execution_config": {
              "llm_timeout": 30
            }
          },
          "run_id": "01J"
        }
    "#]]
    .assert_eq(&report(&[sample::case(0, "convfinqa-0", vec![turn])]));
}

#[test]
fn a_report_that_could_not_be_read_to_its_end_is_an_error() {
    let mut cases = vec![
        Ok(sample::cases().remove(0)),
        Err(std::io::Error::other("torn")),
    ]
    .into_iter();
    let (header, summary) = (sample::header(), sample::summary(&[]));
    let mut out = Vec::new();
    let error = Format::Json.write(&header, &summary, &mut cases, &mut out);
    assert_eq!(error.unwrap_err().to_string(), "torn");
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,4})?"
            .prop_map(|n| Value::Number(Number::from_lexeme(&n).unwrap())),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Object>())),
        ]
    })
}

prop_compose! {
    fn metric()(
        name in "[ab]", score in any::<f64>(), passed in any::<bool>(), why in any::<Option<String>>(), details in prop::option::of(value()),
    ) -> MetricVerdict {
        MetricVerdict {
            name,
            kind: MetricKind::Code,
            score,
            threshold: why.as_ref().map(|_| score),
            passed,
            error: None,
            reasoning: why,
            evaluation_time_ms: 1,
            model_used: None,
            details,
            output: None,
            fails_case: false,
        }
    }
}

prop_compose! {
    fn turn()(
        input in any::<String>(), answer in any::<String>(), args in value(), result in value(),
        metrics in prop::collection::vec(metric(), 0..3), held in any::<Option<bool>>(), end in 0..3,
    ) -> TurnOutcome {
        let mut turn = sample::turn(&input, &answer);
        turn.record.end = match end {
            0 => TurnEnd::TimedOut,
            _ => TurnEnd::Replied,
        };
        turn.record.tool_invocations.push(ToolInvocation {
            name: answer,
            args,
            result,
            error: None,
            duration_ms: None,
        });
        turn.verdict.metrics = metrics;
        match held {
            None => turn,
            Some(held) => turn.expects(r#"{"name": "f", "args": {}}"#, "f()", (!held).then_some("no")),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_report_reads_back_equal(turns in prop::collection::vec(turn(), 0..4), single in any::<bool>()) {
        let mut case = sample::case(0, "a", turns);
        case.single_turn = single && case.turns.len() == 1;
        check(&[case.clone(), case]);
    }

    #[test]
    fn the_roll_up_of_one_turn_is_that_turn(turn in turn()) {
        let of_turn = rollup::turn(&turn);
        let case = rollup::case(&sample::single(0, "a", turn));
        prop_assert_eq!(&case.test_input, &of_turn.input);
        prop_assert_eq!(case.agent_response, of_turn.response);
        prop_assert_eq!(case.ground_truth, of_turn.ground_truth);
        prop_assert_eq!(case.expected_tools, of_turn.expected_tools);
        prop_assert_eq!(case.tool_calls, of_turn.tool_calls);
        prop_assert_eq!(case.tool_invocations, of_turn.tool_invocations);
        prop_assert_eq!(case.tools_matched, of_turn.tools_matched);
        prop_assert_eq!(case.arg_match_details, of_turn.arg_match_details);
        prop_assert_eq!(case.grader_details, of_turn.grader_details);
        prop_assert_eq!(case.passed, of_turn.passed);
        prop_assert_eq!(case.execution_time_ms, of_turn.execution_time_ms);
        prop_assert_eq!(case.errors, of_turn.errors);
        prop_assert_eq!(case.token_usage, of_turn.token_usage);
        // Metrics of different names; two of one name in one turn are made different when they are planned.
        let names: std::collections::BTreeSet<_> = of_turn.metric_results.iter().map(|m| &m.metric_name).collect();
        if names.len() == of_turn.metric_results.len() {
            prop_assert_eq!(case.metric_results, of_turn.metric_results);
        }
    }
}
