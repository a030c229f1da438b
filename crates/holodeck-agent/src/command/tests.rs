use std::sync::Arc;

use expect_test::{Expect, expect};
use holodeck_model::plan::{CaseId, CasePlan, OnTurnFailure};
use holodeck_run::ports::{Backend as _, Fault, Reply, Session, TurnInput};

use super::*;

fn agent(script: &str) -> CommandAgent {
    let words = ["sh", "-c", script].map(str::to_owned).to_vec();
    CommandAgent {
        patience: Duration::from_millis(300),
        ..CommandAgent::new(
            words,
            PathBuf::new(),
            PathBuf::new(),
            Masker::new(["sesame-open".to_owned()]),
        )
    }
}

fn case() -> CasePlan {
    CasePlan {
        index: 0,
        id: CaseId {
            key: "c".to_owned(),
            occurrence: 0,
        },
        name: Some("c".to_owned()),
        single_turn: false,
        turns: Vec::new(),
        on_turn_failure: OnTurnFailure::Continue,
    }
}

async fn open(script: &str) -> Box<dyn Session> {
    agent(script).open(&case()).await.unwrap()
}

async fn send(session: &mut dyn Session, index: usize) -> Reply {
    let turn = TurnInput {
        index,
        input: "q",
        files: &[],
    };
    session.send(turn).await
}

fn in_words(reply: &Reply) -> String {
    let calls = reply.tool_invocations.iter().map(|call| {
        format!(
            "  {}({}) -> {} {:?}\n",
            call.name,
            call.args.to_json(),
            call.result.to_json(),
            call.error
        )
    });
    let end = match (&reply.fault, &reply.response) {
        (None, Some(response)) => format!("said {response:?}"),
        (Some(Fault::Turn(message)), _) => format!("turn: {message}"),
        (Some(Fault::Session(message)), _) => format!("session: {message}"),
        (Some(Fault::Fatal(message)), _) => format!("fatal: {message}"),
        (Some(Fault::Unreachable(message)), _) => format!("unreachable: {message}"),
        (None, None) => "nothing".to_owned(),
    };
    format!("{end}\n{}", calls.collect::<String>())
}

/// What comes of `n` turns with an agent.
async fn check(script: &str, n: usize, expected: Expect) {
    let mut session = open(script).await;
    let mut told = String::new();
    for index in 0..n {
        told += &in_words(&send(&mut *session, index).await);
    }
    session.close().await;
    expected.assert_eq(&told);
}

