//! Exported graders, called through the table as a host does.

#![expect(unsafe_code, reason = "what crosses a C ABI is called here")]
#![expect(clippy::unwrap_used, reason = "a test that can't go on has failed")]

use holodeck_grader::abi::{self, Bytes, Table};
use holodeck_grader::{GraderContext, GraderResult, Value, export_graders};

fn verdict(_: &GraderContext) -> bool {
    true
}
fn score(context: &GraderContext) -> f64 {
    context.tool_invocations[0].args.text().parse().unwrap()
}
fn result(context: &GraderContext) -> GraderResult {
    GraderResult::new(0.25).with_reason(context.agent_response.clone())
}
fn fallible(context: &GraderContext) -> Result<bool, std::num::ParseIntError> {
    context.agent_response.parse::<i32>().map(|n| n > 0)
}
fn not_a_score(_: &GraderContext) -> f64 {
    f64::NAN
}
fn panics(_: &GraderContext) -> Result<f64, String> {
    panic!("boom {}", 1)
}
fn panics_with_a_bomb(_: &GraderContext) -> bool {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("in the destructor");
        }
    }
    std::panic::panic_any(Bomb)
}

export_graders! {
    verdict, score, result, fallible, not_a_score, panics, panics_with_a_bomb,
}

unsafe extern "C" {
    fn holodeck_graders_v1() -> *const Table;
}

fn table() -> &'static Table {
    // SAFETY: the function that the macro made gives a static.
    unsafe { &*holodeck_graders_v1() }
}

/// Takes what a function of the table writes, and frees it.
fn taken(call: impl FnOnce(*mut Bytes) -> i32) -> (i32, Value) {
    let mut out = Bytes::EMPTY;
    let status = call(&raw mut out);
    // SAFETY: the library wrote a buffer, which is copied here and handed back once.
    let text = unsafe {
        let text = std::slice::from_raw_parts(out.data, out.len).to_vec();
        (table().free.unwrap())(out);
        text
    };
    let text = String::from_utf8(text).unwrap();
    (status, Value::from_json(&text).unwrap())
}

fn call(name: &str, context: &[u8]) -> (i32, Value) {
    // SAFETY: both texts live for the time of the call.
    taken(|out| unsafe {
        (table().call.unwrap())(
            name.as_ptr(),
            name.len(),
            context.as_ptr(),
            context.len(),
            out,
        )
    })
}

#[track_caller]
fn check(name: &str, context: &str, status: i32, answer: &str) {
    assert_eq!(
        call(name, context.as_bytes()),
        (status, Value::from_json(answer).unwrap())
    );
}

#[test]
fn all_names_are_described() {
    // SAFETY: `out` is a place to write to.
    let (status, answer) = taken(|out| unsafe { (table().describe.unwrap())(out) });
    assert_eq!(status, abi::OK);
    assert_eq!(
        answer.to_json(),
        r#"{"graders":["verdict","score","result","fallible","not_a_score","panics","panics_with_a_bomb"]}"#
    );
}

#[test]
fn the_table_begins_with_size_and_version() {
    assert_eq!(table().size, size_of::<Table>());
    assert_eq!(table().version, 1);
    assert_eq!(abi::SYMBOL, "holodeck_graders_v1");
}

#[test]
fn each_kind_of_result_is_given_back() {
    check(
        "verdict",
        "{}",
        abi::OK,
        r#"{"score": 1, "passed": true, "reason": null, "details": null}"#,
    );
    check(
        "score",
        r#"{"tool_invocations": [{"args": 0.7}]}"#,
        abi::OK,
        r#"{"score": 0.7, "passed": null, "reason": null, "details": null}"#,
    );
    check(
        "result",
        r#"{"agent_response": "é\n"}"#,
        abi::OK,
        r#"{"score": 0.25, "passed": null, "reason": "é\n", "details": null}"#,
    );
    check(
        "fallible",
        r#"{"agent_response": "-1"}"#,
        abi::OK,
        r#"{"score": 0, "passed": false, "reason": null, "details": null}"#,
    );
}

#[test]
fn what_is_no_result_is_told() {
    check(
        "fallible",
        r#"{"agent_response": "x"}"#,
        abi::RAISED,
        r#"{"kind": "error", "message": "invalid digit found in string", "trace": null}"#,
    );
    check(
        "not_a_score",
        "{}",
        abi::BAD_RESULT,
        r#"{"kind": "error", "message": "score is NaN, not between 0 and 1", "trace": null}"#,
    );
    let nameless = r#"{"kind": "error", "message": "no grader of that name", "trace": null}"#;
    check("nobody", "{}", abi::UNKNOWN, nameless);
    check("", "{}", abi::UNKNOWN, nameless);
    assert_eq!(call("verdict", b"\xff").0, abi::RAISED);
}

#[test]
fn a_panic_is_caught_with_its_message_and_place() {
    for _ in 0..2 {
        let (status, answer) = call("panics", b"{}");
        let text = |key| answer.as_object().unwrap().get(key).unwrap().text();
        assert_eq!(status, abi::PANICKED);
        assert_eq!(text("message"), "boom 1");
        assert!(text("trace").contains("exported.rs:"), "{}", text("trace"));
    }
    assert_eq!(call("panics_with_a_bomb", b"{}").0, abi::PANICKED);
    assert_eq!(call("verdict", b"{}").0, abi::OK);
}
