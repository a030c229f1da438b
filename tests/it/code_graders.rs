//! Code graders in whole runs: what they are told, what their answers do, how they are looked for and how they end.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use holodeck_tests::has_python;
use holodeck_tests::processes::{MARK, marked};
use holodeck_tests::program::{self, Folder, finish};
use serde_json::{Value, json};

const HEAD: &str = "\
name: a
model: {provider: scripted, name: replies.yaml}
instructions: {inline: hi}
";

/// An agent.yaml with this after its head, graders in `g.py`, and an agent that always says the same.
fn folder(rest: &str, graders: &str) -> Folder {
    Folder::with(&[
        ("agent.yaml", &format!("{HEAD}{rest}")),
        ("g.py", graders),
        ("replies.yaml", "default: [{response: the reply}]\n"),
    ])
}

fn report(folder: &Folder, code: i32) -> Value {
    folder
        .run(["test", "agent.yaml", "--output", "report.json"])
        .must_exit(code);
    folder.json("report.json")
}

#[test]
fn a_grader_is_told_the_turn_exactly_and_the_turns_before_it() {
    if !has_python() {
        return;
    }
    let folder = folder(
        "\
test_cases:
  - name: told
    turns:
      - {input: first, ground_truth: '1', evaluations: []}
      - input: second
        ground_truth: g
        retrieval_context: [c]
        expected_tools: [{name: f, args: {a: {regex: '1.*'}}}]
        turn_config: {turn_program: 'add(1, 2)', rate: 1.10}
        evaluations: [{grader: 'g:told'}]
  - {input: alone, evaluations: [{grader: 'g:told'}]}
",
        "\
import json
from holodeck import GraderResult


def told(ctx):
    calls = [
        {'name': c.name, 'args': {k: str(v) for k, v in c.args.items()}, 'result': c.result, 'error': c.error, 'bytes': c.bytes}
        for c in ctx.tool_invocations
    ]
    details = {
        'input': ctx.turn_input, 'reply': ctx.agent_response, 'truth': ctx.ground_truth, 'calls': calls,
        'context': ctx.retrieval_context and list(ctx.retrieval_context), 'index': ctx.turn_index,
        'name': ctx.test_case_name, 'program': ctx.turn_config.get('turn_program'), 'keys': sorted(ctx.turn_config),
        'before': [[t.turn_input, t.agent_response, t.ground_truth, len(t.tool_invocations)] for t in ctx.previous_turns],
    }
    return GraderResult(1.0, details=details)
",
    );
    folder.write(
        "replies.yaml",
        "\
cases:
  told:
    - {response: one, tool_calls: [{name: f, args: {}, result: 1}]}
    - {response: 'two', tool_calls: [{name: f, args: {a: 123456789012345678901234567890}, result: {k: 'é'}}, {name: h, args: {}, error: broke}]}
default: [{response: ''}]
",
    );
    let report = report(&folder, 0);
    assert_eq!(
        report["results"][0]["turns"][1]["grader_details"]["told"],
        json!({
            "input": "second", "reply": "two", "truth": "g",
            "calls": [
                {"name": "f", "args": {"a": "123456789012345678901234567890"}, "result": {"k": "é"}, "error": null, "bytes": 15},
                {"name": "h", "args": {}, "result": null, "error": "broke", "bytes": 4},
            ],
            "context": ["c"], "index": 1, "name": "told", "program": "add(1, 2)",
            "keys": ["evaluations", "expected_tools", "rate", "turn_program"],
            "before": [["first", "one", "1", 1]],
        })
    );
    assert!(
        folder
            .read("report.json")
            .contains("123456789012345678901234567890")
    );
    let alone = &report["results"][1]["grader_details"]["told"];
    assert_eq!(alone["reply"], "", "an empty reply is a reply");
    assert_eq!(alone["keys"], json!(["evaluations"]));
    assert_eq!(alone["name"], Value::Null);
}

