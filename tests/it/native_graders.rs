//! Native graders in this process: libraries opened, refused and called.

use std::path::Path;
use std::time::{Duration, Instant};

use holodeck_grader::{
    Graded, GraderContext, GraderError, GraderResult, PreviousTurn, ToolInvocation, Value,
};
use holodeck_grader_host::native::{self, Library};
use holodeck_tests::library;

/// Calls a grader in this process.
fn call(library: &Library, function: &str, context: &GraderContext) -> Graded {
    let grader = library.grader(function).unwrap();
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(grader.grade(context, Duration::from_secs(1)))
}

fn result(library: &Library, function: &str) -> Result<GraderResult, GraderError> {
    call(library, function, &GraderContext::new("please", "0.7")).result
}

fn error(library: &Library, function: &str) -> String {
    result(library, function).unwrap_err().to_string()
}

fn refusal(path: &Path) -> String {
    let told = Library::open(path).unwrap_err().to_string();
    assert!(!told.contains('\n'), "{told}");
    told.replace(&path.display().to_string(), "FILE")
}

#[test]
fn what_a_library_does_in_process_is_told() {
    let library = Library::open(library::hostile()).unwrap();
    assert_eq!(result(&library, "good"), Ok(GraderResult::from(true)));
    assert_eq!(result(&library, "echo"), Ok(GraderResult::from(0.7)));
    assert_eq!(
        error(&library, "raises"),
        "error: invalid digit found in string"
    );
    let panic = result(&library, "panics").unwrap_err();
    assert_eq!(panic.to_string(), "panic: at the disco");
    assert!(panic.trace().unwrap().contains("lib.rs:"));
    assert!(panic.escalates());
    for (function, told) in [
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
        let error = result(&library, function).unwrap_err();
        assert_eq!(error.to_string(), told);
        assert!(!error.escalates());
    }
    let big = result(&library, "big_details").unwrap();
    assert!(serde_json::to_string(&big).unwrap().len() > 10_000_000);
    assert!(
        library
            .grader("nobody")
            .unwrap_err()
            .to_string()
            .contains("exports no grader `nobody`, only `good`, ")
    );
}

#[test]
fn ten_megabytes_of_context_are_taken() {
    let library = Library::open(library::hostile()).unwrap();
    let context = GraderContext::new("x".repeat(10_000_000), "0.25");
    assert_eq!(
        call(&library, "echo", &context).result,
        Ok(GraderResult::from(0.25))
    );
}

#[test]
fn a_library_that_is_none_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (mistake, told) in [
        ("nameless", "FILE does not export `holodeck_graders_v1`"),
        (
            "newer",
            "FILE: speaks version 2 of the graders' ABI, this program version 1: build it with a `holodeck-grader` of this program's time",
        ),
        (
            "short",
            "FILE: its table of graders has 16 bytes, fewer than the 40 of this version",
        ),
        ("null", "FILE: `holodeck_graders_v1` gives no table"),
        ("holes", "FILE: its table of graders lacks a function"),
        ("undescribed", "FILE: it gives no list of graders: status 9"),
        (
            "described_badly",
            "FILE: its list of graders can't be read: EOF while parsing a list at line 1 column 19",
        ),
    ] {
        assert_eq!(refusal(&library::malformed(mistake, folder)), told);
    }
    let text = folder.join("text.so");
    std::fs::write(&text, "not a library, whatever its name\n".repeat(100)).unwrap();
    assert_eq!(refusal(&text), "FILE: invalid ELF header");
    std::fs::write(&text, "\x7fELF").unwrap();
    assert_eq!(refusal(&text), "FILE does not export `holodeck_graders_v1`");
}

#[test]
fn a_library_is_found_along_the_folders_past_what_is_none() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folders = [first.path().to_owned(), second.path().to_owned()];
    let find = |module| native::find(&folders, module);
    assert!(
        find("pack.g")
            .unwrap_err()
            .to_string()
            .starts_with("no library `pack.g` in ")
    );
    let built = library::malformed("nameless", first.path());
    std::fs::create_dir(first.path().join("pack")).unwrap();
    std::fs::rename(built, first.path().join("pack/g.so")).unwrap();
    assert!(
        find("pack.g")
            .unwrap_err()
            .to_string()
            .contains("pack/g.so does not export")
    );
    std::fs::create_dir(second.path().join("pack")).unwrap();
    std::fs::copy(library::hostile(), second.path().join("pack/libg.so")).unwrap();
    assert!(
        find("pack.g")
            .unwrap()
            .graders()
            .contains(&"good".to_owned())
    );
}