#[tokio::test]
async fn numbers_come_as_the_agent_wrote_them() {
    check(
        r#"read q; echo '{"id":1,"turn_index":0,"response":"ü","tool_calls":[{"name":"t","args":{"a":1.0,"b":100000000000000000000000,"c":1e2},"result":-0.0,"error":null,"duration_ms":3.7}],"later":1}'"#,
        1,
        expect![[r#"
            said "ü"
              t({"a":1.0,"b":100000000000000000000000,"c":1e2}) -> -0.0 None
        "#]],
    )
    .await;
}

#[tokio::test]
async fn answers_to_other_turns_are_discarded() {
    check(
        r#"read q; for to in '9,"turn_index":0' '1,"turn_index":1' '0,"turn_index":0'; do
             echo '{"id":'$to',"response":"wrong"}'; done
           echo '{"id":1,"turn_index":0,"response":"right"}'
           echo '{"id":1,"turn_index":0,"response":"again"}'
           read q; echo '{"id":2,"turn_index":1,"response":"right"}'"#,
        2,
        expect![[r#"
            said "right"
            said "right"
        "#]],
    )
    .await;
}

#[tokio::test]
async fn what_answers_nothing_fails_its_turn_and_the_next_is_unharmed() {
    check(
        r#"read q; echo 'Loading...'; read cancel; case "$cancel" in *'"cancel","id":1,'*) ;; *) exit 7;; esac
           echo still loading
           echo '{"id":1,"turn_index":0,"error":{"message":"cancelled"},"tool_calls":[{"name":"t"}]}'
           read q; echo '{"id":2,"turn_index":1,"response":"fine"}'"#,
        2,
        expect![[r#"
            session: the agent wrote to stdout what answers nothing: that is no JSON (expected a value (text stands in double quotes) at byte 0): `Loading...` (stdout is for answers, stderr for the rest)
              t({}) -> null None
            said "fine"
        "#]],
    )
    .await;
}

#[tokio::test]
async fn who_babbles_and_does_not_stop_is_ended() {
    check(
        "while :; do echo '[1]'; done",
        2,
        expect![[r"
            fatal: the agent wrote to stdout what answers nothing: that is no JSON object: `[1]` (stdout is for answers, stderr for the rest); the agent did not acknowledge the cancel of its turn within 300ms, and was ended
            fatal: the agent did not acknowledge the cancel of its turn within 300ms, and was ended
        "]],
    )
    .await;
}

#[tokio::test]
async fn an_end_is_told_with_the_last_words() {
    check(
        "read q; echo one >&2; echo two sesame-open >&2; exit 3",
        2,
        expect![[r"
            fatal: the agent ended before it answered: exited with status 3; its stderr ends: one / two ***
            fatal: the agent ended before it answered: exited with status 3; its stderr ends: one / two ***
        "]],
    )
    .await;
    check(
        r#"read q; echo '{"id":7,"turn_index":0,"response":"x"}'; kill -SEGV $$"#,
        1,
        expect![[r"
            fatal: the agent ended before it answered: signal 11 (SIGSEGV); an answer before had another `id` or `turn_index`
        "]],
    )
    .await;
    check(
        r#"read q; printf '{"id":1,"turn_index":0,"response":"half'"#,
        1,
        expect![[r"
            fatal: the agent ended before it answered: exited with status 0
        "]],
    )
    .await;
    check(
        r"read q; printf '\377\n'; read q",
        1,
        expect![[r"
            fatal: the agent can't be talked with any more: the answer is not UTF-8: `�`
        "]],
    )
    .await;
}

#[tokio::test]
async fn an_answer_before_the_end_counts() {
    check(
        r#"read q; echo '{"id":1,"turn_index":0,"response":"bye"}'"#,
        2,
        expect![[r#"
            said "bye"
            fatal: the agent ended before it answered: exited with status 0
        "#]],
    )
    .await;
}

#[tokio::test]
async fn an_answer_after_its_time_is_no_other_turns_answer() {
    let mut session = open(
        r#"read q; read cancel; echo '{"id":1,"turn_index":0,"response":"late","usage":{"prompt_tokens":5,"completion_tokens":2}}'
           read q; echo '{"id":1,"turn_index":0,"response":"late"}'; echo '{"id":2,"turn_index":1,"response":"in time"}'"#,
    )
    .await;
    let given_up = timeout(Duration::from_millis(100), send(&mut *session, 0)).await;
    assert!(given_up.is_err());
    let partial = session.abandon().await;
    assert_eq!(partial.session_lost, None);
    assert_eq!(partial.usage.map(|u| u.total_tokens), Some(7));
    let reply = send(&mut *session, 1).await;
    assert_eq!(reply.response.as_deref(), Some("in time"));
    session.close().await;
}

#[tokio::test]
async fn who_does_not_acknowledge_is_ended_with_all_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("alive");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    // It ends when nobody has it open any more.
    let reader = tokio::task::spawn_blocking({
        let fifo = fifo.clone();
        move || std::fs::read(fifo)
    });
    let script = format!(
        "trap '' TERM INT; exec 5>'{}'; sleep 50 & read q; echo busy >&2; sleep 50",
        fifo.display()
    );
    let mut session = open(&script).await;
    let given_up = timeout(Duration::from_millis(200), send(&mut *session, 0)).await;
    assert!(given_up.is_err());
    let lost = session.abandon().await.session_lost.unwrap();
    assert_eq!(
        lost,
        "the agent did not acknowledge the cancel of its turn within 300ms, and was ended; its stderr ends: busy"
    );
    timeout(Duration::from_secs(20), reader)
        .await
        .expect("a process of the agent is left")
        .unwrap()
        .unwrap();
    session.close().await;
}

#[tokio::test]
async fn a_fatal_error_of_a_cancelled_turn_ends_the_session() {
    let mut session = open(
        r#"read q; read cancel; echo '{"id":1,"turn_index":0,"error":{"message":"confused","fatal":true}}'; read q"#,
    )
    .await;
    assert!(
        timeout(Duration::from_millis(100), send(&mut *session, 0))
            .await
            .is_err()
    );
    assert_eq!(
        session.abandon().await.session_lost.as_deref(),
        Some("confused")
    );
    session.close().await;
}

#[tokio::test]
async fn it_is_told_to_close_and_its_folder_is_given() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    let script = folder.path().join("agent.sh");
    std::fs::write(
        &script,
        "while read -r line; do printf '%s\\n' \"$line\" >> said; echo '{\"id\":1,\"turn_index\":0,\"response\":\"\"}'; done",
    )
    .unwrap();
    let agent = CommandAgent::new(
        vec!["sh".to_owned(), "agent.sh".to_owned()],
        folder.path().to_owned(),
        folder.path().join("data"),
        Masker::default(),
    );
    let mut session = agent.open(&case()).await.unwrap();
    let files = [holodeck_model::plan::FileInput {
        path: Some("a.PDF".to_owned()),
        kind: "pdf".to_owned(),
        pages: Some(vec![1]),
        ..holodeck_model::plan::FileInput::default()
    }];
    let turn = TurnInput {
        index: 0,
        input: "two\nlines",
        files: &files,
    };
    assert_eq!(session.send(turn).await.response.as_deref(), Some(""));
    session.close().await;
    let said = std::fs::read_to_string(folder.path().join("said")).unwrap();
    let session = said
        .split("\"session\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .unwrap();
    assert_eq!(session.len(), 36);
    let said = said
        .replace(session, "UUID")
        .replace(&folder.path().display().to_string(), "FOLDER");
    expect![[r#"
        {"holodeck_agent":1,"type":"turn","id":1,"session":"UUID","test_case":"c","turn_index":0,"input":"two\nlines","files":[{"path":"FOLDER/data/a.PDF","type":"pdf","mime":"application/pdf","pages":[1]}]}
        {"holodeck_agent":1,"type":"close","session":"UUID"}
    "#]]
    .assert_eq(&said);
}

#[tokio::test]
async fn a_program_that_does_not_start_is_no_session() {
    let refusal = |words: &[&str]| {
        let words = words.iter().map(|w| (*w).to_owned()).collect();
        let agent = Arc::new(CommandAgent::new(
            words,
            "/usr".into(),
            PathBuf::new(),
            Masker::default(),
        ));
        async move { agent.open(&case()).await.err().unwrap().message }
    };
    assert_eq!(
        refusal(&["no-such-program"]).await,
        "`no-such-program` did not start: No such file or directory (os error 2): it is not in PATH; a path to it has a `/` in it"
    );
    assert_eq!(
        refusal(&["./nothing"]).await,
        "`./nothing` did not start: No such file or directory (os error 2): it is sought from `/usr`, and so is what its first line names"
    );
    assert_eq!(
        refusal(&["./bin"]).await,
        "`./bin` did not start: Permission denied (os error 13): it must be executable"
    );
}
