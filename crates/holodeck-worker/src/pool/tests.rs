use std::fmt::Write;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use super::Pool;
use crate::{CallError, Direction, Ended, Hello, Trouble, WorkerCommand};

const HELLO: Hello = Hello {
    protocol: "test",
    version: 1,
};
const LONG: Duration = Duration::from_secs(20);

/// A shell that runs the `sh` of each request, which is in hex. `$id` is the request's, `reply MEMBERS` answers.
const SHELL: &str = r#"
echo '{"test": 1}' >&4
reply() { echo "{\"id\":$id,$1}" >&4; }
while read -r line <&3; do
  id=${line#*'"id":'}; id=${id%%,*}
  code=${line#*'"sh":"'}; code=${code%'"}'}
  eval "$(printf "$(sed 's/../\\x&/g' <<< "$code")")"
done
"#;

fn command(script: &str) -> WorkerCommand {
    let mut command = WorkerCommand::new("bash");
    command.args = vec!["-c".into(), script.into()];
    command
}

fn pool_of(script: &str, limit: usize) -> Pool {
    Pool::new(command(script), HELLO, NonZeroUsize::new(limit).unwrap())
}

fn shells() -> Pool {
    pool_of(SHELL, 8)
}

async fn run(pool: &Pool, code: &str, deadline: Duration) -> Result<super::Answer, CallError> {
    let mut hex = String::new();
    for byte in code.bytes() {
        write!(hex, "{byte:02x}").unwrap();
    }
    pool.call(&format!(r#"{{"sh":"{hex}"}}"#), deadline).await
}

async fn trouble(pool: &Pool, code: &str) -> Trouble {
    run(pool, code, LONG).await.unwrap_err().trouble
}

async fn still_answers(pool: &Pool) {
    let answer = run(pool, r#"reply '"n":1'"#, LONG).await.unwrap();
    assert!(answer.body.contains(r#""n":1"#), "{}", answer.body);
}

fn open_descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Processes that carry a mark of `pool`, zombies included.
fn processes_of(pool: &Pool) -> Vec<String> {
    let mark = format!("{}={}", crate::MARKER, pool.mark);
    let entries = std::fs::read_dir("/proc").unwrap();
    entries
        .filter_map(|entry| {
            let folder = entry.unwrap().path();
            let environ = std::fs::read(folder.join("environ")).ok()?;
            let is_ours = environ
                .split(|b| *b == 0)
                .any(|entry| entry.starts_with(mark.as_bytes()));
            is_ours.then(|| std::fs::read_to_string(folder.join("cmdline")).unwrap_or_default())
        })
        .collect()
}

fn n_zombies() -> usize {
    let me = std::process::id().to_string();
    let entries = std::fs::read_dir("/proc").unwrap();
    entries
        .filter_map(|entry| std::fs::read_to_string(entry.unwrap().path().join("stat")).ok())
        .filter(|stat| {
            let fields = stat.rsplit(')').next().unwrap_or_default();
            let mut fields = fields.split_whitespace();
            fields.next() == Some("Z") && fields.next() == Some(&me)
        })
        .count()
}

#[tokio::test]
async fn what_is_printed_is_captured_and_belongs_to_its_call() {
    let pool = shells();
    let first = r#"echo out; echo err >&2; echo '{"id":1}'; reply '"n":1'"#;
    let answer = run(&pool, first, LONG).await.unwrap();
    assert_eq!(answer.body, r#"{"id":1,"n":1}"#);
    assert_eq!(answer.output.stdout, "out\n{\"id\":1}\n");
    assert_eq!(answer.output.stderr, "err\n");
    let answer = run(&pool, r#"reply '"n":2'"#, LONG).await.unwrap();
    assert_eq!(answer.body, r#"{"id":2,"n":2}"#, "the worker is used again");
    assert_eq!(answer.output, crate::Output::default());
    pool.close().await;
}

#[tokio::test]
async fn a_flood_of_output_is_cut_and_keeps_its_end() {
    let pool = shells();
    let flood = r#"yes 0123456789 | head -c 3000000; echo the end; reply '"n":1'"#;
    let answer = run(&pool, flood, LONG).await.unwrap();
    let stdout = answer.output.stdout;
    assert!(stdout.len() < 66_000, "{}", stdout.len());
    assert!(stdout.starts_with("0123456789\n"));
    assert!(stdout.ends_with("the end\n"));
    assert!(stdout.contains("bytes left out]"));
    pool.close().await;
}

#[tokio::test]
async fn answers_to_other_requests_are_discarded() {
    let pool = shells();
    let noise = r#"echo '{"id":77}' >&4; echo '{}' >&4; echo '{"id":"1"}' >&4; reply '"n":1'; reply '"n":2'"#;
    let answer = run(&pool, noise, LONG).await.unwrap();
    assert_eq!(answer.body, r#"{"id":1,"n":1}"#);
    let answer = run(&pool, r#"reply '"n":3'"#, LONG).await.unwrap();
    assert_eq!(answer.body, r#"{"id":2,"n":3}"#);
    pool.close().await;
}

#[tokio::test]
async fn crashes_are_told_and_the_next_call_works() {
    let pool = shells();
    let died = run(&pool, "echo last words >&2; kill -SEGV $$", LONG)
        .await
        .unwrap_err();
    assert_eq!(died.to_string(), "crashed: signal 11 (SIGSEGV)");
    assert_eq!(died.output.last_words(), "last words");
    still_answers(&pool).await;
    assert_eq!(
        trouble(&pool, "exit 3").await.to_string(),
        "crashed: exited with status 3"
    );
    still_answers(&pool).await;
    assert_eq!(
        trouble(&pool, "kill -KILL $$").await.to_string(),
        "crashed: signal 9 (SIGKILL)"
    );
    still_answers(&pool).await;
    pool.close().await;
}

#[tokio::test]
async fn a_crash_is_seen_while_a_child_keeps_the_pipes_open() {
    let pool = shells();
    let before = Instant::now();
    assert_eq!(
        trouble(&pool, "sleep 1000 & exit 3").await,
        Trouble::Crashed(Ended::Status(3))
    );
    assert!(before.elapsed() < Duration::from_secs(5));
    assert_eq!(processes_of(&pool), Vec::<String>::new());
}

#[tokio::test]
async fn an_answer_before_the_end_counts() {
    let pool = shells();
    let answer = run(&pool, r#"reply '"n":1'; exit 3"#, LONG).await.unwrap();
    assert_eq!(answer.body, r#"{"id":1,"n":1}"#);
    tokio::time::sleep(Duration::from_millis(50)).await;
    still_answers(&pool).await;
    pool.close().await;
}

#[tokio::test]
async fn what_is_no_message_ends_the_worker() {
    let pool = shells();
    for (code, problem) in [
        (
            "echo garbage >&4",
            "the answer is not a JSON object: `garbage`",
        ),
        ("echo [1] >&4", "the answer is not a JSON object: `[1]`"),
        (
            r"printf '\xff\xfe\n' >&4",
            "the answer is not UTF-8: `\u{fffd}\u{fffd}`",
        ),
        ("exec 4>&-; sleep 1000", "it closed its pipe"),
    ] {
        assert_eq!(trouble(&pool, code).await.to_string(), problem);
        still_answers(&pool).await;
    }
    pool.close().await;
}

#[tokio::test]
async fn long_messages_pass_and_longer_ones_are_refused() {
    let pool = shells();
    let ten_million = r#"printf '{"id":1,"n":"' >&4; yes 012345678 | tr -d '\n' | head -c 10000000 >&4; echo '"}' >&4"#;
    let answer = run(&pool, ten_million, LONG).await.unwrap();
    assert_eq!(answer.body.len(), 10_000_000 + r#"{"id":1,"n":""}"#.len());
    let too_long = trouble(&pool, r"head -c 100000000 /dev/zero | tr '\0' x >&4").await;
    assert_eq!(
        too_long,
        Trouble::TooLong {
            direction: Direction::Answer
        }
    );
    still_answers(&pool).await;
    let request = format!(r#"{{"sh":"{}"}}"#, "x".repeat(crate::MESSAGE_LIMIT));
    let refused = pool.call(&request, LONG).await.unwrap_err();
    assert_eq!(refused.to_string(), "the request is longer than 64 MiB");
    assert_eq!(processes_of(&pool).len(), 1, "the worker is kept");
    pool.close().await;
}

/// Hangs with a child, a child of another session, orphans there, and a child without environment that sleeps for `mark` seconds.
fn hang(mark: u32) -> String {
    let children =
        "sleep 1000 & setsid sleep 1001 & (setsid bash -c 'sleep 1002 & sleep 1003 &' &)";
    format!("trap '' TERM; {children}; env -i setsid sleep {mark} & sleep 1004")
}

#[tokio::test]
async fn a_deadline_ends_everything_that_the_call_started() {
    let pool = shells();
    still_answers(&pool).await;
    let before = Instant::now();
    let late = run(&pool, &hang(98_765), Duration::from_millis(300))
        .await
        .unwrap_err();
    assert_eq!(late.to_string(), "no answer within 300 ms");
    assert!(before.elapsed() < Duration::from_secs(3));
    assert_eq!(processes_of(&pool), Vec::<String>::new());
    assert!(!is_running("98765"), "it is found by its place in the tree");
    still_answers(&pool).await;
    pool.close().await;
}

fn is_running(argument: &str) -> bool {
    let entries = std::fs::read_dir("/proc").unwrap();
    entries
        .filter_map(|entry| std::fs::read_to_string(entry.unwrap().path().join("cmdline")).ok())
        .any(|cmdline| cmdline.split('\0').any(|part| part == argument))
}

#[tokio::test]
async fn a_dropped_call_ends_everything_that_it_started() {
    let pool = shells();
    let code = hang(98_766);
    let call = run(&pool, &code, LONG);
    assert!(
        tokio::time::timeout(Duration::from_millis(300), call)
            .await
            .is_err()
    );
    assert_eq!(processes_of(&pool), Vec::<String>::new());
    assert!(!is_running("98766"));
    still_answers(&pool).await;
    pool.close().await;
}

#[tokio::test]
async fn close_ends_workers_that_ignore_it_and_what_they_left_behind() {
    let pool = shells();
    let leaves = r#"setsid sleep 1000 & disown; reply '"n":1'"#;
    run(&pool, leaves, LONG).await.unwrap();
    pool.close().await;
    assert_eq!(processes_of(&pool), Vec::<String>::new());
    assert_eq!(trouble(&pool, "exit 3").await, Trouble::Closed);

    let deaf = pool_of(
        "echo '{\"test\":1}' >&4; read -r line <&3; echo '{\"id\":1}' >&4; sleep 1000; sleep 1000",
        1,
    );
    deaf.call("{}", LONG).await.unwrap();
    deaf.close().await;
    assert_eq!(processes_of(&deaf), Vec::<String>::new());
}

#[tokio::test]
async fn a_dropped_pool_leaves_no_process() {
    let pool = shells();
    still_answers(&pool).await;
    let mark = pool.mark.clone();
    drop(pool);
    let whose = crate::leftovers::Whose::Pool(mark);
    assert!(!crate::leftovers::any(&whose));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_at_once_get_a_worker_each_up_to_the_limit() {
    let pool = std::sync::Arc::new(pool_of(SHELL, 3));
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let pool = std::sync::Arc::clone(&pool);
        calls.spawn(async move { run(&pool, r#"sleep 0.1; reply '"n":1'"#, LONG).await });
    }
    while let Some(answer) = calls.join_next().await {
        answer.unwrap().unwrap();
    }
    assert_eq!(pool.n_started.load(super::Ordering::Relaxed), 3);
    pool.close().await;
}

#[tokio::test]
async fn fifty_crashes_use_nothing_up() {
    let pool = shells();
    still_answers(&pool).await;
    let before = open_descriptors();
    for n in 0..50 {
        let code = if n % 2 == 0 {
            "kill -ABRT $$"
        } else {
            "sleep 1000 & exit 3"
        };
        trouble(&pool, code).await;
    }
    still_answers(&pool).await;
    // Other tests of this process open and close theirs at the same time.
    assert!(
        open_descriptors() < before + 150,
        "{} then {before}",
        open_descriptors()
    );
    assert_eq!(processes_of(&pool).len(), 1);
    assert!(n_zombies() < 20, "{}", n_zombies());
    pool.close().await;
}

#[tokio::test]
async fn each_worker_is_prepared_once_and_not_within_the_deadline() {
    let script = r#"
    echo '{"test":1}' >&4
    id=0; n=0
    while read -r line <&3; do
      id=$((id + 1))
      case $line in *slow*) sleep 1.2; n=$((n + 1));; *exit*) exit 3;; esac
      echo "{\"id\":$id,\"prepared\":$n}" >&4
    done"#;
    let pool = pool_of(script, 1);
    let deadline = Duration::from_secs(1);
    let call = async |body| {
        let slow = Some(r#"{"slow":1}"#);
        pool.call_prepared(slow, body, deadline).await
    };
    for id in [2, 3] {
        let answer = call("{}").await.unwrap();
        assert_eq!(answer.body, format!(r#"{{"id":{id},"prepared":1}}"#));
    }
    call(r#"{"exit":1}"#).await.unwrap_err();
    assert_eq!(call("{}").await.unwrap().body, r#"{"id":2,"prepared":1}"#);
    let failed = pool
        .call_prepared(Some(r#"{"exit":2}"#), "{}", deadline)
        .await;
    assert_eq!(
        failed.unwrap_err().to_string(),
        "crashed: exited with status 3"
    );
    pool.close().await;
}

#[tokio::test]
async fn a_worker_that_does_not_start_says_why() {
    let missing = Pool::new(
        WorkerCommand::new("no-such-program"),
        HELLO,
        NonZeroUsize::MIN,
    );
    let problem = missing.call("{}", LONG).await.unwrap_err().to_string();
    assert!(
        problem.starts_with("`no-such-program` did not start: No such file"),
        "{problem}"
    );
    for (script, problem) in [
        (
            "echo boo >&2; exit 7",
            "`bash` did not start: exited with status 7: boo",
        ),
        (
            "echo '{\"test\": 2}' >&4; sleep 9",
            "`bash` did not start: it speaks test 2, and 1 is known here",
        ),
        (
            "echo hi >&4; sleep 9",
            "`bash` did not start: it does not speak test, its first line is: `hi`",
        ),
    ] {
        let said = pool_of(script, 1).call("{}", LONG).await.unwrap_err();
        assert_eq!(said.to_string(), problem);
    }
    let mut silent = command("sleep 1000");
    silent.start_deadline = Duration::from_millis(100);
    let silent = Pool::new(silent, HELLO, NonZeroUsize::MIN);
    let said = silent.call("{}", LONG).await.unwrap_err();
    assert_eq!(
        said.to_string(),
        "`bash` did not start: no answer within 100 ms"
    );
    assert_eq!(processes_of(&silent), Vec::<String>::new());
}