#[test]
fn fail_on_error_ends_the_case_and_no_other() {
    if !has_python() {
        return;
    }
    let folder = folder(
        "\
evaluations: {metrics: [{grader: 'g:breaks', fail_on_error: true, timeout_ms: 500}, {grader: 'g:fine'}]}
test_cases:
  - {name: raise, turns: [{input: raise}, {input: q}, {input: q}]}
  - {name: odd, turns: [{input: odd}, {input: q}]}
  - {name: exit, turns: [{input: exit}, {input: q}]}
  - {name: late, turns: [{input: late}, {input: q}]}
  - {name: fine, turns: [{input: q}, {input: q}]}
",
        "\
import os, time


def breaks(ctx):
    if ctx.turn_input == 'raise':
        print('before')
        raise ValueError('no')
    if ctx.turn_input == 'odd':
        return 'odd'
    if ctx.turn_input == 'exit':
        os._exit(3)
    if ctx.turn_input == 'late':
        time.sleep(60)
    return True


def fine(ctx):
    return True
",
    );
    let report = report(&folder, 1);
    let skipped = |case: usize| -> Vec<bool> {
        let turns = report["results"][case]["turns"].as_array().unwrap();
        turns.iter().map(|t| t["skipped"] == true).collect()
    };
    assert_eq!(skipped(0), [false, true, true]);
    assert_eq!(skipped(1), [false, false], "an odd answer ends nothing");
    assert_eq!(skipped(2), [false, true]);
    assert_eq!(skipped(3), [false, true]);
    assert_eq!(report["results"][4]["passed"], true);
    let first = &report["results"][0]["turns"][0];
    assert_eq!(first["response"], "the reply");
    assert_eq!(first["metric_results"][0]["error"], "ValueError: no");
    assert_eq!(first["metric_results"][1]["passed"], true);
    let runs = folder.run(["report", "results/a", "-v"]);
    runs.must_exit(0);
    for told in ["stdout  before", "raise ValueError('no')"] {
        assert!(runs.stdout.contains(told), "{}", runs.stdout);
    }
}

