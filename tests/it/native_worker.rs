//! Hostile native graders in workers: each costs its own call, and no process is left.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use holodeck_grader::{Graded, Grader, GraderContext, GraderError, GraderResult};
use holodeck_grader_host::{GraderHost, HostConfig};
use holodeck_tests::library;
use holodeck_worker::{MARKER, READ_FROM, WRITE_TO, WorkerCommand};
use tempfile::TempDir;

/// Longer than any call takes that ends by itself.
const PATIENCE: Duration = Duration::from_secs(20);

/// A host with its folder, whose processes can be told from all others.
struct Host {
    host: GraderHost,
    folder: TempDir,
}

impl Host {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(library::hostile(), folder.path().join("libhostile.so"))
            .unwrap();
        let mut command = WorkerCommand::new(library::native_worker());
        command.env = vec![("HOSTILE_TEST".into(), folder.path().into())];
        let mut config = HostConfig::new(vec![folder.path().to_owned()]);
        config.native_worker = Some(command);
        Self {
            host: GraderHost::new(config),
            folder,
        }
    }
    async fn grader(&self, function: &str) -> Arc<dyn Grader> {
        self.host
            .resolve(&format!("hostile:{function}"))
            .await
            .unwrap()
    }
    async fn call(&self, function: &str, deadline: Duration) -> Graded {
        let context = GraderContext::new("q", "0.7");
        self.grader(function).await.grade(&context, deadline).await
    }
    async fn error(&self, function: &str, deadline: Duration) -> String {
        let error = self.call(function, deadline).await.result.unwrap_err();
        assert!(!error.to_string().contains('\n'), "{error}");
        error.to_string()
    }
    /// Fails if a process that a worker started still runs.
    fn must_have_no_process(&self) {
        let left: Vec<String> = processes(self.folder.path());
        assert!(left.is_empty(), "{left:?}");
    }
}

/// The command lines of running processes that carry our mark.
fn processes(mark: &Path) -> Vec<String> {
    let mark = format!("HOSTILE_TEST={}", mark.display());
    let marked = |folder: &Path| {
        let environ = std::fs::read(folder.join("environ")).unwrap_or_default();
        environ
            .split(|b| *b == 0)
            .any(|variable| variable == mark.as_bytes())
    };
    let Ok(folders) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    folders
        .flatten()
        .map(|entry| entry.path())
        .filter(|folder| marked(folder))
        .map(|folder| std::fs::read_to_string(folder.join("cmdline")).unwrap_or_default())
        .collect()
}

#[tokio::test]
async fn each_hostile_grader_costs_its_own_call() {
    let host = Host::new();
    for (function, told) in [
        ("raises", "error: invalid digit found in string"),
        ("panics", "panic: at the disco"),
        ("segfaults", "grader crashed: signal 11 (SIGSEGV)"),
        ("exits", "grader crashed: exited with status 3"),
        (
            "aborts",
            "grader crashed: signal 6 (SIGABRT): the last words",
        ),
        (
            "not_a_number",
            "bad result: score is NaN, not between 0 and 1",
        ),
        ("too_much", "bad result: score is 1.5, not between 0 and 1"),
        (
            "nan_in_details",
            "bad result: details hold NaN, which is not JSON",
        ),
        (
            "huge",
            "bad result: an answer of 100000054 bytes, over 64 MiB",
        ),
    ] {
        assert_eq!(host.error(function, PATIENCE).await, told, "{function}");
        let good = host.call("good", PATIENCE).await;
        assert_eq!(
            good,
            Ok(GraderResult::from(true)).into(),
            "after {function}"
        );
    }
    let deep = host.error("recurses", PATIENCE).await;
    assert!(deep.starts_with("grader crashed: signal "), "{deep}");
    let closed = host.call("closes_descriptors", PATIENCE).await.result;
    assert!(closed.unwrap_err().escalates());
    host.host.close().await;
    host.must_have_no_process();
}

