use holodeck_value::Value;

use super::Fuzzy;

fn matches(expected: &str, actual_json: &str) -> bool {
    Fuzzy::new(expected).matches(&Value::from_json(actual_json).unwrap())
}

#[test]
fn same_but_for_case_space_separators_and_number_form() {
    for (expected, actual) in [
        ("206588", "206588"),
        ("206588", "206588.0"),
        ("206588", "\"206,588\""),
        ("206588", "\"206 588\""),
        ("206588", "\"206\u{202f}588\""),
        ("206588", "\"206'588\""),
        ("206588", "\"206\u{2019}588.00\""),
        ("206,588", "2.06588e5"),
        ("14.14%", "0.1414"),
        ("14.14 %", "\"14.14%\""),
        ("-5", "\"\u{2212} 5\""),
        ("nan", "\"NaN\""),
        ("nan", "NaN"),
        ("TRUE", "true"),
        ("none", "null"),
        ("stra\u{df}e", "\"STRASSE\""),
        ("net  cash", "\"Net\\tCash \""),
        ("a , b", "\"a b\""),
        ("[1, 2]", "[1,2]"),
        ("", "\"  \""),
        ("0", "-0.0"),
        ("5", "5.000000001"),
        ("1e+16", "10000000000000000"),
        ("\u{662}\u{665}", "25"),
    ] {
        assert!(matches(expected, actual), "{expected:?} {actual}");
    }
}

#[test]
fn anything_else_differs() {
    for (expected, actual) in [
        ("206588", "206000"),
        ("206588", "\"about 206588\""),
        ("206588", "\"206588 USD\""),
        ("14.14%", "14.14"),
        ("1", "true"),
        ("0", "null"),
        ("0", "\"\""),
        ("", "null"),
        ("5", "5.0000000010000001"),
        ("infinity", "1e400"),
        ("1e9", "\"inf\""),
        ("0x10", "16"),
        ("net cash", "\"netcash\""),
        ("206588", "[206588]"),
        ("1000", "\"1''000\""),
        ("1000", "\"'1000\""),
        ("1000", "\"1' 000\""),
        ("9007199254740993", "9007199254740992"),
        ("1e20000", "1e20001"),
        ("0.1", "\"0.1.\""),
    ] {
        assert!(!matches(expected, actual), "{expected:?} {actual}");
    }
}

#[test]
fn a_json_number_is_read_from_its_numeral() {
    // Both print as 0.1 and 1e+16 in Python.
    assert!(matches("0.1", "0.1000000000000000055"));
    assert!(matches("10000000000000001", "10000000000000001.0"));
    assert!(!matches("10000000000000000", "10000000000000001.0"));
}

#[test]
fn numbers_beyond_the_limits_are_texts() {
    let long = "9".repeat(4301);
    assert!(matches(&long, &long));
    assert!(!matches(&format!("{long}.0"), &long));
    assert!(!matches("1e10001", "10e10000"));
}