#[test]
fn a_secret_that_a_grader_tells_is_masked_wherever_it_is_written() {
    if !has_python() {
        return;
    }
    let folder = folder(
        "\
execution: {secrets: [VAULT]}
test_cases: [{name: c, input: q, evaluations: [{grader: 'g:tells'}, {grader: 'g:raises'}]}]
",
        "\
import os, sys
from holodeck import GraderResult


def tells(ctx):
    print(os.environ['VAULT'])
    print(os.environ['VAULT'], file=sys.stderr)
    return GraderResult(1.0, reason=os.environ['VAULT'], details={os.environ['VAULT']: os.environ['VAULT']})


def raises(ctx):
    raise ValueError(os.environ['VAULT'])
",
    );
    let mut command = folder.command(["test", "agent.yaml", "-v", "--output", "report.json"]);
    let run = program::run(command.env("VAULT", "hunter2-hunter2"));
    run.must_exit(1);
    let kept = std::fs::read_dir(folder.path("results/a")).unwrap();
    let kept = kept.map(|entry| entry.unwrap().path());
    let journal = kept
        .filter(|path| path.is_dir())
        .map(|p| p.join("journal.jsonl"));
    let journal = folder.read(journal.last().unwrap());
    for told in [&run.stdout, &journal, &folder.read("report.json")] {
        assert!(told.contains("ValueError: ***"), "{told}");
        assert!(!told.contains("hunter2"), "{told}");
    }
    assert!(
        journal.contains(r#""stdout":"***\n","stderr":"***\n""#),
        "{journal}"
    );
}

#[test]
fn graders_of_parallel_cases_keep_nobody_waiting() {
    if !has_python() {
        return;
    }
    let cases: Vec<Value> = (0..4)
        .map(|i| json!({"name": format!("c{i}"), "turns": [{"input": "q"}, {"input": "q"}]}))
        .collect();
    let folder = folder(
        &format!(
            "execution: {{parallel_test_cases: 4, llm_timeout: 1}}\nevaluations: {{metrics: [{{grader: 'g:slow'}}]}}\ntest_cases: {}\n",
            json!(cases)
        ),
        "import time\n\n\ndef slow(ctx):\n    time.sleep(0.7)\n    return True\n",
    );
    let report = report(&folder, 0);
    for case in report["results"].as_array().unwrap() {
        let ms = case["execution_time_ms"].as_u64().unwrap();
        assert!(ms < 500, "grading counts into no turn: {ms}");
        let graded = case["metric_results"][0]["evaluation_time_ms"].as_u64();
        assert!(graded.unwrap() >= 700, "{case}");
    }
    let wall = report["summary"]["wall_time_ms"].as_u64().unwrap();
    assert!(wall < 4 * 1_400, "one after the other: {wall}");
}

#[test]
fn fifty_crashes_in_a_row_exhaust_nothing() {
    if !has_python() {
        return;
    }
    let turns = vec![json!({"input": "q"}); 50];
    let folder = folder(
        &format!(
            "evaluations: {{metrics: [{{grader: 'g:dies'}}, {{grader: 'g:fine'}}]}}\ntest_cases: [{{turns: {}}}]\n",
            json!(turns)
        ),
        "import os\n\n\ndef dies(ctx):\n    os.abort()\n\n\ndef fine(ctx):\n    return True\n",
    );
    let report = report(&folder, 1);
    for turn in report["results"][0]["turns"].as_array().unwrap() {
        let error = turn["metric_results"][0]["error"].as_str().unwrap();
        assert!(error.contains("signal 6 (SIGABRT)"), "{error}");
        assert_eq!(turn["metric_results"][1]["passed"], true);
    }
}

#[test]
fn ten_megabytes_go_there_and_back() {
    if !has_python() {
        return;
    }
    let long = "x".repeat(10_000_000);
    let folder = folder(
        &format!("test_cases: [{{input: {long}, evaluations: [{{grader: 'g:echo'}}]}}]\n"),
        "from holodeck import GraderResult\n\n\ndef echo(ctx):\n    return GraderResult(1, details={'text': ctx.turn_input})\n",
    );
    let report = report(&folder, 0);
    let details = &report["results"][0]["grader_details"]["echo"]["text"];
    assert_eq!(details.as_str().map(str::len), Some(10_000_000));
}

#[test]
fn all_that_can_t_be_found_is_told_before_anybody_is_asked() {
    if !has_python() {
        return;
    }
    let folder = folder(
        "\
evaluations: {metrics: [{grader: 'g:nobody'}]}
test_cases:
  - {name: one, turns: [{input: q}, {input: q, evaluations: [{grader: 'nowhere.m:f'}]}]}
  - {name: two, input: q, evaluations: [{grader: 'g:CONST'}, {metric: numeric, typo: 1}]}
  - {name: switched off, input: q, evaluations: [{grader: 'gone:f', enabled: false}]}
",
        "CONST = 5\n",
    );
    for command in ["test", "check"] {
        let run = folder.run([command, "agent.yaml", "--message-format", "json"]);
        run.must_exit(2);
        let told: Value = serde_json::from_str(&run.stdout).unwrap();
        let told: Vec<(&str, &str, &str)> = told["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .map(|d| {
                let text = |key: &str| d[key].as_str().unwrap_or_default();
                (text("case"), text("path"), text("message"))
            })
            .collect();
        let paths: Vec<_> = told.iter().map(|(case, path, _)| (*case, *path)).collect();
        let expected = [
            ("", "evaluations.metrics[0].grader"),
            ("one", "test_cases[0].turns[1].evaluations[0].grader"),
            ("two", "test_cases[1].evaluations[0].grader"),
            ("two", "test_cases[1].evaluations[1].typo"),
        ];
        assert_eq!(paths, expected);
        for (message, cause) in told.iter().map(|t| t.2).zip([
            "AttributeError",
            "ModuleNotFoundError: No module named 'nowhere'",
            "not callable",
        ]) {
            assert!(
                message.contains(cause) && !message.contains('\n'),
                "{message}"
            );
            assert!(message.contains("python3"), "{message}");
        }
    }
    assert!(!folder.path("results").exists(), "the agent was called");
}

