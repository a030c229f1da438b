//! No process is left behind, whatever graders start. A test of its own, as it looks at all workers of its process.

#![expect(clippy::unwrap_used, reason = "a test that can't go on has failed")]

use std::path::Path;
use std::time::Duration;

use holodeck_grader::{GraderContext, GraderError};
use holodeck_grader_host::{GraderHost, HostConfig};
use holodeck_tests::has_python;

/// Seconds that a process sleeps which has no mark any more.
const UNMARKED: &str = "98764";

/// Command lines of processes that carry the mark of a worker of `host`, or sleep unmarked.
fn leftovers(host: u32) -> Vec<String> {
    let mark = format!("HOLODECK_WORKER_ID={host}-");
    std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| {
            let folder = entry.unwrap().path();
            let environ = std::fs::read(folder.join("environ")).ok()?;
            let cmdline = std::fs::read_to_string(folder.join("cmdline")).ok()?;
            let is_marked = environ
                .split(|b| *b == 0)
                .any(|e| e.starts_with(mark.as_bytes()));
            (is_marked || cmdline.split('\0').any(|part| part == UNMARKED)).then_some(cmdline)
        })
        .collect()
}

fn n_open() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

fn n_zombies() -> usize {
    let stats = std::fs::read_dir("/proc").unwrap();
    stats
        .filter_map(|entry| std::fs::read_to_string(entry.unwrap().path().join("stat")).ok())
        .filter(|stat| stat.contains(&format!(") Z {} ", std::process::id())))
        .count()
}

fn hostile() -> GraderHost {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/graders/hostile_python");
    GraderHost::new(HostConfig::new(vec![folder]))
}

/// The other test starts this one to kill it.
#[tokio::test]
#[ignore = "hangs on purpose"]
async fn a_host_to_be_killed() {
    let host = hostile();
    let grader = host.resolve("hangs:with_setsid_child").await.unwrap();
    let context = GraderContext::new("input", "answer");
    grader
        .grade(&context, Duration::from_mins(1))
        .await
        .result
        .unwrap();
}

async fn nothing_is_left_of_a_host_that_is_killed() {
    let mut host = tokio::process::Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "a_host_to_be_killed"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let id = host.id().unwrap();
    let come_to = async |wanted: fn(&[String]) -> bool| {
        for _ in 0..1_000 {
            if wanted(&leftovers(id)) {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        false
    };
    let sleeps = |all: &[String]| all.iter().any(|line| line.starts_with("sleep\0"));
    assert!(come_to(sleeps).await, "its grader does not run");
    host.kill().await.unwrap();
    assert!(come_to(<[_]>::is_empty).await, "{:?}", leftovers(id));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_left_of_graders_that_hang_crash_or_leave_children() {
    if !has_python() {
        return;
    }
    nothing_is_left_of_a_host_that_is_killed().await;

    let host = hostile();
    let context = GraderContext::new("input", "answer");
    for reference in [
        "hangs:deaf",
        "hangs:with_child",
        "hangs:with_setsid_child",
        "hangs:with_daemon",
        "hangs:with_stopped_child",
    ] {
        let grader = host.resolve(reference).await.unwrap();
        let graded = grader.grade(&context, Duration::from_millis(500)).await;
        assert_eq!(
            graded.result,
            Err(GraderError::TimedOut { after_ms: 500 }),
            "{reference}"
        );
        assert_eq!(
            leftovers(std::process::id()),
            Vec::<String>::new(),
            "{reference}"
        );
    }

    // 50 crashes in a row use nothing up.
    let crashes = host.resolve("ends:exit_3").await.unwrap();
    let open = n_open();
    for _ in 0..50 {
        let graded = crashes.grade(&context, Duration::from_secs(30)).await;
        assert!(
            matches!(graded.result, Err(GraderError::Crashed { .. })),
            "{graded:?}"
        );
    }
    assert!(
        n_open() <= open + 2,
        "{} descriptors, {open} before",
        n_open()
    );
    assert_eq!(n_zombies(), 0);

    // A worker that is killed from outside in the middle of a call.
    let slow = host.resolve("hangs:asleep").await.unwrap();
    let call = slow.grade(&context, Duration::from_secs(30));
    let killer = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let kill = "for p in /proc/[0-9]*; do if grep -qsz \"^HOLODECK_WORKER_ID=$0-\" $p/environ; then kill -9 ${p#/proc/}; fi; done";
        let pid = std::process::id().to_string();
        let status = tokio::process::Command::new("sh")
            .args(["-c", kill, &pid])
            .status();
        assert!(status.await.unwrap().success());
    };
    let (graded, ()) = tokio::join!(call, killer);
    let how = "signal 9 (SIGKILL)".to_owned();
    assert_eq!(graded.result, Err(GraderError::Crashed { how }));

    let leaves = host.resolve("hangs:leaves_a_child").await.unwrap();
    let graded = leaves.grade(&context, Duration::from_secs(30)).await;
    assert_eq!(graded.result.unwrap().passed, Some(true));
    host.close().await;
    assert_eq!(leftovers(std::process::id()), Vec::<String>::new());
    assert_eq!(n_zombies(), 0);
}