#[tokio::test]
async fn a_grader_that_never_ends_is_ended_with_all_it_started() {
    let host = Host::new();
    for function in ["loops", "loops_with_child", "loops_with_escaped_child"] {
        host.grader(function).await;
        let begun = Instant::now();
        let told = host.error(function, Duration::from_millis(300)).await;
        assert_eq!(told, "grader timed out after 300 ms", "{function}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{function}");
        let sleepers = processes(host.folder.path());
        assert!(
            sleepers.iter().all(|line| !line.starts_with("sleep")),
            "{function}: {sleepers:?}"
        );
    }
    host.host.close().await;
    host.must_have_no_process();
}

#[tokio::test]
async fn what_a_grader_leaves_behind_ends_with_the_host() {
    let host = Host::new();
    assert!(host.call("leaves_child", PATIENCE).await.result.is_ok());
    assert!(host.call("forks", PATIENCE).await.result.is_ok());
    assert!(host.call("good", PATIENCE).await.result.is_ok());
    host.host.close().await;
    host.must_have_no_process();
}

#[tokio::test]
async fn what_a_grader_prints_is_kept_out_of_the_protocol() {
    let host = Host::new();
    let no = Ok(GraderResult::from(false));
    let fakes = host.call("fakes_protocol", PATIENCE).await;
    assert_eq!(fakes.result, no);
    assert!(
        fakes.stdout.starts_with(r#"{"id": 0, "result""#),
        "{}",
        fakes.stdout
    );
    assert!(
        fakes.stdout.ends_with("and no end of line"),
        "{}",
        fakes.stdout
    );
    let garbage = host.call("writes_garbage", PATIENCE).await;
    assert_eq!(garbage.result, no);
    assert!(garbage.stdout.contains("\0}{\n"), "{:?}", garbage.stdout);
    let flood = host.call("floods", PATIENCE).await;
    assert_eq!(flood.result, no);
    for (text, letter) in [(&flood.stdout, 'o'), (&flood.stderr, 'e')] {
        assert!(
            text.starts_with(letter) && text.len() <= 70 << 10,
            "{}",
            text.len()
        );
    }
    let after = host.call("good", PATIENCE).await;
    assert_eq!(after, Ok(GraderResult::from(true)).into());
    host.host.close().await;
}

#[tokio::test]
async fn what_a_grader_in_c_prints_belongs_to_its_call() {
    let host = Host::new();
    if library::in_c(host.folder.path()).is_none() {
        return;
    }
    let grader = host.host.resolve("in_c:prints").await.unwrap();
    let graded = grader.grade(&GraderContext::new("q", "a"), PATIENCE).await;
    assert_eq!(graded.stdout, "from C, unflushed");
    host.host.close().await;
}

#[tokio::test]
async fn fifty_crashes_exhaust_nothing() {
    let host = Host::new();
    for _ in 0..50 {
        assert!(host.call("segfaults", PATIENCE).await.result.is_err());
    }
    assert!(host.call("good", PATIENCE).await.result.is_ok());
    host.host.close().await;
    host.must_have_no_process();
}

#[tokio::test]
async fn ten_megabytes_go_and_come() {
    let host = Host::new();
    let context = GraderContext::new("é\"\n".repeat(2_500_000), "0.25");
    let graded = host.grader("echo").await.grade(&context, PATIENCE).await;
    assert_eq!(graded.result, Ok(GraderResult::from(0.25)));
    let big = host.call("big_details", PATIENCE).await.result.unwrap();
    assert!(serde_json::to_string(&big).unwrap().len() > 10_000_000);
    let context = GraderContext::new("x".repeat(65 << 20), "0.25");
    let refused = host
        .grader("echo")
        .await
        .grade(&context, PATIENCE)
        .await
        .result;
    assert!(
        matches!(refused, Err(GraderError::NotRun { .. })),
        "{refused:?}"
    );
    host.host.close().await;
}

#[tokio::test]
async fn a_library_that_is_none_is_refused_in_one_line() {
    let host = Host::new();
    let folder = host.folder.path();
    for mistake in ["nameless", "newer"] {
        library::malformed(mistake, folder);
    }
    std::fs::write(folder.join("text.so"), "not a library\n".repeat(100)).unwrap();
    // Cut off in the middle of what is mapped, so that touching the rest is SIGBUS.
    let whole = std::fs::read(library::hostile()).unwrap();
    std::fs::write(folder.join("cut.so"), &whole[..whole.len() / 8]).unwrap();
    for (reference, told) in [
        ("hostile:nobody", "exports no grader `nobody`, only `good`"),
        ("newer:f", "speaks version 2 of the graders' ABI"),
        ("text:f", "text.so: invalid ELF header"),
        ("cut:f", "cut.so"),
        (
            "nameless:f",
            "nameless.so does not export `holodeck_graders_v1`",
        ),
        ("absent:f", "absent"),
    ] {
        let error = host.host.resolve(reference).await.unwrap_err().to_string();
        assert!(
            error.contains(told) && !error.contains('\n'),
            "{reference}: {error}"
        );
    }
    host.host.close().await;
    host.must_have_no_process();
}

#[tokio::test]
async fn a_host_loads_into_its_own_process_when_told_to() {
    let mut config = HostConfig::new(vec![library::hostile().parent().unwrap().to_owned()]);
    config.native_in_process = true;
    let host = GraderHost::new(config);
    let grader = host.resolve("hostile_native:echo").await.unwrap();
    let context = GraderContext::new("q", "0.25");
    let graded = grader.grade(&context, PATIENCE).await;
    assert_eq!(graded, Ok(GraderResult::from(0.25)).into());
    let error = host.resolve("hostile_native:nobody").await.unwrap_err();
    assert!(
        error.to_string().contains("exports no grader `nobody`"),
        "{error}"
    );
    host.close().await;
}

#[test]
fn a_worker_ends_with_its_host_whatever_its_grader_does() {
    let folder = tempfile::tempdir().unwrap();
    let mut worker = Command::new("sh")
        .args(["-c", r#"exec "$0" 3<&0 4>&1 >/dev/null"#])
        .arg(library::native_worker())
        .envs([(READ_FROM, "3"), (WRITE_TO, "4"), (MARKER, "of-this-test")])
        .env("HOSTILE_TEST", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    std::os::unix::fs::symlink(library::hostile(), folder.path().join("libhostile.so")).unwrap();
    let mut answers = BufReader::new(worker.stdout.take().unwrap());
    let mut hello = String::new();
    answers.read_line(&mut hello).unwrap();
    assert!(
        hello.starts_with(r#"{"holodeck_grader":1,"language":"native","#),
        "{hello}"
    );
    let request = serde_json::json!({
        "id": 1,
        "grade": "hostile:loops_with_escaped_child",
        "folders": [folder.path()],
        "context": {},
    });
    writeln!(worker.stdin.as_ref().unwrap(), "{request}").unwrap();
    let sleeps = |line: &String| line.starts_with("sleep");
    wait_until(|| processes(folder.path()).iter().any(sleeps));
    drop((worker.stdin.take(), answers));
    wait_until(|| processes(folder.path()).is_empty());
    assert!(!worker.wait().unwrap().success());
}

#[track_caller]
fn wait_until(condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < PATIENCE, "it does not come to that");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[tokio::test]
#[ignore = "a measurement: run it alone, in release"]
async fn a_call_in_a_warm_worker_is_quick() {
    let host = Host::new();
    let grader = host.grader("good").await;
    let mut context = GraderContext::new("what is the difference from 2008's 181001?", "25587");
    context
        .turn_config
        .insert("turn_program", "subtract(206588, 181001)".into());
    let mut times = Vec::new();
    for _ in 0..5_000 {
        let begun = Instant::now();
        assert!(grader.grade(&context, PATIENCE).await.result.is_ok());
        times.push(begun.elapsed());
    }
    times.sort();
    let median = times[times.len() / 2];
    host.host.close().await;
    assert!(median < Duration::from_micros(150), "{median:?}");
}