#[test]
fn without_a_python_the_run_is_refused_with_what_was_looked_for() {
    let folder = folder(
        "test_cases: [{input: q, evaluations: [{grader: 'g:f'}]}]\n",
        "def f(ctx):\n    return True\n",
    );
    let empty = folder.path("empty");
    std::fs::create_dir(&empty).unwrap();
    let no_python = |folder: &Folder| {
        let mut command = folder.command(["test", "agent.yaml"]);
        program::run(command.env("PATH", &empty))
    };
    let run = no_python(&folder);
    run.must_exit(2).must_complain("python3");
    run.must_complain("execution.python");

    let agent = folder.read("agent.yaml");
    folder.write(
        "agent.yaml",
        format!("execution: {{python: env/bin/python}}\n{agent}"),
    );
    let run = no_python(&folder);
    run.must_exit(2).must_complain("env/bin/python");

    // Where no grader is named, nobody looks for a Python.
    folder.write("agent.yaml", format!("{HEAD}test_cases: [{{input: q}}]\n"));
    no_python(&folder).must_exit(0);
}

#[test]
fn graders_are_found_along_grader_path_by_the_python_that_is_named() {
    if !has_python() {
        return;
    }
    let folder = folder(
        "\
execution: {grader_path: [lib], python: tools/python}
test_cases: [{input: q, evaluations: [{grader: 'deep.er:f'}, {grader: 'g:here'}]}]
",
        "import os\n\n\ndef here(ctx):\n    return os.environ['CHOSEN'] == 'yes'\n",
    );
    folder.write("lib/deep/er.py", "def f(ctx):\n    return True\n");
    folder.write(
        "tools/python",
        "#!/bin/sh\nCHOSEN=yes exec python3 \"$@\"\n",
    );
    let made = Command::new("chmod")
        .args(["+x".as_ref(), folder.path("tools/python").as_os_str()])
        .status();
    assert!(made.unwrap().success());
    report(&folder, 0);
    // From elsewhere it is the same.
    folder.write("other/x", "");
    let mut command = folder.command(["test", "../agent.yaml"]);
    program::run(command.current_dir(folder.path("other"))).must_exit(0);
}

const HANGS: &str = "\
import subprocess, sys


def hangs(ctx):
    subprocess.Popen(['sh', '-c', \"trap '' TERM; sleep 1000; sleep 1000\"], start_new_session=True)
    open('hanging', 'w').close()
    while True:
        pass
";

/// Starts a run, waits until a file is there, sends signals, and says how it ended. Nothing is left of it then.
fn interrupted(folder: &Folder, file: &str, signals: &[&str]) -> program::Run {
    let mark = format!("{file}-{signals:?}-{}", std::process::id());
    let child = folder
        .command(["test", "agent.yaml", "--output", "report.json"])
        .env(MARK, &mark)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while !folder.path(file).exists() {
        assert!(begun.elapsed() < Duration::from_secs(30), "no {file}");
        std::thread::sleep(Duration::from_millis(5));
    }
    for name in signals {
        let sent = Command::new("kill")
            .args(["-s", name, &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        std::thread::sleep(Duration::from_millis(20));
    }
    let run = finish(child);
    let left = marked(&mark);
    assert!(left.is_empty(), "left behind: {left:?}");
    run
}

#[test]
fn an_interrupt_ends_a_grader_that_hangs_and_keeps_what_was_finished() {
    if !has_python() {
        return;
    }
    let folder = folder(
        "\
test_cases:
  - {name: quick, input: q}
  - {name: hangs, input: q, evaluations: [{grader: 'g:hangs'}]}
",
        HANGS,
    );
    interrupted(&folder, "hanging", &["INT"]).must_exit(130);
    let report = folder.json("report.json");
    assert_eq!(report["results"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["summary"]["not_run"], 1);
}

#[test]
fn a_second_interrupt_leaves_no_grader_behind() {
    if !has_python() {
        return;
    }
    let folder = folder(
        "test_cases: [{name: hangs, input: q, evaluations: [{grader: 'g:hangs'}]}]\n",
        HANGS,
    );
    interrupted(&folder, "hanging", &["INT", "INT"]).must_exit(130);
}

#[test]
fn an_interrupt_ends_an_import_that_hangs() {
    if !has_python() {
        return;
    }
    let folder = folder(
        "test_cases: [{input: q, evaluations: [{grader: 'g:f'}]}]\n",
        "open('importing', 'w').close()\nwhile True:\n    pass\n",
    );
    interrupted(&folder, "importing", &["TERM"]).must_exit(130);
    assert!(!folder.path("results").exists());
}
