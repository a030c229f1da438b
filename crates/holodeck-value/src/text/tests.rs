use crate::Value;

fn text_of(json: &str) -> String {
    Value::from_json(json).unwrap().text().into_owned()
}

#[test]
fn scalars_read_as_python_prints_them() {
    for (json, text) in [
        ("null", "None"),
        ("true", "True"),
        ("181001", "181001"),
        ("-0", "0"),
        ("-0.0", "-0.0"),
        ("181001.0", "181001.0"),
        ("1e15", "1000000000000000.0"),
        ("1e16", "1e+16"),
        ("12345e14", "1.2345e+18"),
        ("0.0001", "0.0001"),
        ("0.00001", "1e-05"),
        ("1.5e-7", "1.5e-07"),
        ("1e400", "inf"),
        ("-1e400", "-inf"),
        ("NaN", "nan"),
        ("5e-324", "5e-324"),
        ("0.1000000000000000055", "0.1"),
        ("123456789.125", "123456789.125"),
        ("1e100", "1e+100"),
        ("\"it's\"", "it's"),
    ] {
        assert_eq!(text_of(json), text);
    }
    let long = "7".repeat(5000);
    assert_eq!(text_of(&long), long);
}

#[test]
fn containers_quote_and_escape_as_python_does() {
    for (json, text) in [
        (r#"[1,"a",{"k":null}]"#, "[1, 'a', {'k': None}]"),
        (
            r#"["it's","say \"hi\"","both ' and \""]"#,
            r#"["it's", 'say "hi"', 'both \' and "']"#,
        ),
        (
            r#"{"a":"\\\n\t\r\u0000\u007f\u00a0\u00e9\u2028\ue000\ud83d\ude00"}"#,
            "{'a': '\\\\\\n\\t\\r\\x00\\x7f\\xa0\u{e9}\\u2028\\ue000\u{1f600}'}",
        ),
        ("[\"\u{e0001}\u{1fae8}\"]", "['\\U000e0001\\U0001fae8']"),
        (r#"{"a":1,"b":2,"a":3}"#, "{'a': 3, 'b': 2}"),
    ] {
        assert_eq!(text_of(json), text);
    }
}
