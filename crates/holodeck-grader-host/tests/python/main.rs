//! Python graders through a host: what they are given, what they may return, and everything they can do wrong.
//!
//! `HOLODECK_TEST_PYTHON=python3.9` runs them in another interpreter than `python3`.

#![expect(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod given;
mod hostile;
mod resolving;
mod returned;

use std::path::{Path, PathBuf};
use std::time::Duration;

use holodeck_grader::{
    Graded, GraderContext, GraderError, GraderResult, PreviousTurn, ToolInvocation, Value,
};
use holodeck_grader_host::{GraderHost, HostConfig};

const LONG: Duration = Duration::from_secs(30);

fn hostile_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/graders/hostile_python")
}

fn hostile() -> GraderHost {
    host_in(hostile_folder())
}

/// The interpreter that is named in the place of `python3`.
fn named_python() -> Option<PathBuf> {
    std::env::var_os("HOLODECK_TEST_PYTHON").map(PathBuf::from)
}

/// One that is named must be there.
fn has_python() -> bool {
    named_python().is_some() || holodeck_tests::has_python()
}

fn host_in(folder: PathBuf) -> GraderHost {
    host_along(vec![folder])
}

fn host_along(folders: Vec<PathBuf>) -> GraderHost {
    let mut config = HostConfig::new(folders);
    config.python = named_python();
    GraderHost::new(config)
}

/// A host for files of a test's own.
fn host_of(files: &[(&str, &str)]) -> (GraderHost, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    (host_in(dir.path().to_owned()), dir)
}

fn context(input: &str) -> GraderContext {
    let args = r#"{"a": 206588.0, "n": 123456789012345678901234567890, "list": [1, {"x": [2]}]}"#;
    let mut call = ToolInvocation::new("subtract", Value::from_json(args).unwrap());
    call.result = "25587".into();
    call.duration_ms = Some(7);
    call.bytes = 5;
    let mut before = PreviousTurn::new("first", "one");
    before.tool_invocations = vec![call.clone()];
    let mut context = GraderContext::new(input, "answer: 25,587 – ünïcode");
    context.ground_truth = Some("25587".to_owned());
    context.tool_invocations = vec![call];
    context.retrieval_context = Some(vec!["c1".to_owned()]);
    context.turn_index = 1;
    context.test_case_name = Some("case".to_owned());
    context
        .turn_config
        .insert("turn_program", "subtract(206588, 181001)".into());
    context.previous_turns = vec![before];
    context
}

async fn grade_input(host: &GraderHost, reference: &str, input: &str) -> Graded {
    let grader = host.resolve(reference).await.unwrap();
    grader.grade(&context(input), LONG).await
}

async fn grade(host: &GraderHost, reference: &str) -> Graded {
    grade_input(host, reference, "input").await
}

async fn result(host: &GraderHost, reference: &str) -> GraderResult {
    let graded = grade(host, reference).await;
    graded
        .result
        .unwrap_or_else(|error| panic!("{reference}: {error}"))
}

async fn error(host: &GraderHost, reference: &str) -> GraderError {
    grade(host, reference).await.result.unwrap_err()
}
