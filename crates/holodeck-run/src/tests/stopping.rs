//! Interrupts, an agent that can't be reached, and a journal that can't be written.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use holodeck_model::event::Event;
use tokio::time::{sleep, timeout};

use super::fake::FakeAgent;
use super::script::parse;
use super::{check, header, play};
use crate::Journal;

#[tokio::test(start_paused = true)]
async fn an_interrupt_stops_running_turns_and_keeps_finished_cases() {
    check(
        "
        interrupt 1.5
        a: ok
        b abandon=hang: 1s ok, 1s ok
        c: ok",
        expect![[r#"
            0.0 a started
            0.0   open a
            0.0   send a[0]
            0.0   close a
            0.0 #0[0] passed
            0.0 a passed
                  [0] replied "a0" 0 ms
            0.0 b started
            0.0   open b
            0.0   send b[0]
            1.0   send b[1]
            1.0 #1[0] passed
            1.5 interrupted
            1.5   abandon b
            7.5   close b
            1 of 3 passed, 0 failed (0 infrastructure), 2 not run; turns: 1 of 1 answered, 0 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_stops_an_opening_session_and_a_slow_judge() {
    check(
        "
        parallel 2
        interrupt 1
        a open=hang: ok
        b: ok j9s",
        expect![[r#"
            0.0 a started
            0.0 b started
            0.0   open a
            0.0   open b
            0.0   send b[0]
            1.0 interrupted
            1.0   close b
            0 of 2 passed, 0 failed (0 infrastructure), 2 not run; turns: 0 of 0 answered, 0 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_before_the_start_runs_nothing() {
    check(
        "
        interrupt 0
        a: ok",
        expect![[r#"
            0.0 interrupted
            0 of 1 passed, 0 failed (0 infrastructure), 1 not run; turns: 0 of 0 answered, 0 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_run_ends_with_the_first_case_that_finds_nobody() {
    check(
        "
        parallel 2
        a: nowhere, ok
        b: 1s ok
        c: ok",
        expect![[r#"
            0.0 a started
            0.0 b started
            0.0   open a
            0.0   send a[0]
            0.0   close a
            0.0   open b
            0.0   send b[0]
            0.0 #0[0] failed
            0.0 a failed
                  [0] agent error: nowhere 0 0 ms
                  [1] skipped: nothing was ever answered: nowhere 0 0 ms
            0.0   abandon b
            0.0   close b
            0 of 3 passed, 1 failed (1 infrastructure), 2 not run; turns: 0 of 2 answered, 1 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn nobody_there_after_an_answer_costs_its_own_turn_only() {
    check(
        "
        parallel 2
        a: ok, 1s ok
        b: 1s nowhere, ok
        c: nowhere",
        expect![[r#"
            0.0 a started
            0.0 b started
            0.0   open a
            0.0   send a[0]
            0.0   send a[1]
            0.0   open b
            0.0   send b[0]
            0.0 #0[0] passed
            1.0   close a
            1.0   send b[1]
            1.0   close b
            1.0 #0[1] passed
            1.0 #1[0] failed
            1.0 #1[1] passed
            1.0 a passed
                  [0] replied "a0" 0 ms
                  [1] replied "a1" 1000 ms
            1.0 c started
            1.0 b failed
                  [0] agent error: nowhere 0 1000 ms
                  [1] replied "b1" 0 ms
            1.0   open c
            1.0   send c[0]
            1.0   close c
            1.0 #2[0] failed
            1.0 c failed
                  [0] agent error: nowhere 0 0 ms
            1 of 3 passed, 2 failed (2 infrastructure), 0 not run; turns: 3 of 5 answered, 0 skipped
        "#]],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_run_stops_cleanly_when_its_journal_cannot_be_written() {
    let script = parse(
        "
        parallel 2
        a: ok
        b: 1s ok
        c: 2s ok
        d: ok",
    );
    let (reader, writer) = std::io::pipe().unwrap();
    let pipe = File::from(OwnedFd::from(writer));
    let mask = Box::new(|_: &mut _| {});
    let mut journal = Journal::on(pipe, Path::new("run.jsonl"), &header(&script), mask).unwrap();
    let agent = Arc::new(FakeAgent::new(&script));
    let mut written = String::new();
    let mut reader = Some(reader);
    let ended = play(&script, &agent, &mut journal, |event| {
        if matches!(event, Event::CaseFinished { .. }) {
            // Gone after the first case: the next write fails.
            written = first_lines(&mut reader.take().unwrap());
        }
    })
    .await;
    let error = ended.unwrap_err().to_string();
    let expected = "the journal `run.jsonl` can't be written: Broken pipe (os error 32)";
    assert_eq!(error, expected);
    assert_eq!(written.lines().count(), 2, "header and case a: {written}");
    agent.assert_every_session_closed_once();
    expect![[r#"
        0.0 a started
        0.0 b started
        0.0   open a
        0.0   send a[0]
        0.0   close a
        0.0   open b
        0.0   send b[0]
        0.0 #0[0] passed
        0.0 a passed
              [0] replied "a0" 0 ms
        0.0 c started
        0.0   open c
        0.0   send c[0]
        1.0   close b
        1.0 #1[0] passed
        1.0   abandon c
        1.0   close c
    "#]]
    .assert_eq(&agent.log.text());
    let another = journal.append(&mut super::files::case(0, 1.0)).unwrap_err();
    assert_eq!(
        another.to_string(),
        "the journal `run.jsonl` can't be written: an earlier write failed"
    );
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_dropped_leaves_nothing_running() {
    let script = parse("a: 2s ok, ok");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut journal = Journal::create(&path, &header(&script), Box::new(|_| {})).unwrap();
    let agent = Arc::new(FakeAgent::new(&script));
    let running = play(&script, &agent, &mut journal, |_| {});
    timeout(Duration::from_secs(1), running).await.unwrap_err();
    sleep(Duration::from_secs(9)).await;
    expect![[r#"
        0.0 a started
        0.0   open a
        0.0   send a[0]
    "#]]
    .assert_eq(&agent.log.text());
    assert_eq!(Arc::strong_count(&agent), 1);
}

/// What is in the pipe now.
fn first_lines(reader: &mut impl Read) -> String {
    let mut bytes = vec![0; 1 << 16];
    let n_read = reader.read(&mut bytes).unwrap();
    bytes.truncate(n_read);
    String::from_utf8(bytes).unwrap()
}
