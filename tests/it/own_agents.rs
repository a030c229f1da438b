//! Agents of the author's own, as programs: the examples, and some that do everything wrong.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use holodeck_tests::program::{Folder, Run, cargo_build, finish, target};
use holodeck_tests::{has_python, root};
use serde_json::Value;

/// One test case of three turns and one of one, and a tool that is not there to be started.
const AGENT: &str = "\
name: a
model: {provider: command, command: [sh, agent.sh]}
tools: [{name: t, description: d, type: function, file: agent.sh, function: f}]
test_cases:
  - name: first
    turns:
      - {input: one, ground_truth: one, evaluations: [{metric: equality}]}
      - {input: two, ground_truth: two, evaluations: [{metric: equality}]}
      - {input: three, ground_truth: three, evaluations: [{metric: equality}]}
  - {name: second, input: one, ground_truth: one, evaluations: [{metric: equality}]}
";

fn folder(script: &str) -> Folder {
    Folder::with(&[("agent.yaml", AGENT), ("agent.sh", script)])
}

fn play(script: &str) -> (Run, Value) {
    let folder = folder(script);
    let run = folder.run([
        "test",
        "agent.yaml",
        "--timeout",
        "1",
        "--output",
        "report.json",
    ]);
    (run, folder.json("report.json"))
}

/// The errors of each turn of the first case.
fn errors(report: &Value) -> Vec<String> {
    let turns = report["results"][0]["turns"].as_array().unwrap();
    turns
        .iter()
        .map(|turn| turn["errors"].to_string())
        .collect()
}

fn example(args: &[&str]) -> Run {
    let folder = Folder::new();
    let agent_yaml = root().join("examples/bring-your-own-agent/agent.yaml");
    let mut words = vec!["test".into(), agent_yaml.into_os_string()];
    words.extend(["--results", "results"].iter().chain(args).map(Into::into));
    folder.run(words)
}

#[test]
fn the_example_in_python_passes() {
    if has_python() {
        example(&[]).must_exit(0);
    }
}

#[test]
fn the_example_over_http_passes() {
    if !has_python() {
        return;
    }
    let script = root().join("examples/bring-your-own-agent/http_agent.py");
    let mut server = Command::new("python3")
        .arg(script)
        .arg("0")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(server.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("listening on ").unwrap();
    let run = example(&["--agent", url]);
    server.kill().unwrap();
    server.wait().unwrap();
    run.must_exit(0);
    // Nobody is there any more: one test case says so, and what to check.
    let run = example(&["--agent", url]);
    run.must_exit(3);
    assert!(
        run.stdout.contains("can't be reached: Connection refused"),
        "{}",
        run.stdout
    );
}

#[test]
fn the_smallest_agent_of_the_guide_answers() {
    if !has_python() {
        return;
    }
    let guide = root().join("docs/guide/bring-your-own-agent.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let (_, rest) = guide.split_once("```python\n").unwrap();
    let (script, _) = rest.split_once("```").unwrap();
    let agent = "\
name: a
model: {provider: openai, name: m}
test_cases:
  - turns:
      - {input: hi, ground_truth: 'echo: hi', expected_tools: [{name: echo, args: {text: hi}}], evaluations: [{metric: equality}]}
      - {input: ho, ground_truth: 'echo: ho', evaluations: [{metric: equality}]}
";
    let folder = Folder::with(&[("agent.yaml", agent), ("my agent.py", script)]);
    let own = "command:python3 'my agent.py'";
    let run = folder.run(["test", "agent.yaml", "--agent", own]);
    run.must_exit(0);
}

#[test]
fn the_example_in_rust_passes() {
    let manifest = root().join("examples/bring-your-own-agent/rust/Cargo.toml");
    let built = target().join("examples");
    cargo_build(&[
        "--manifest-path".as_ref(),
        manifest.as_os_str(),
        "--target-dir".as_ref(),
        built.as_os_str(),
    ]);
    let agent = format!("command:'{}'", built.join("debug/my-agent").display());
    example(&["--agent", &agent]).must_exit(0);
}

#[test]
fn an_answer_after_its_timeout_is_no_other_turns_answer() {
    let (run, report) = play(
        r#"
        say() { echo "{\"id\":$1,\"turn_index\":$2,\"response\":\"$3\"}"; }
        read turn; case "$turn" in *second*) ;; *) sleep 2;; esac; say 1 0 one
        read cancel; read turn; say 2 1 two
        read turn; say 1 0 one; say 3 2 three; read close
        "#,
    );
    run.must_exit(1);
    assert_eq!(errors(&report), [r#"["timeout"]"#, "[]", "[]"], "{report}");
    assert_eq!(report["results"][1]["passed"], true, "{report}");
}

#[test]
fn who_never_acknowledges_is_ended_and_the_rest_is_skipped() {
    let (run, report) = play("echo too busy >&2; trap '' TERM INT; sleep 50");
    run.must_exit(3);
    let errors = errors(&report);
    assert_eq!(errors[0], r#"["timeout"]"#);
    for skipped in &errors[1..] {
        assert!(
            skipped.contains("skipped: the session was lost: the agent did not acknowledge the cancel of its turn within 5s")
                && skipped.contains("its stderr ends: too busy"),
            "{skipped}"
        );
    }
    assert!(run.elapsed < Duration::from_secs(30), "{:?}", run.elapsed);
}

#[test]
fn a_program_that_is_not_there_is_said_once_a_case() {
    let folder = folder("");
    let run = folder.run([
        "test",
        "agent.yaml",
        "--agent",
        "command:no-such-program --x",
    ]);
    run.must_exit(3)
        .must_complain("no request was ever answered");
    assert!(
        run.stdout.contains("`no-such-program` did not start"),
        "{}",
        run.stdout
    );
}

#[test]
fn an_interrupt_ends_the_agent_and_all_it_started() {
    let folder = folder(
        "\
        exec 5>alive\n\
        read turn; case \"$turn\" in *second*) ;; *)\n\
        for i in 0 1 2; do echo \"{\\\"id\\\":$((i + 1)),\\\"turn_index\\\":$i,\\\"response\\\":\\\"x\\\"}\"; read turn; done; exit;; esac\n\
        trap '' TERM INT; (setsid sleep 50 & sleep 50 &); sleep 50",
    );
    let made = Command::new("mkfifo").arg(folder.path("alive")).status();
    assert!(made.unwrap().success());
    // Ends when no process has it open any more.
    let alive = folder.path("alive");
    let alive = std::thread::spawn(move || {
        for _ in 0..2 {
            std::fs::read(&alive).unwrap();
        }
    });
    let mut child = folder
        .command(["test", "agent.yaml", "--output", "report.json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("first") {
        line.clear();
        assert_ne!(reader.read_line(&mut line).unwrap(), 0, "it ended early");
    }
    std::thread::sleep(Duration::from_millis(300));
    child.stdout = Some(reader.into_inner());
    let signalled = Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status();
    assert!(signalled.unwrap().success());
    let run = finish(child);
    run.must_exit(130);
    assert!(run.elapsed < Duration::from_secs(20), "{:?}", run.elapsed);
    alive.join().unwrap();
    let report = folder.json("report.json");
    assert_eq!(report["results"].as_array().unwrap().len(), 1, "{report}");
    assert_eq!(report["summary"]["not_run"], 1);
}