#[test]
fn graders_in_c_are_called_by_the_header_alone() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = library::in_c(folder.path()) else {
        return;
    };
    let library = Library::open(&path).unwrap();
    assert_eq!(result(&library, "polite"), Ok(GraderResult::from(1.0)));
    let rude = call(&library, "polite", &GraderContext::new("now", ""))
        .result
        .unwrap();
    assert_eq!(rude, GraderResult::from(0.0).with_reason("no \"please\""));
    assert_eq!(result(&library, "lines"), Ok(GraderResult::from(0.5)));
    for (function, escalates, told) in [
        ("fails", true, "error: in plain words"),
        ("fails_in_json", true, "IoError: no disk"),
        ("odd_status", true, "status 77: x"),
        ("unknown", true, "error"),
        ("bad", false, "bad result: not to my liking"),
        (
            "nowhere",
            false,
            "bad result: an answer of 5 bytes that are nowhere",
        ),
        (
            "text_score",
            false,
            "bad result: not a grader result: invalid type: string \"1\", expected f64 at line 1 column 13",
        ),
    ] {
        let error = result(&library, function).unwrap_err();
        assert_eq!(error.to_string(), told);
        assert_eq!(error.escalates(), escalates, "{function}");
    }
    for function in ["garbage", "nothing", "typing_error"] {
        assert!(error(&library, function).starts_with("bad result: not a grader result: "));
    }
    let counted = result(&library, "n_out").unwrap().details.unwrap();
    assert_eq!(
        counted.get("n_out"),
        Some(&Value::from(0_u64)),
        "buffers are handed back once each"
    );
}

#[test]
#[ignore = "a measurement: run it alone, in release"]
fn a_call_in_process_is_quick() {
    let library = Library::open(library::hostile()).unwrap();
    let grader = library.grader("good").unwrap();
    let mut context = GraderContext::new("what is the difference from 2008's 181001?", "25587");
    context
        .turn_config
        .insert("turn_program", "subtract(206588, 181001)".into());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let begun = Instant::now();
    for _ in 0..100_000 {
        assert!(
            runtime
                .block_on(grader.grade(&context, Duration::ZERO))
                .result
                .is_ok()
        );
    }
    let each = begun.elapsed() / 100_000;
    assert!(each < Duration::from_micros(5), "{each:?}");
}

#[test]
fn the_example_follows_back_references_through_the_turns() {
    let library = Library::open(library::example()).unwrap();
    let call = |name: &str, args: &str| ToolInvocation::new(name, Value::from_json(args).unwrap());
    let mut context = GraderContext::new("and as a percentage?", "14.1%");
    let judged = |context: &GraderContext| self::call(&library, "turn_program", context).result;
    assert_eq!(
        judged(&context).unwrap_err().to_string(),
        "error: the turn has no `turn_program`"
    );
    context.turn_config.insert(
        "turn_program",
        "subtract(206588, 181001), divide(#0, 181001)".into(),
    );
    let reason = |context: &GraderContext| judged(context).unwrap().reason.unwrap();
    assert_eq!(
        reason(&context),
        "subtract was not called with [206588.0, 181001.0]"
    );
    let mut before = PreviousTurn::new("what is the difference?", "25587");
    before.tool_invocations = vec![call("subtract", r#"{"a": 206588, "b": "181001"}"#)];
    context.previous_turns = vec![before];
    assert_eq!(
        reason(&context),
        "divide was not called with [25587.0, 181001.0]"
    );
    context.tool_invocations = vec![call("divide", r#"{"a": 181001, "b": 25587.0}"#)];
    assert_eq!(judged(&context).unwrap().passed, Some(false));
    context.tool_invocations = vec![call(
        "divide",
        r#"{"a": 25587.0, "b": 181001, "note": "x"}"#,
    )];
    assert_eq!(judged(&context), Ok(GraderResult::from(true)));
    for program in [
        "divide(#1, 2)",
        "divide(1)",
        "power(2, 3)",
        "181001 206588",
        "",
    ] {
        context.turn_config.insert("turn_program", program.into());
        assert!(judged(&context).is_err(), "{program}");
    }
    context.turn_config.insert("turn_program", "206588".into());
    assert_eq!(judged(&context), Ok(GraderResult::from(true)));
}
