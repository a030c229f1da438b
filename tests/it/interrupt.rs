//! Signals in mid-run (X8), and readers that go away.

#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use holodeck_tests::program::{Folder, finish};

const AGENT: &str = "\
name: a
model: {provider: scripted, name: replies.yaml}
instructions: {inline: hi}
test_cases:
  - {name: quick, input: q}
  - {name: slow, input: q}
  - {name: never, input: q}
";

const REPLIES: &str = "\
cases:
  quick: [{response: ok}]
  slow: [{response: late, delay_ms: 50000}]
  never: [{response: ok}]
";

fn folder() -> Folder {
    Folder::with(&[("agent.yaml", AGENT), ("replies.yaml", REPLIES)])
}

/// Starts the run and waits until the first case is in the journal or on the screen.
fn start(folder: &Folder) -> Child {
    let mut child = folder
        .command([
            "test",
            "agent.yaml",
            "--output",
            "report.json",
            "--output",
            "report.md",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let stdout = child.stdout.take().unwrap();
    let mut reader = BufReader::new(stdout);
    while !line.contains("quick") {
        line.clear();
        assert_ne!(reader.read_line(&mut line).unwrap(), 0, "it ended early");
    }
    child.stdout = Some(reader.into_inner());
    child
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

fn make_fifo(folder: &Folder, name: &str) {
    let made = Command::new("mkfifo").arg(folder.path(name)).status();
    assert!(made.unwrap().success());
}

#[test]
fn an_interrupt_before_the_run_ends_at_once() {
    for name in ["INT", "TERM"] {
        let folder = Folder::new();
        make_fifo(&folder, "agent.yaml");
        let child = folder
            .command(["test", "agent.yaml"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Opens once the program reads it.
        let agent = std::fs::File::options()
            .write(true)
            .open(folder.path("agent.yaml"));
        signal(&child, name);
        let run = finish(child);
        run.must_exit(130);
        drop(agent);
    }
}

#[test]
fn an_interrupt_reports_what_was_finished() {
    for name in ["INT", "TERM"] {
        let folder = folder();
        let child = start(&folder);
        signal(&child, name);
        let run = finish(child);
        run.must_exit(130);
        let report = folder.json("report.json");
        let results = report["results"].as_array().unwrap();
        assert_eq!(results.len(), 1, "{name}: {report}");
        assert_eq!(results[0]["test_name"], "quick");
        assert_eq!(report["summary"]["not_run"], 2, "{}", report["summary"]);
        assert_eq!(report["summary"]["complete"], false);
        assert!(run.elapsed < Duration::from_secs(20), "{:?}", run.elapsed);
        assert!(folder.read("report.md").contains("quick"));
    }
}

#[test]
fn an_interrupt_is_heard_while_a_report_waits_for_its_reader() {
    let folder = folder();
    folder.write("replies.yaml", REPLIES.replace("50000", "0"));
    make_fifo(&folder, "report.json");
    let child = start(&folder);
    let runs = folder.path("results/a");
    // The run file is there when all cases have ended and the reports are being written.
    let is_kept = || {
        let mut entries = std::fs::read_dir(&runs).unwrap();
        entries.any(|e| e.unwrap().path().extension().is_some_and(|e| e == "json"))
    };
    while !is_kept() {
        std::thread::yield_now();
    }
    signal(&child, "INT");
    signal(&child, "TERM");
    finish(child).must_exit(130);
}

#[test]
fn a_kill_loses_only_what_was_not_finished() {
    let folder = folder();
    let child = start(&folder);
    signal(&child, "KILL");
    assert_eq!(finish(child).code, None);
    let run = std::fs::read_dir(folder.path("results/a")).unwrap().next();
    let journal = run.unwrap().unwrap().path().join("journal.jsonl");
    assert!(folder.read(&journal).contains("\"quick\""));
    // What it was writing when it was killed does not keep the rest from being told.
    let torn = folder.read(&journal) + "{\"case\":{\"index\":1,\"id";
    std::fs::write(&journal, torn).unwrap();
    let told = folder.run(["report", "results"]);
    told.must_exit(0).must_complain("cut short");
    assert!(told.stdout.contains("PASS   quick"), "{}", told.stdout);
    assert!(
        told.stdout.ends_with("1 case passed, 2 not run\n"),
        "{}",
        told.stdout
    );
    let report = folder.run(["report", "results/a", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!(report["results"][0]["test_name"], "quick");
    assert_eq!(report["summary"]["not_run"], 2);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = Folder::with(&[
        ("agent.yaml", &AGENT.replace("slow", "quick")),
        ("replies.yaml", &REPLIES.replace("50000", "0")),
    ]);
    for args in [
        &["test", "agent.yaml", "-v"][..],
        &["check", "agent.yaml", "--message-format", "json"],
        &["config", "show", "agent.yaml"],
        &["schema"],
        &["--help"],
    ] {
        let mut child = folder
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let run = finish(child);
        assert!(matches!(run.code, Some(0 | 3)), "{args:?}: {run:?}");
        assert!(!run.stderr.contains("panicked"), "{args:?}: {run:?}");
    }
}
