use crate::Value;

#[test]
fn ascii_json_len_is_that_of_python_dumps() {
    for (json, len) in [
        (r#"{"a": [1, 2]}"#, 13),
        (r#""25587.0""#, 9),
        ("null", 4),
        ("false", 5),
        ("[]", 2),
        ("{}", 2),
        ("\"\u{e9}\"", 8),
        ("\"\u{1f600}\"", 14),
        (r#""\n\u0001\u007f\"""#, 18),
        ("1.50", 3),
        ("1e400", 8),
        ("NaN", 3),
        ("1e16", 5),
        (r#"{"a":1,"b":[true,"x"]}"#, 26),
    ] {
        assert_eq!(
            Value::from_json(json).unwrap().ascii_json_len(),
            len,
            "{json}"
        );
    }
}

#[test]
fn a_value_stays_small() {
    assert!(size_of::<Value>() <= 32);
}
