//! What goes to stdout and what to stderr, and streams and places that fail.

#![cfg(unix)]

use std::fs::File;
use std::process::Stdio;

use holodeck_tests::program::{Folder, Run, finish};

const AGENT: &str = "\
name: a
model: {provider: scripted, name: replies.yaml}
instructions: {inline: hi}
test_cases: [{name: c, input: q}]
";

fn folder() -> Folder {
    let replies = "default: [{response: ok}]\n";
    Folder::with(&[("agent.yaml", AGENT), ("replies.yaml", replies)])
}

#[track_caller]
fn is_one_object(text: &str) {
    let read = serde_json::from_str::<serde_json::Value>(text);
    assert!(read.is_ok_and(|v| v.is_object()), "{text}");
}

/// Where one of the streams is full.
fn full(folder: &Folder, args: &[&str], stdout: bool) -> Option<Run> {
    let full = || File::create("/dev/full").ok().map(Stdio::from);
    let mut command = folder.command(args);
    command.env("RUST_LOG", "trace");
    if stdout {
        command.stdout(full()?).stderr(Stdio::piped());
    } else {
        command.stderr(full()?).stdout(Stdio::piped());
    }
    Some(finish(command.spawn().unwrap()))
}

#[test]
fn stdout_holds_one_object_where_one_was_asked_for() {
    let folder = folder();
    for args in [
        &["test", "agent.yaml", "--message-format", "json"][..],
        &["test", "agent.yaml", "--message-format", "json", "--list"],
        &["test", "nowhere.yaml", "--message-format", "json"],
        &["check", "agent.yaml", "--message-format", "json"],
        &["test", "agent.yaml", "--format", "json"],
        &["test", "agent.yaml", "-o", "-"],
        &["config", "show", "agent.yaml", "--format", "json"],
    ] {
        is_one_object(&folder.run(args).stdout);
    }
    let both = ["--message-format", "json", "--format", "json"];
    let run = folder.run(["test", "agent.yaml"].iter().chain(&both));
    run.must_exit(2).must_complain("both want stdout");
}

#[test]
fn a_stream_that_is_full_is_told_once_and_breaks_nothing() {
    let folder = folder();
    for args in [
        &["test", "agent.yaml"][..],
        &["test", "agent.yaml", "--format", "junit"],
        &["check", "agent.yaml", "--message-format", "json"],
        &["schema"],
    ] {
        let Some(run) = full(&folder, args, true) else {
            return;
        };
        run.must_exit(3);
        assert_eq!(run.stderr.matches("No space left").count(), 1, "{run:?}");
        let run = full(&folder, args, false).unwrap();
        run.must_exit(0);
    }
    // Every one of the runs is kept whole.
    for entry in std::fs::read_dir(folder.path("results/a")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "json") {
            is_one_object(&folder.read(path));
        }
    }
}

#[test]
fn a_report_to_stdout_does_not_write_over_what_is_there() {
    let folder = folder();
    let mut command = folder.command(["test", "agent.yaml", "-o", "/dev/stdout"]);
    command
        .stdout(File::create(folder.path("out")).unwrap())
        .stderr(Stdio::piped());
    finish(command.spawn().unwrap()).must_exit(0);
    is_one_object(&folder.read("out"));
}

#[test]
fn a_report_never_takes_the_place_of_its_agent_yaml() {
    let folder = folder();
    let run = folder.run(["test", "agent.yaml", "-o", "./agent.yaml"]);
    run.must_exit(3).must_complain("would overwrite");
    assert_eq!(folder.read("agent.yaml"), AGENT);
}

#[test]
fn runs_that_have_no_place_leave_none() {
    let folder = folder();
    folder.write("results", "a file");
    let run = folder.run(["test", "agent.yaml"]);
    run.must_exit(3).must_complain("--results");
    assert_eq!(folder.read("results"), "a file");
}
