//! Graders that break, and the calls after them.

use std::time::{Duration, Instant};

use holodeck_grader::GraderError as E;
use holodeck_grader_host::GraderHost;

use super::{context, error, grade, has_python, hostile, result};

async fn still_grades(host: &GraderHost, after: &str) {
    assert_eq!(
        result(host, "prints:says_hello").await.passed,
        Some(true),
        "after {after}"
    );
}

#[tokio::test]
async fn exceptions_are_told_with_type_and_trace() {
    if !has_python() {
        return;
    }
    let host = hostile();
    for (reference, expected) in [
        ("raises:value_error", "ValueError: no program"),
        ("raises:no_message", "KeyError"),
        ("raises:system_exit", "SystemExit: enough"),
        ("raises:keyboard_interrupt", "KeyboardInterrupt"),
        ("raises:mute", "Mute: (it has no text)"),
        ("raises:half_a_pair", "ValueError: ?"),
        ("raises:awaited", "OSError: on the way"),
        ("raises:generator_exit", "GeneratorExit"),
        ("raises:memory", "MemoryError"),
        ("raises:deep_chain", "ValueError: 1999"),
        ("raises:mutate_call", "TypeError: the context is read-only"),
        ("raises:mutate_inner", "TypeError: the context is read-only"),
        (
            "raises:mutate_config",
            "TypeError: the context is read-only",
        ),
        (
            "raises:mutate_field",
            "FrozenInstanceError: cannot assign to field 'agent_response'",
        ),
    ] {
        let error = error(&host, reference).await;
        assert_eq!(error.to_string(), expected, "{reference}");
        assert!(error.escalates(), "{reference}");
    }
    let recursion = error(&host, "raises:recursion").await.to_string();
    assert!(
        recursion.starts_with("RecursionError: maximum recursion depth exceeded"),
        "{recursion}"
    );
    let long = error(&host, "raises:long").await.to_string();
    assert!(long.len() < 9_000, "{}", long.len());

    let graded = grade(&host, "raises:value_error").await;
    assert_eq!(graded.stdout, "about to fail\n");
    let error = graded.result.unwrap_err();
    let trace = error.trace().unwrap();
    assert!(
        trace.starts_with("Traceback (most recent call last):\n  File "),
        "{trace}"
    );
    assert!(
        trace.contains("raise ValueError(\"no program\")"),
        "{trace}"
    );
    assert!(!trace.contains("holodeck worker"), "{trace}");
    host.close().await;
}

#[tokio::test]
async fn graders_that_end_their_process_fail_their_own_call() {
    if !has_python() {
        return;
    }
    let host = hostile();
    for (reference, expected) in [
        ("ends:segfault", "signal 11 (SIGSEGV)"),
        ("ends:null_write", "signal 11 (SIGSEGV)"),
        ("ends:abort", "signal 6 (SIGABRT)"),
        ("ends:exit_3", "exited with status 3"),
        ("ends:killed", "signal 9 (SIGKILL)"),
        ("ends:interrupted", "signal 15 (SIGTERM)"),
        ("ends:wait_for_a_child_that_kills", "signal 9 (SIGKILL)"),
    ] {
        let graded = grade(&host, reference).await;
        let error = graded.result.unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with(&format!("grader crashed: {expected}")),
            "{reference}: {error}"
        );
        assert!(error.escalates());
        still_grades(&host, reference).await;
    }
    let graded = grade(&host, "ends:segfault").await;
    assert!(
        graded
            .stderr
            .starts_with("before the fall\nFatal Python error: Segmentation fault"),
        "{}",
        graded.stderr
    );
    let told = graded.result.unwrap_err().to_string();
    assert!(told.contains("ends.py\", line"), "{told}");

    let closed = error(&host, "ends:close_everything").await;
    assert!(
        matches!(closed, E::Crashed { .. } | E::BadResult { .. }),
        "{closed:?}"
    );
    still_grades(&host, "ends:close_everything").await;
    host.close().await;
}

#[tokio::test]
async fn what_is_printed_is_never_taken_for_an_answer() {
    if !has_python() {
        return;
    }
    let host = hostile();
    for reference in ["prints:fake_answers", "prints:garbage", "prints:flood"] {
        let graded = grade(&host, reference).await;
        assert_eq!(graded.result.unwrap().passed, Some(false), "{reference}");
        assert!(graded.stdout.len() < 400_000);
    }
    let flood = grade(&host, "prints:flood").await.stdout;
    assert!(
        flood.len() < 66_000 && flood.ends_with("the end\n"),
        "{}",
        flood.len()
    );
    for _ in 0..3 {
        assert!(result(&host, "prints:forks").await.passed.is_some());
        still_grades(&host, "prints:forks").await;
    }
    // Into the protocol's own pipe: the call fails or passes by its own answer, and the next is not hurt.
    let graded = grade(&host, "prints:to_every_descriptor").await;
    let error = graded.result.unwrap_err();
    assert_eq!(
        error.to_string(),
        "bad result: the answer is not a JSON object: `garbage`"
    );
    still_grades(&host, "prints:to_every_descriptor").await;
    host.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn graders_that_hang_are_given_up_at_their_deadline() {
    if !has_python() {
        return;
    }
    let host = hostile();
    for reference in [
        "hangs:loop",
        "hangs:in_c",
        "hangs:deaf",
        "hangs:in_another_group",
        "hangs:threads",
        "hangs:asleep",
    ] {
        let grader = host.resolve(reference).await.unwrap();
        let before = Instant::now();
        let graded = grader
            .grade(&context("input"), Duration::from_millis(300))
            .await;
        assert_eq!(
            graded.result,
            Err(E::TimedOut { after_ms: 300 }),
            "{reference}"
        );
        assert!(
            before.elapsed() < Duration::from_secs(4),
            "{reference}: {:?}",
            before.elapsed()
        );
        still_grades(&host, reference).await;
    }
    host.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_of_one_call_does_not_touch_those_beside_it() {
    if !has_python() {
        return;
    }
    let host = std::sync::Arc::new(hostile());
    let mut calls = tokio::task::JoinSet::new();
    for n in 0..24 {
        let host = std::sync::Arc::clone(&host);
        calls.spawn(async move {
            match n % 4 {
                0 => assert!(matches!(
                    error(&host, "ends:exit_3").await,
                    E::Crashed { .. }
                )),
                1 => assert!(matches!(
                    error(&host, "ends:segfault").await,
                    E::Crashed { .. }
                )),
                _ => assert_eq!(result(&host, "prints:says_hello").await.passed, Some(true)),
            }
        });
    }
    while let Some(call) = calls.join_next().await {
        call.unwrap();
    }
    host.close().await;
}
