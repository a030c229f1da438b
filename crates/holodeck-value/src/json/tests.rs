use super::{Event, JsonError, MAX_DEPTH, Reader, read};
use crate::Value;

fn error(text: &str) -> JsonError {
    read(text).expect_err(text)
}

#[test]
fn values_are_read_as_python_reads_them() {
    let value = read(
        " {\"a\":[1, -0.50,true,null, \"x\\u00e9\\ud83d\\ude00\\n\"],\t\"b\":{},\"c\":[]} \r\n",
    )
    .unwrap();
    assert_eq!(
        value.to_json(),
        "{\"a\":[1,-0.50,true,null,\"x\u{e9}\u{1f600}\\n\"],\"b\":{},\"c\":[]}"
    );
    assert_eq!(
        read("[NaN,Infinity,-Infinity]").unwrap().text(),
        "[nan, inf, -inf]"
    );
}

#[test]
fn last_duplicate_key_wins_at_the_first_ones_place() {
    assert_eq!(
        read(r#"{"a":1,"b":2,"a":3}"#).unwrap().to_json(),
        r#"{"a":3,"b":2}"#
    );
}

#[test]
fn what_is_not_json_is_refused_at_its_place() {
    for (text, offset) in [
        ("", 0),
        ("  ", 2),
        ("[1,]", 3),
        ("[1 2]", 3),
        ("[", 1),
        ("[1", 2),
        ("[1}", 2),
        ("{\"a\" 1}", 5),
        ("{\"a\":}", 5),
        ("{a:1}", 1),
        ("{\"a\":1,}", 7),
        ("{\"a\":1]", 6),
        ("{,}", 1),
        ("01", 0),
        ("1.", 0),
        ("+1", 0),
        (".5", 0),
        ("-", 0),
        ("1 2", 2),
        ("tru", 0),
        ("nul\u{e9}", 0),
        ("'a'", 0),
        ("\"a", 0),
        ("\"a\nb\"", 2),
        ("\"\\x\"", 1),
        ("\"\\", 2),
        ("\"\\u12\"", 1),
        ("\"\\u12\u{e9}\u{e9}\"", 1),
        ("]", 0),
        ("\u{feff}1", 0),
        ("\u{a0}1", 0),
        ("1e9999999999999999999999999999999", 0),
        ("\"\\\u{e9}\"", 1),
    ] {
        assert_eq!(error(text).offset, offset, "{text:?} {}", error(text));
    }
}

#[test]
fn lone_surrogates_are_refused_in_words() {
    for text in [
        r#""\ud83d""#,
        r#""\ude00""#,
        r#""\ud83dx""#,
        r#""\ud83d\n""#,
        r#""\ude00\ude00""#,
        r#""\ud83d\ud83d""#,
    ] {
        assert_eq!(
            error(text).to_string(),
            "a lone surrogate (half of a character), which is no text at byte 1"
        );
    }
}

#[test]
fn depth_is_limited_and_the_limit_is_safe() {
    let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let deepest = read(&nested(MAX_DEPTH)).unwrap();
    assert_eq!(deepest.text().len(), 2 * MAX_DEPTH);
    assert_eq!(deepest.clone(), deepest);
    drop(deepest);
    assert_eq!(
        error(&nested(MAX_DEPTH + 1)).to_string(),
        "more than 512 levels of nesting at byte 512"
    );
    assert_eq!(error(&"{\"a\":".repeat(1_000_000)).offset, 5 * 512);
}

#[test]
fn events_carry_their_byte_ranges() {
    let text = "{\"\u{e9}\" : [1.50, \"a\\n\"], \"b\": null }";
    let mut reader = Reader::new(text);
    let mut pieces = Vec::new();
    while let Some((event, range)) = reader.next_event().unwrap() {
        pieces.push((event, &text[range]));
    }
    assert_eq!(
        pieces,
        [
            (Event::ObjectStart, "{"),
            (Event::Key("\u{e9}".into()), "\"\u{e9}\""),
            (Event::ArrayStart, "["),
            (Event::Number("1.50"), "1.50"),
            (Event::String("a\n".into()), "\"a\\n\""),
            (Event::ArrayEnd, "]"),
            (Event::Key("b".into()), "\"b\""),
            (Event::Null, "null"),
            (Event::ObjectEnd, "}"),
        ]
    );
}

#[test]
fn an_error_stays() {
    let mut reader = Reader::new("[1 2]");
    while matches!(reader.next_event(), Ok(Some(_))) {}
    assert_eq!(reader.next_event(), reader.next_event());
    assert!(reader.next_event().is_err());
}

#[test]
fn equal_keys_in_any_order_are_equal_mappings() {
    assert_eq!(read(r#"{"a":1,"b":[2]}"#), read(r#"{"b":[2.0],"a":1}"#));
    assert_ne!(read("true").unwrap(), read("1").unwrap());
    assert_ne!(read("\"1\"").unwrap(), Value::from(1_u64));
}
