use super::*;

fn problem(json: &str) -> String {
    GraderResult::from_json(json.as_bytes())
        .unwrap_err()
        .to_string()
}

#[test]
fn score_outside_zero_to_one_is_refused() {
    for score in [
        f64::NAN,
        f64::INFINITY,
        -f64::INFINITY,
        1.5,
        1.0 + f64::EPSILON,
        -1e-300,
    ] {
        assert!(GraderResult::new(score).check().is_err(), "{score}");
    }
    for score in [0.0, -0.0, 0.5, 1.0] {
        assert!(GraderResult::new(score).check().is_ok(), "{score}");
    }
    assert_eq!(
        problem(r#"{"score": 7}"#),
        "score is 7, not between 0 and 1"
    );
}

#[test]
fn json_of_another_form_is_refused() {
    for json in [
        "",
        "1.0",
        "true",
        "[1.0]",
        "{}",
        r#"{"score": null}"#,
        r#"{"score": "1"}"#,
        r#"{"score": true}"#,
        r#"{"score": NaN}"#,
        r#"{"score": 1e999}"#,
        r#"{"score": 1, "score": 0}"#,
        r#"{"score": 1, "passed": "yes"}"#,
        r#"{"score": 1, "passed": 1}"#,
        r#"{"score": 1, "pased": false}"#,
        r#"{"score": 1, "details": [1]}"#,
        r#"{"score": 1, "details": {"x": NaN}}"#,
        r#"{"score": 1} {"score": 1}"#,
        "{\"score\": 1, \"reason\": \"\u{0}\"}",
    ] {
        assert!(GraderResult::from_json(json.as_bytes()).is_err(), "{json}");
    }
    assert!(GraderResult::from_json(b"{\"score\": 1, \"reason\": \"\xff\"}").is_err());
}

#[test]
fn details_that_are_not_json_are_refused() {
    let mut details = Object::new();
    details.insert("x", Value::Array(vec![Value::Number(nan())]));
    assert_eq!(
        GraderResult::new(1.0)
            .with_details(details)
            .check()
            .unwrap_err()
            .to_string(),
        "details hold NaN, which is not JSON"
    );
}

#[test]
fn details_nested_too_deep_are_refused() {
    let nested = |depth| {
        let inner = (0..depth).fold(Value::Null, |value, _| Value::Array(vec![value]));
        GraderResult::new(1.0)
            .with_details([("x".to_owned(), inner)].into_iter().collect())
            .check()
    };
    assert!(nested(json::MAX_DEPTH + 1).is_err());
    // What passes can be read back.
    let passed = (1..=json::MAX_DEPTH)
        .rev()
        .find_map(|depth| nested(depth).ok())
        .unwrap();
    let json = serde_json::to_vec(&passed).unwrap();
    assert_eq!(GraderResult::from_json(&json), Ok(passed));
}

fn nan() -> Number {
    Number::from_lexeme("NaN").unwrap()
}
