use super::Number;

fn number(lexeme: &str) -> Number {
    Number::from_lexeme(lexeme).unwrap_or_else(|| panic!("{lexeme}"))
}

#[test]
fn only_json_numerals_are_numbers() {
    for lexeme in [
        "0",
        "-0",
        "10",
        "1.50",
        "1e5",
        "1E+05",
        "-1.5e-3",
        "NaN",
        "Infinity",
        "-Infinity",
    ] {
        assert_eq!(number(lexeme).lexeme(), lexeme);
    }
    for lexeme in [
        "", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x1", "1_0", "nan", "-NaN", " 1", "1 ",
        "1e1.5",
    ] {
        assert!(Number::from_lexeme(lexeme).is_none(), "{lexeme:?}");
    }
}

#[test]
fn equality_is_by_exact_value() {
    let big = format!("1{}", "0".repeat(400));
    for (a, b, equal) in [
        ("1", "1.0", true),
        ("-0", "0", true),
        ("-0.0", "0", true),
        ("9007199254740993", "9007199254740992", false),
        ("9007199254740992", "9007199254740992.0", true),
        (&*big, "1e400", true),
        ("1e400", "1e401", false),
        ("100000000000000001", "1e17", false),
        ("1e999999999", "10e999999998", true),
        ("1e999999999", "1e999999998", false),
        ("NaN", "NaN", false),
        ("Infinity", "Infinity", true),
        ("Infinity", "1e400", false),
        ("Infinity", "-Infinity", false),
    ] {
        assert_eq!(number(a) == number(b), equal, "{a} {b}");
    }
}

#[test]
#[expect(clippy::float_cmp, reason = "the nearest binary64 is exact")]
fn kinds_and_conversions_follow_the_numeral() {
    assert!(
        number("-12").is_integer()
            && !number("12.0").is_integer()
            && !number("1e2").is_integer()
            && !number("NaN").is_integer()
    );
    assert_eq!(number("18446744073709551615").as_u64(), Some(u64::MAX));
    assert_eq!(number("18446744073709551616").as_u64(), None);
    assert_eq!(number("1.0").as_u64(), None);
    assert_eq!(number("-1e400").as_f64(), f64::NEG_INFINITY);
    assert!(number("-0.0").as_f64().is_sign_negative());
    assert!(number("NaN").as_f64().is_nan());
    assert_eq!(number("-Infinity").as_f64(), f64::NEG_INFINITY);
    assert!(number("Infinity").decimal().is_none());
}
