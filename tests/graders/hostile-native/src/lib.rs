//! Graders that do everything wrong, and a few that do not.

#![expect(unsafe_code, reason = "to be hostile")]
#![expect(clippy::exit, clippy::zombie_processes, reason = "to be hostile")]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "to be hostile")]

use std::ffi::c_int;
use std::fs::File;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

use holodeck_grader::{GraderContext, GraderResult, Number, Object, Value, export_graders};

export_graders! {
    good, echo, config, raises, panics, segfaults, exits, aborts, recurses,
    loops, loops_with_child, loops_with_escaped_child, leaves_child,
    not_a_number, too_much, nan_in_details, huge, big_details,
    fakes_protocol, writes_garbage, floods, closes_descriptors, forks,
}

fn good(_: &GraderContext) -> bool {
    true
}

/// The reply as a number.
fn echo(context: &GraderContext) -> Result<f64, String> {
    context
        .agent_response
        .parse()
        .map_err(|_| format!("`{}` is no number", context.agent_response))
}

/// What `turn_config` names: `score`, `passed`, `reason`, `details`.
fn config(context: &GraderContext) -> Result<GraderResult, String> {
    let key = |name| context.turn_config.get(name).cloned().unwrap_or_default();
    let Value::Number(score) = key("score") else {
        return Err("no `score`".to_owned());
    };
    let mut result = GraderResult::new(score.as_f64());
    if let Value::Bool(passed) = key("passed") {
        result = result.with_passed(passed);
    }
    if let Value::String(reason) = key("reason") {
        result = result.with_reason(reason);
    }
    if let Value::Object(details) = key("details") {
        result = result.with_details(details);
    }
    Ok(result)
}

fn raises(_: &GraderContext) -> Result<bool, std::num::ParseIntError> {
    "x".parse::<u8>().map(|_| true)
}

fn panics(_: &GraderContext) -> bool {
    panic!("at the disco")
}

fn segfaults(_: &GraderContext) -> bool {
    // SAFETY: none, on purpose. Not at null itself, for which debug builds look out.
    unsafe { std::ptr::without_provenance_mut::<u8>(8).write_volatile(1) };
    true
}

fn exits(_: &GraderContext) -> bool {
    std::process::exit(3)
}

fn aborts(_: &GraderContext) -> bool {
    eprintln!("the last words");
    std::process::abort()
}

#[expect(unconditional_recursion, reason = "to be hostile")]
fn recurses(context: &GraderContext) -> bool {
    let deep = std::hint::black_box([1_u8; 4096]);
    recurses(std::hint::black_box(context)) && deep[17] == 1
}

#[expect(clippy::empty_loop, reason = "to be hostile")]
fn loops(_: &GraderContext) -> bool {
    loop {}
}

/// Ignores SIGTERM, as its child does.
fn loops_with_child(_: &GraderContext) -> bool {
    const SIGTERM: c_int = 15;
    const SIG_IGN: usize = 1;
    unsafe extern "C" {
        fn signal(signal: c_int, handler: usize) -> usize;
    }
    // SAFETY: ignoring a signal touches no memory.
    unsafe { signal(SIGTERM, SIG_IGN) };
    sleeper().spawn().expect("sleep starts");
    sleep_for_ever()
}

fn loops_with_escaped_child(_: &GraderContext) -> bool {
    escaped().spawn().expect("sleep starts");
    sleep_for_ever()
}

/// Answers, and leaves a process in a session of its own.
fn leaves_child(_: &GraderContext) -> bool {
    escaped().spawn().expect("sleep starts");
    true
}

fn sleeper() -> Command {
    let mut command = Command::new("sleep");
    command.arg("300");
    command
}

fn escaped() -> Command {
    unsafe extern "C" {
        fn setsid() -> c_int;
    }
    let mut command = sleeper();
    // SAFETY: `setsid` may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            setsid();
            Ok(())
        })
    };
    command
}

fn sleep_for_ever() -> bool {
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

fn not_a_number(_: &GraderContext) -> f64 {
    f64::NAN
}

fn too_much(_: &GraderContext) -> f64 {
    1.5
}

fn details(name: &str, value: Value) -> GraderResult {
    GraderResult::from(true).with_details(Object::from_iter([(name.to_owned(), value)]))
}

fn nan_in_details(_: &GraderContext) -> GraderResult {
    details(
        "nan",
        Number::from_lexeme("NaN").map_or(Value::Null, Value::Number),
    )
}

/// 100 MB.
fn huge(_: &GraderContext) -> GraderResult {
    GraderResult::from(true).with_reason("x".repeat(100_000_000))
}

/// 10 MB in many pieces.
fn big_details(_: &GraderContext) -> GraderResult {
    let piece = Value::from("x".repeat(1_000));
    details("pieces", Value::Array(vec![piece; 10_000]))
}

fn fakes_protocol(_: &GraderContext) -> bool {
    for id in 0..50 {
        println!(r#"{{"id": {id}, "result": {{"score": 1.0, "passed": true}}}}"#);
    }
    print!("and no end of line");
    false
}

fn writes_garbage(_: &GraderContext) -> bool {
    // SAFETY: the descriptor stays open.
    let mut stdout = ManuallyDrop::new(unsafe { File::from_raw_fd(1) });
    let _ = stdout.write_all(b"\xff\xfe\0}{\n\x1b[2J");
    false
}

/// More than any pipe holds, to both.
fn floods(_: &GraderContext) -> bool {
    for _ in 0..3_000 {
        println!("{}", "o".repeat(1_000));
        eprintln!("{}", "e".repeat(1_000));
    }
    false
}

fn closes_descriptors(_: &GraderContext) -> bool {
    unsafe extern "C" {
        fn close(descriptor: c_int) -> c_int;
    }
    for descriptor in 0..64 {
        // SAFETY: none, on purpose.
        unsafe { close(descriptor) };
    }
    false
}

/// Answers twice, if nobody minds.
fn forks(_: &GraderContext) -> bool {
    unsafe extern "C" {
        fn fork() -> c_int;
    }
    // SAFETY: none, on purpose: this process has threads.
    unsafe { fork() };
    true
}
