use holodeck_value::Value;

use crate::{ActualCall, ArgMatcher, ExpectedCall, Form, Fuzzy, PyRegex, select};

fn literal(json: &str) -> ArgMatcher {
    ArgMatcher::Literal(Value::from_json(json).unwrap())
}

fn expected(args: Vec<(&str, ArgMatcher)>, count: u32) -> ExpectedCall {
    ExpectedCall {
        name: "subtract".to_owned(),
        args: Some(
            args.into_iter()
                .map(|(name, matcher)| (name.to_owned(), matcher))
                .collect(),
        ),
        count,
        form: Form::Object,
    }
}

/// The reason why calls of these names and arguments (JSON) fail.
fn reason(expected: &ExpectedCall, calls: &[(&str, &str)]) -> String {
    let args: Vec<Value> = calls
        .iter()
        .map(|(_, json)| Value::from_json(json).unwrap())
        .collect();
    let calls: Vec<_> = calls
        .iter()
        .zip(&args)
        .map(|((name, _), args)| ActualCall {
            name,
            args: args.as_object(),
        })
        .collect();
    select(expected, &calls).miss.unwrap().to_string()
}

#[test]
fn reasons_name_what_was_expected_and_got() {
    let two = expected(
        vec![
            ("a", literal("206588")),
            ("b", ArgMatcher::Fuzzy(Fuzzy::new("181001"))),
        ],
        1,
    );
    for (calls, wanted) in [
        (&[][..], "no call to 'subtract' found; no calls were made"),
        (
            &[("add", "{}"), ("divide", "{}"), ("add", "{}")],
            "no call to 'subtract' found; calls made: add, divide",
        ),
        (
            &[("x", "{}"), ("mcp__subtract", r#"{"a":"206588","b":1e16}"#)],
            "arg 'a' mismatch: expected 206588 (integer), got \"206588\" (string); arg 'b' mismatch: expected fuzzy \"181001\", got 1e16 (as text: 1e+16) (nearest is call 2, 'mcp__subtract')",
        ),
        (
            &[("subtract", r#"{"a":206588.5,"b":181001}"#)],
            "arg 'a' mismatch: expected 206588, got 206588.5 (nearest is call 1, 'subtract')",
        ),
        (
            &[("subtract", r#"{"a":206588}"#)],
            "arg 'b' missing: expected fuzzy \"181001\" (nearest is call 1, 'subtract')",
        ),
    ] {
        assert_eq!(reason(&two, calls), wanted);
    }
    let twice = expected(vec![("a", literal("1"))], 2);
    let fits = ("subtract", r#"{"a":1}"#);
    assert_eq!(reason(&twice, &[fits]), "expected 2 matching calls, got 1");
    assert_eq!(
        reason(&twice, &[fits, ("subtract", r#"{"a":2}"#)]),
        "expected 2 matching calls, got 1; nearest other is call 2: arg 'a' mismatch: expected 1, got 2"
    );
    assert_eq!(
        reason(&twice, &[("subtract", "null")]),
        "arg 'a' missing, as the call's arguments are not a mapping: expected 1 (nearest is call 1, 'subtract')"
    );
}

#[test]
fn long_values_are_cut_between_characters() {
    let actual = format!("{{\"a\":\"{}\"}}", "\u{e9}".repeat(10_000));
    let shown = reason(
        &expected(vec![("a", literal("\"x\""))], 1),
        &[("subtract", &actual)],
    );
    assert!(
        shown.contains(&format!("got \"{}…", "\u{e9}".repeat(199))),
        "{shown}"
    );
    assert!(shown.chars().count() < 300);
}

#[test]
fn expectations_show_short() {
    let matchers = vec![
        ("a", literal("206588")),
        ("b", ArgMatcher::Fuzzy(Fuzzy::new("181001"))),
    ];
    assert_eq!(
        expected(matchers, 2).to_string(),
        "subtract(a=206588, b\u{2248}181001) x2"
    );
    let bare = ExpectedCall {
        args: None,
        ..expected(vec![], 1)
    };
    assert_eq!(bare.to_string(), "subtract");
}

#[test]
fn regex_misses_show_the_text_that_was_matched() {
    let regex = |pattern| ArgMatcher::Regex(PyRegex::new(pattern).unwrap());
    let matchers = vec![("a", regex("true")), ("b", regex(r"(a|b|ab)*\1c"))];
    let catastrophe = "ab".repeat(40);
    let shown = reason(
        &expected(matchers.clone(), 1),
        &[(
            "subtract",
            &format!("{{\"a\":true,\"b\":\"{catastrophe}\"}}"),
        )],
    );
    assert_eq!(
        shown,
        format!(
            "arg 'a' mismatch: expected regex `true`, got true (as text: True); arg 'b': regex gave up after 1000000 steps: \
             expected regex `(a|b|ab)*\\1c`, got \"{catastrophe}\" (nearest is call 1, 'subtract')"
        )
    );
    assert_eq!(
        expected(matchers, 1).to_string(),
        r"subtract(a~true, b~(a|b|ab)*\1c)"
    );
}

#[test]
fn look_alikes_are_told_apart() {
    let shown = reason(
        &expected(vec![("a", literal("\"New York\""))], 1),
        &[("subtract", "{\"a\":\"New\u{a0}York\u{200b}\"}")],
    );
    assert_eq!(
        shown,
        r#"arg 'a' mismatch: expected "New York", got "New\u{a0}York\u{200b}" (nearest is call 1, 'subtract')"#
    );
}
