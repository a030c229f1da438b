//! One argument of each kind, and ten thousand calls against a dozen expectations.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use holodeck_match::{ActualCall, ArgMatcher, ExpectedCall, Form, Fuzzy, PyRegex, select};
use holodeck_value::{Object, Value};

fn literal(json: &str) -> ArgMatcher {
    ArgMatcher::Literal(json_value(json))
}

fn fuzzy(text: &str) -> ArgMatcher {
    ArgMatcher::Fuzzy(Fuzzy::new(text))
}

fn regex(pattern: &str) -> ArgMatcher {
    ArgMatcher::Regex(PyRegex::new(pattern).expect("a pattern written here"))
}

fn json_value(json: &str) -> Value {
    Value::from_json(json).expect("JSON written here")
}

/// One matcher, one value.
fn arguments(c: &mut Criterion) {
    let words = "Net cash provided by operating activities, as restated in the filing of the year 2009, in thousands.";
    let digits = format!("\"1{}\"", "0 ".repeat(49));
    let cases = [
        ("literal integer", literal("206588"), "206588".to_owned()),
        (
            "literal integer, float",
            literal("206588"),
            "206588.0".to_owned(),
        ),
        (
            "literal string of 100 bytes",
            literal(&format!("\"{words}\"")),
            format!("\"{words}\""),
        ),
        (
            "fuzzy words of 100 bytes",
            fuzzy(words),
            format!("\"{}\"", words.to_uppercase()),
        ),
        (
            "fuzzy number, words of 100 bytes",
            fuzzy("206588"),
            format!("\"{words}\""),
        ),
        ("fuzzy number, digits of 100 bytes", fuzzy("1e49"), digits),
        (
            "fuzzy number, separators",
            fuzzy("206588"),
            "\"206,588\"".to_owned(),
        ),
        (
            "fuzzy number, float",
            fuzzy("206588"),
            "206588.0".to_owned(),
        ),
        (
            "fuzzy beyond ASCII",
            fuzzy("stra\u{df}e"),
            "\"STRASSE\"".to_owned(),
        ),
        (
            "warm regex, float",
            regex("^181001(\\.0+)?$"),
            "181001.0".to_owned(),
        ),
        (
            "warm regex, string",
            regex(r"(?i)net cash.*\d{4}.*"),
            format!("\"{words}\""),
        ),
        (
            "warm regex, look-ahead",
            regex(r"(?=.*2009).*thousands\."),
            format!("\"{words}\""),
        ),
    ];
    for (name, matcher, actual) in cases {
        let actual = json_value(&actual);
        let _ = matcher.check(&actual);
        c.bench_function(name, |b| b.iter(|| matcher.check(black_box(&actual))));
    }
}

/// A turn of ten thousand calls.
fn turn(c: &mut Criterion) {
    let args: Vec<Object> = (0..10_000)
        .map(|i| {
            let json = format!("{{\"a\": {i}, \"b\": \"{i},000\", \"note\": \"call {i}\"}}");
            json_value(&json).as_object().expect("a mapping").clone()
        })
        .collect();
    let calls: Vec<_> = args
        .iter()
        .map(|args| ActualCall {
            name: "mcp__calculator__subtract",
            args: Some(args),
        })
        .collect();
    let expectations: Vec<_> = (0..12)
        .map(|i| ExpectedCall {
            name: "subtract".to_owned(),
            args: Some(vec![
                ("a".to_owned(), literal(&format!("{}", i * 800))),
                ("b".to_owned(), fuzzy(&format!("{}", i * 800_000))),
                ("note".to_owned(), regex(r"call \d+")),
            ]),
            count: 1,
            form: Form::Object,
        })
        .collect();
    c.bench_function("ten thousand calls, a dozen expectations", |b| {
        b.iter(|| {
            expectations
                .iter()
                .filter(|expected| select(expected, black_box(&calls)).passed)
                .count()
        });
    });
}

criterion_group!(benches, arguments, turn);
criterion_main!(benches);
