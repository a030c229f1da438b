//! Graders that do everything wrong, in the real program at `-p 4`: each costs its own metric on its own turn and nothing else.

use std::path::Path;

use holodeck_tests::processes::{MARK, marked};
use holodeck_tests::program::{self, Folder};
use holodeck_tests::{has_python, library, root};
use serde_json::{Value, json};

/// What comes of a grader.
enum Comes {
    /// It answers, and the metric passes.
    True,
    /// It answers, and the metric fails without an error.
    False,
    /// It breaks, and the error says this.
    Error(&'static str),
}
use Comes::{Error, False, True};

const TOO_LATE: Comes = Error("grader timed out after 1000 ms");

const PYTHON: &[(&str, Comes)] = &[
    ("ends:segfault", Error("signal 11 (SIGSEGV)")),
    ("ends:null_write", Error("signal 11 (SIGSEGV)")),
    ("ends:abort", Error("signal 6 (SIGABRT)")),
    ("ends:exit_3", Error("grader crashed: exited with status 3")),
    ("ends:killed", Error("signal 9 (SIGKILL)")),
    ("ends:interrupted", Error("signal 15 (SIGTERM)")),
    (
        "ends:wait_for_a_child_that_kills",
        Error("signal 9 (SIGKILL)"),
    ),
    (
        "ends:close_everything",
        Error("grader crashed: exited with status"),
    ),
    ("hangs:loop", TOO_LATE),
    ("hangs:in_c", TOO_LATE),
    ("hangs:deaf", TOO_LATE),
    ("hangs:with_child", TOO_LATE),
    ("hangs:with_setsid_child", TOO_LATE),
    ("hangs:with_daemon", TOO_LATE),
    ("hangs:with_stopped_child", TOO_LATE),
    ("hangs:threads", TOO_LATE),
    ("hangs:asleep", TOO_LATE),
    ("hangs:leaves_a_child", True),
    ("prints:fake_answers", False),
    ("prints:garbage", False),
    ("prints:flood", False),
    ("prints:to_every_descriptor", Error("`garbage`")),
    ("prints:closes_stdout", False),
    ("prints:replaces_stdout", False),
    ("prints:redirects_stdout", False),
    ("prints:says_hello", True),
    ("prints:reads_stdin", True),
    ("prints:forks", True),
    ("prints:changes_folder", True),
    ("prints:folder", True),
    ("raises:value_error", Error("ValueError: no program")),
    ("raises:no_message", Error("KeyError")),
    ("raises:system_exit", Error("SystemExit: enough")),
    ("raises:keyboard_interrupt", Error("KeyboardInterrupt")),
    (
        "raises:recursion",
        Error("RecursionError: maximum recursion"),
    ),
    ("raises:mute", Error("Mute: ")),
    ("raises:long", Error("ValueError: xxx")),
    ("raises:half_a_pair", Error("ValueError: ")),
    ("raises:awaited", Error("OSError: on the way")),
    ("raises:generator_exit", Error("GeneratorExit")),
    ("raises:memory", Error("MemoryError")),
    ("raises:deep_chain", Error("ValueError: 1999")),
    ("raises:mutate_call", Error("TypeError: ")),
    ("raises:mutate_inner", Error("the context is read-only")),
    ("raises:mutate_config", Error("the context is read-only")),
    ("raises:mutate_field", Error("FrozenInstanceError: ")),
    (
        "returns:generator",
        Error("bad result: grader returned generator"),
    ),
];

const NATIVE: &[(&str, Comes)] = &[
    ("good", True),
    ("raises", Error("error: invalid digit found in string")),
    ("panics", Error("panic: at the disco")),
    ("segfaults", Error("signal 11 (SIGSEGV)")),
    ("exits", Error("grader crashed: exited with status 3")),
    ("aborts", Error("signal 6 (SIGABRT)")),
    ("recurses", Error("signal ")),
    ("loops", TOO_LATE),
    ("loops_with_child", TOO_LATE),
    ("loops_with_escaped_child", TOO_LATE),
    ("leaves_child", True),
    ("not_a_number", Error("bad result: score is NaN")),
    ("too_much", Error("bad result: score is 1.5")),
    ("nan_in_details", Error("bad result: details hold NaN")),
    ("huge", Error("over 64 MiB")),
    ("big_details", True),
    ("fakes_protocol", False),
    ("writes_garbage", False),
    ("floods", False),
    ("closes_descriptors", Error("signal 6 (SIGABRT)")),
];

/// A suite in which each grader judges the second of three turns, between metrics and turns that pass: `good` is a grader that does.
fn suite(graders: &[(String, &Comes)], good: &str, folders: &[&Path]) -> Folder {
    let after = json!({"grader": good, "name": "after"});
    let good = json!({"grader": good});
    let cases: Vec<Value> = graders
        .iter()
        .map(|(grader, comes)| {
            let is_late = matches!(comes, Error(words) if words.contains("timed out"));
            let timeout_ms = if is_late { 1_000 } else { 30_000 };
            let hostile = json!({"grader": grader, "name": "hostile", "timeout_ms": timeout_ms});
            json!({"name": grader, "evaluations": [good], "turns": [
                {"input": "one"},
                {
                    "input": "two", "ground_truth": "2", "turn_config": {"score": 1},
                    "expected_tools": ["tool"],
                    "evaluations": [good, hostile, {"metric": "numeric"}, after],
                },
                {"input": "three"},
            ]})
        })
        .collect();
    let agent = json!({
        "name": "hostile",
        "model": {"provider": "scripted", "name": "replies.yaml"},
        "instructions": {"inline": "hi"},
        "execution": {"grader_path": folders},
        "test_cases": cases,
    });
    let call = json!({"name": "tool", "args": {"list": [1]}});
    let replies = json!({"default": [{"response": "1"}, {"response": "2", "tool_calls": [call]}, {"response": "3"}]});
    Folder::with(&[
        ("agent.yaml", &agent.to_string()),
        ("replies.yaml", &replies.to_string()),
        ("good.py", "def yes(ctx):\n    return True\n"),
    ])
}

/// Plays it and holds everything against what is expected.
fn play(graders: &[(String, &Comes)], good: &str, folders: &[&Path]) {
    let folder = suite(graders, good, folders);
    let mark = format!("hostile-{}-{}", std::process::id(), graders[0].0);
    let args = ["test", "agent.yaml", "-p", "4", "--output", "report.json"];
    let run = program::run(folder.command(args).env(MARK, &mark));
    run.must_exit(1);
    let left = marked(&mark);
    assert!(left.is_empty(), "left behind: {left:?}");
    let report = folder.json("report.json");
    assert_eq!(report["summary"]["total_tests"], graders.len());
    let mut unexpected = Vec::new();
    for (i, (grader, comes)) in graders.iter().enumerate() {
        let case = &report["results"][i];
        let turns = &case["turns"];
        let metric = |turn: usize, at: usize| &turns[turn]["metric_results"][at];
        for (turn, at) in [(0, 0), (1, 0), (1, 2), (1, 3), (2, 0)] {
            let other = metric(turn, at);
            assert_eq!(other["passed"], true, "beside {grader}: {other}");
        }
        assert_eq!(turns[1]["tools_matched"], true, "beside {grader}");
        assert_eq!(
            turns[1]["tool_invocations"][0]["args"],
            json!({"list": [1]})
        );
        let hostile = metric(1, 1);
        let error = hostile["error"].as_str();
        let as_expected = match comes {
            True => hostile["passed"] == true && error.is_none(),
            False => hostile["passed"] == false && error.is_none(),
            Error(words) => {
                hostile["passed"] == false
                    && hostile["score"] == 0.0
                    && error.is_some_and(|error| error.contains(words))
            }
        };
        if !as_expected {
            let shown: String = hostile.to_string().chars().take(400).collect();
            unexpected.push(format!("{grader}: {shown}"));
        }
    }
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
}

#[test]
fn hostile_python_graders_cost_their_own_metric_only() {
    if !has_python() {
        return;
    }
    let graders: Vec<_> = PYTHON.iter().map(|(g, c)| ((*g).to_owned(), c)).collect();
    let folder = root().join("tests/graders/hostile_python");
    play(&graders, "good:yes", &[&folder]);
}

#[test]
fn hostile_native_graders_cost_their_own_metric_only() {
    let graders: Vec<_> = NATIVE
        .iter()
        .map(|(grader, comes)| (format!("hostile_native:{grader}"), comes))
        .collect();
    let folder = library::hostile().parent().unwrap();
    play(&graders, "hostile_native:good", &[folder]);
}
