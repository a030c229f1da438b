//! Cases for tests: one of each kind that a report must tell well.

use holodeck_model::outcome::{CaseOutcome, TurnOutcome};
use holodeck_model::plan::{CaseId, MetricKind};
use holodeck_model::record::{TokenUsage, ToolInvocation, TurnEnd, TurnRecord};
use holodeck_model::verdict::{MetricVerdict, ToolVerdict, TurnVerdict};
use holodeck_value::Value;

use crate::{Header, Rerun, Summary};

pub(crate) fn json(text: &str) -> Value {
    Value::from_json(text).unwrap()
}

pub(crate) fn header() -> Header {
    let words = ["holodeck", "test", "agent.yaml"]
        .map(str::to_owned)
        .to_vec();
    let names = ["chit-chat", "convfinqa-0", "convfinqa-1", "it's <b>|`x`"];
    Header {
        agent_name: "financial-assistant".to_owned(),
        agent_config_path: "agent.yaml".to_owned(),
        timestamp: "2026-12-01T02:47:11.632825+00:00".to_owned(),
        holodeck_version: "0.1.0".to_owned(),
        environment: json(r#"{"execution_config": {"llm_timeout": 30}}"#)
            .as_object()
            .unwrap()
            .clone(),
        run_id: Some("01J".to_owned()),
        answered_by: Some("scripted:replies.yaml".to_owned()),
        rerun: Some(Rerun::new(words).with_names(names)),
    }
}

pub(crate) fn summary(cases: &[CaseOutcome]) -> Summary {
    let mut summary = Summary::new(cases.len() as u64);
    for case in cases {
        summary.add(case);
    }
    summary.wall_time_ms = Some(12_340);
    summary
}

pub(crate) fn case(index: usize, name: &str, turns: Vec<TurnOutcome>) -> CaseOutcome {
    let turns = turns
        .into_iter()
        .enumerate()
        .map(|(index, t)| TurnOutcome { index, ..t })
        .collect();
    CaseOutcome {
        index,
        id: CaseId {
            key: name.to_owned(),
            occurrence: 0,
        },
        name: Some(name.to_owned()),
        single_turn: false,
        started_at: "2026-12-01T02:47:12.000000+00:00".to_owned(),
        error: None,
        turns,
    }
}

pub(crate) fn single(index: usize, name: &str, turn: TurnOutcome) -> CaseOutcome {
    CaseOutcome {
        single_turn: true,
        ..case(index, name, vec![turn])
    }
}

/// A turn that was answered, with nothing asserted.
pub(crate) fn turn(input: &str, response: &str) -> TurnOutcome {
    TurnOutcome {
        index: 0,
        input: input.to_owned(),
        ground_truth: None,
        expected_tools: None,
        asserted: false,
        record: TurnRecord {
            response: Some(response.to_owned()),
            duration_ms: 300,
            usage: Some(TokenUsage::new(10, 5, None).unwrap()),
            ..TurnRecord::unsent(TurnEnd::Replied)
        },
        verdict: TurnVerdict::default(),
    }
}

pub(crate) fn ended(input: &str, end: TurnEnd) -> TurnOutcome {
    TurnOutcome {
        record: TurnRecord::unsent(end),
        ..turn(input, "")
    }
}

pub(crate) fn skipped(input: &str, reason: &str) -> TurnOutcome {
    let reason = reason.to_owned();
    ended(input, TurnEnd::Skipped { reason })
}

impl TurnOutcomeExt for TurnOutcome {
    fn graded(mut self, name: &str, score: f64, ground_truth: &str, why: &str) -> Self {
        self.asserted = true;
        self.ground_truth = Some(ground_truth.to_owned());
        self.verdict.metrics.push(MetricVerdict {
            name: name.to_owned(),
            kind: MetricKind::Standard,
            score,
            threshold: None,
            passed: score >= 1.0,
            error: None,
            reasoning: Some(why.to_owned()),
            evaluation_time_ms: 0,
            model_used: None,
            details: None,
            output: None,
            fails_case: false,
        });
        self
    }

    fn called(mut self, name: &str, args: &str, result: &str) -> Self {
        self.record.tool_invocations.push(ToolInvocation {
            name: name.to_owned(),
            args: json(args),
            result: json(result),
            error: None,
            duration_ms: Some(3),
        });
        self
    }

    fn expects(mut self, expected: &str, summary: &str, miss: Option<&str>) -> Self {
        let expected = json(expected);
        let object = expected.as_object();
        let name = object.map_or(expected.as_str(), |o| o.get("name").unwrap().as_str());
        self.asserted = true;
        if !self.record.end.is_skipped() {
            self.verdict.tools.push(ToolVerdict {
                expected_tool: name.unwrap().to_owned(),
                bare: object.is_none(),
                passed: miss.is_none(),
                args_asserted: object.and_then(|o| o.get("args")?.as_object().cloned()),
                count: 1,
                matched_call_index: miss.is_none().then_some(0),
                unmatched_reason: miss.map(str::to_owned),
                summary: summary.to_owned(),
            });
        }
        self.expected_tools.get_or_insert_default().push(expected);
        self
    }
}

/// What a turn gets on top of being answered.
pub(crate) trait TurnOutcomeExt {
    /// A metric that passed at score 1.
    fn graded(self, name: &str, score: f64, ground_truth: &str, why: &str) -> Self;
    /// A tool call.
    fn called(self, name: &str, args: &str, result: &str) -> Self;
    /// A tool assertion, with the reason why it failed.
    fn expects(self, expected: &str, summary: &str, miss: Option<&str>) -> Self;
}

/// A case of each kind: passed, failed by number and by tool, in error with skipped turns, not playable, single-turn and hostile.
pub(crate) fn cases() -> Vec<CaseOutcome> {
    let strict = r#"{"name": "subtract", "args": {"a": 206588, "b": {"fuzzy": "181001"}}}"#;
    let timed_out = TurnOutcome {
        record: TurnRecord {
            duration_ms: 30_000,
            ..TurnRecord::unsent(TurnEnd::TimedOut)
        },
        ..turn("", "")
    };
    vec![
        case(0, "chit-chat", vec![turn("hi", "Hello!"), turn("who are you?", "An assistant.")]),
        case(
            1,
            "convfinqa-0",
            vec![
                turn("what is the net cash from operating activities in 2009?", "206588").graded(
                    "numeric",
                    1.0,
                    "206588",
                    "expected 206588, got 206588",
                ),
                turn("what about in 2008?", "The net cash from operating activities in 2008 was 181000, in thousands of dollars.").graded(
                    "numeric",
                    0.0,
                    "181001",
                    "expected 181001, got 181000: they differ by 1, more than absolute_tolerance 0.000001",
                ),
                turn("what is the difference?", "25587")
                    .called("mcp__calc__subtract", r#"{"a": 206588.0, "b": "181,000"}"#, "\"25588.0\"")
                    .graded("numeric", 1.0, "25587", "expected 25587, got 25587")
                    .expects(
                        strict,
                        "subtract(a=206588, b≈181001)",
                        Some("arg 'b' mismatch: expected fuzzy \"181001\", got \"181,000\" (nearest is call 1, 'mcp__calc__subtract')"),
                    )
                    .expects("\"lookup\"", "lookup", Some("no call to 'lookup' found; calls made: mcp__calc__subtract")),
            ],
        ),
        case(
            2,
            "convfinqa-1",
            vec![
                turn("and in 2010?", "5").graded("numeric", 1.0, "5", "expected 5, got 5"),
                TurnOutcome {
                    input: "and in 2011?".to_owned(),
                    ..timed_out
                },
                skipped("and then?", "the session is lost"),
                skipped("and after that?", "the session is lost").expects("\"divide\"", "divide", None),
            ],
        ),
        CaseOutcome {
            name: None,
            error: Some("its session could not be opened: connection refused".to_owned()),
            ..case(3, "sha256:0123456789abcdef", vec![skipped("q", "no session")])
        },
        single(
            4,
            "it's <b>|`x`",
            turn("# not a heading\n```\n<script>", "a\u{1b}[31mred\r\n````\n| x |").graded(
                "equality",
                0.0,
                "</details>",
                "expected \"</details>\"",
            ),
        ),
    ]
}
