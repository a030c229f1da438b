//! What a grader returns, and what is no result.

use holodeck_grader::GraderError;

use super::{error, grade_input, has_python, hostile, result};

#[tokio::test]
async fn what_is_no_result_is_named() {
    if !has_python() {
        return;
    }
    let host = hostile();
    for (input, problem) in [
        ("nan", "score is nan, not between 0 and 1"),
        ("infinity", "score is inf, not between 0 and 1"),
        ("above", "score is 1.5, not between 0 and 1"),
        ("below", "score is -0.1, not between 0 and 1"),
        (
            "huge",
            "score is an integer of very many digits, not between 0 and 1",
        ),
        (
            "none",
            "grader returned NoneType, not bool, int, float or GraderResult",
        ),
        (
            "text",
            "grader returned str, not bool, int, float or GraderResult",
        ),
        (
            "dict",
            "grader returned dict, not bool, int, float or GraderResult",
        ),
        (
            "list",
            "grader returned list, not bool, int, float or GraderResult",
        ),
        ("odd", "RuntimeError: no __await__"),
        (
            "type",
            "grader returned type, not bool, int, float or GraderResult",
        ),
        (
            "complex",
            "grader returned complex, not bool, int, float or GraderResult",
        ),
        ("score is none", "score is of type NoneType, not a number"),
        ("score is text", "score is of type str, not a number"),
        ("score is odd", "RuntimeError: no dtype"),
        ("passed is text", "passed is of type str, not bool or None"),
        (
            "passed is number",
            "passed is of type int, not bool or None",
        ),
        ("reason is number", "reason is of type int, not str or None"),
        (
            "reason is half a pair",
            "reason is not JSON: UnicodeEncodeError",
        ),
        (
            "details is list",
            "details is of type list, not dict or None",
        ),
        (
            "details is text",
            "details is of type str, not dict or None",
        ),
        (
            "details of object",
            "details is not JSON: TypeError: Object of type object is not JSON serializable",
        ),
        (
            "details of set",
            "details is not JSON: TypeError: Object of type set is not JSON serializable",
        ),
        (
            "details of nan",
            "details is not JSON: ValueError: Out of range float values are not JSON compliant",
        ),
        (
            "details of bytes",
            "details is not JSON: TypeError: Object of type bytes is not JSON serializable",
        ),
        (
            "details of tuple keys",
            "details is not JSON: TypeError: keys must be str",
        ),
        (
            "details of half a pair",
            "details is not JSON: UnicodeEncodeError",
        ),
        (
            "details of circle",
            "details is not JSON: ValueError: Circular reference detected",
        ),
        ("details of depth", "details is not JSON: RecursionError"),
        (
            "details of some depth",
            "not a grader result: more than 512 levels of nesting",
        ),
        ("details of huge number", "details is not JSON: ValueError"),
    ] {
        let graded = grade_input(&host, "returns:value", input).await;
        let error = graded.result.unwrap_err();
        assert!(error.to_string().contains(problem), "{input}: {error}");
        // An object whose attributes raise is an exception of the grader's.
        let is_odd = input == "odd";
        assert_eq!(error.escalates(), is_odd, "{input}: {error:?}");
    }
    let error = error(&host, "returns:generator").await;
    assert_eq!(
        error.to_string(),
        "bad result: grader returned generator, not bool, int, float or GraderResult"
    );
    host.close().await;
}

#[tokio::test]
async fn scalars_of_other_libraries_are_numbers() {
    if !has_python() {
        return;
    }
    let host = hostile();
    let value = async |input| {
        let graded = grade_input(&host, "returns:value", input).await;
        serde_json::to_string(&graded.result.unwrap()).unwrap()
    };
    assert_eq!(
        value("scalar 1").await,
        r#"{"score":1.0,"passed":null,"reason":null,"details":null}"#
    );
    assert_eq!(
        value("scalar true").await,
        r#"{"score":1.0,"passed":true,"reason":null,"details":null}"#
    );
    assert_eq!(
        value("scalars inside").await,
        r#"{"score":0.5,"passed":false,"reason":null,"details":{"n":7,"1":[2,3]}}"#
    );
    assert_eq!(
        value("big number").await,
        r#"{"score":1.0,"passed":null,"reason":null,"details":{"n":123456789012345678901234567890,"f":0.1}}"#
    );
    host.close().await;
}

#[tokio::test]
async fn coroutines_are_awaited() {
    if !has_python() {
        return;
    }
    let host = hostile();
    let awaited = result(&host, "returns:eventually").await;
    assert_eq!(
        (awaited.score, awaited.reason.as_deref()),
        (0.25, Some("awaited"))
    );
    assert_eq!(
        result(&host, "returns:checker").await.score.to_string(),
        "0.75"
    );
    host.close().await;
}

#[tokio::test]
async fn ten_megabytes_of_details_pass_and_a_hundred_are_refused() {
    if !has_python() {
        return;
    }
    let host = hostile();
    let graded = grade_input(&host, "returns:big", "10000000").await;
    let details = graded.result.unwrap().details.unwrap();
    assert_eq!(
        details.get("text").unwrap().as_str().unwrap().len(),
        10_000_000
    );
    let graded = grade_input(&host, "returns:big", "100000000").await;
    assert_eq!(
        graded.result,
        Err(GraderError::BadResult {
            message: "details of 100000012 characters, over 64 MiB".to_owned()
        })
    );
    host.close().await;
}
