use holodeck_value::{Object, Value};

use crate::{
    ActualCall, ArgMatcher, CallVerdict, ExpectedCall, Form, Fuzzy, Miss, Problem, select,
};

/// `expected` as authors write it (without regex), `calls` as `[name, args]`.
fn check(expected: &str, calls: &str) -> CallVerdict {
    let Value::Array(calls) = Value::from_json(calls).unwrap() else {
        panic!("{calls}")
    };
    let calls: Vec<_> = calls
        .iter()
        .map(|call| match call {
            Value::Array(call) => ActualCall {
                name: call[0].as_str().unwrap(),
                args: call[1].as_object(),
            },
            other => panic!("{other:?}"),
        })
        .collect();
    select(&entry(expected), &calls)
}

fn entry(json: &str) -> ExpectedCall {
    let value = Value::from_json(json).unwrap();
    let entry = value.as_object().unwrap();
    let matcher = |value: &Value| match value.as_object().and_then(|o| o.get("fuzzy")) {
        Some(text) => ArgMatcher::Fuzzy(Fuzzy::new(text.as_str().unwrap())),
        None => ArgMatcher::Literal(value.clone()),
    };
    let asserted = |args: &Object| {
        args.iter()
            .map(|(k, v)| (k.to_owned(), matcher(v)))
            .collect()
    };
    ExpectedCall {
        name: entry.get("name").unwrap().as_str().unwrap().to_owned(),
        args: entry.get("args").and_then(Value::as_object).map(asserted),
        count: entry
            .get("count")
            .map_or(1, |count| count.text().parse().unwrap()),
        form: Form::Object,
    }
}

#[test]
fn first_satisfying_call_is_told() {
    let verdict = check(
        r#"{"name":"sub","args":{"a":206588}}"#,
        r#"[["subtract",{"a":1}],["mcp__subtract",{"a":206588.0,"b":2}],["sub",{"a":206588}]]"#,
    );
    assert_eq!(
        verdict,
        CallVerdict {
            passed: true,
            matched_call: Some(1),
            miss: None
        }
    );
}

#[test]
fn args_must_match_together_in_one_call() {
    let verdict = check(
        r#"{"name":"s","args":{"a":1,"b":2}}"#,
        r#"[["s",{"a":1,"b":0}],["s",{"a":0,"b":2}]]"#,
    );
    assert!(!verdict.passed);
    assert_eq!(verdict.matched_call, None);
}

#[test]
fn nearest_is_the_first_of_those_with_most_matching_args() {
    let verdict = check(
        r#"{"name":"s","args":{"a":1,"b":2,"c":3}}"#,
        r#"[["s",{"a":1}],["other",{"a":1,"b":2,"c":3}],["s",{"a":1,"b":2,"c":0}],["s",{"a":0,"b":2,"c":3}]]"#,
    );
    let Some(Miss::Nearest { call, args, .. }) = verdict.miss else {
        panic!("{verdict:?}")
    };
    assert_eq!((call, args.len()), (2, 1));
    assert_eq!(args[0].name, "c");
}

#[test]
fn too_few_names_the_nearest_of_the_unsatisfying() {
    let verdict = check(
        r#"{"name":"s","args":{"a":1},"count":2}"#,
        r#"[["s",{"a":1}],["s",{}],["s",{"a":2}]]"#,
    );
    let Some(Miss::TooFew {
        expected: 2,
        got: 1,
        nearest: Some((call, args)),
    }) = verdict.miss
    else {
        panic!("{verdict:?}")
    };
    assert_eq!(call, 1);
    assert!(matches!(args[0].problem, Problem::Missing { .. }));
    assert_eq!((verdict.passed, verdict.matched_call), (false, None));
}

#[test]
fn a_missing_argument_is_not_null() {
    assert!(!check(r#"{"name":"s","args":{"z":null}}"#, r#"[["s",{}]]"#).passed);
    assert!(check(r#"{"name":"s","args":{"z":null}}"#, r#"[["s",{"z":null}]]"#).passed);
}

#[test]
fn arguments_that_are_no_mapping_satisfy_the_name_only() {
    assert!(check(r#"{"name":"s","args":{}}"#, r#"[["s",null]]"#).passed);
    let verdict = check(r#"{"name":"s","args":{"a":1}}"#, r#"[["s",null]]"#);
    let Some(Miss::Nearest { args, .. }) = verdict.miss else {
        panic!("{verdict:?}")
    };
    assert!(matches!(args[0].problem, Problem::NoArguments { .. }));
}

#[test]
fn count_is_a_lower_bound() {
    let calls = r#"[["s",{}],["s",{}],["s",{}]]"#;
    for (count, passed) in [(1, true), (3, true), (4, false)] {
        assert_eq!(
            check(&format!(r#"{{"name":"s","count":{count}}}"#), calls).passed,
            passed
        );
    }
}

#[test]
fn names_are_case_sensitive_and_calls_are_listed_once() {
    let verdict = check(
        r#"{"name":"Sub"}"#,
        r#"[["subtract",{}],["lookup",{}],["subtract",{}]]"#,
    );
    assert_eq!(
        verdict.miss,
        Some(Miss::NoSuchCall {
            name: "Sub".to_owned(),
            called: vec!["subtract".to_owned(), "lookup".to_owned()]
        })
    );
}
