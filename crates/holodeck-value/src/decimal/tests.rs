use super::Decimal;

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap_or_else(|| panic!("{text}"))
}

fn within(actual: &str, expected: &str, absolute: &str, relative: &str) -> bool {
    decimal(actual).within(&decimal(expected), &decimal(absolute), &decimal(relative))
}

#[test]
fn what_is_no_decimal_is_not_read() {
    for text in [
        "", "+", ".", "-.", "e5", "1e", "1e+", "1..2", "1.2.3", "1 ", "0x1", "--1", "inf", "1e5.0",
        "\u{661}",
    ] {
        assert!(Decimal::parse(text).is_none(), "{text:?}");
    }
    assert!(Decimal::parse(&format!("1e{}", "9".repeat(31))).is_none());
    assert!(Decimal::parse(&format!("1e{}1", "0".repeat(100))).is_some());
}

#[test]
fn equal_values_are_equal_however_written() {
    for (a, b) in [
        ("1", "1.0"),
        ("1", "+001.000"),
        ("100", "1e2"),
        ("0.001", "1E-3"),
        ("0", "-0.0e99"),
        ("10e9", "1e10"),
        (".5", "5e-1"),
        ("5.", "5"),
    ] {
        assert_eq!(decimal(a), decimal(b));
    }
    assert_ne!(decimal("1e400"), decimal("1e401"));
    assert_ne!(decimal("0.1"), decimal("0.1000000000000000055"));
    assert_ne!(decimal("1"), decimal("-1"));
}

#[test]
fn order_is_that_of_the_values() {
    let ascending = [
        "-1e999999999",
        "-12",
        "-1.5",
        "-1",
        "-1e-999999999",
        "0",
        "1e-999999999",
        "0.09",
        "0.1",
        "0.11",
        "1",
        "1.5",
        "9",
        "10",
        "1e999999999",
    ];
    for pair in ascending.windows(2) {
        assert!(decimal(pair[0]) < decimal(pair[1]), "{pair:?}");
    }
}

#[test]
fn tolerance_is_inclusive_and_exact() {
    assert!(within("1.01", "1.00", "0.01", "0"));
    assert!(!within(
        "1.0100000000000000000000000001",
        "1.00",
        "0.01",
        "0"
    ));
    assert!(within("0.999999", "1", "1e-6", "0"));
    assert!(within("101", "100", "0", "0.01"));
    assert!(within("-101", "-100", "0", "0.01"));
    assert!(!within("101.0001", "100", "0", "0.01"));
    assert!(!within("-100", "100", "1", "0.5"));
    assert!(within("100", "100", "0", "0"));
    assert!(!within("0.0001", "0", "0", "0.01"));
}

#[test]
fn differences_across_huge_gaps_cost_nothing_and_stay_exact() {
    assert!(!within("1e999999999", "1", "1e999999998", "0"));
    assert!(within("1e999999999", "1", "1e999999999", "0"));
    assert!(!within("1e999999999", "-1", "1e999999999", "0"));
    assert!(within("1e999999999", "1e-999999999", "1e999999999", "0"));
    assert!(!within("1e999999999", "-1e-999999999", "1e999999999", "0"));
    assert!(within("1e10000", "1e-10000", "0", "1e20000"));
    assert!(!within("1e10000", "1e-10000", "0", "0.99e20000"));
    assert!(within("1e-10000", "0", "1e-10000", "0"));
    assert_eq!(decimal("1e999999999").distance(&decimal("1")), None);
}

#[test]
fn distance_is_exact_and_never_negative() {
    for (a, b, distance) in [
        ("25", "25.5", "0.5"),
        ("25.5", "25", "0.5"),
        ("-1", "1", "2"),
        ("-3", "-1", "2"),
        ("7", "7.0", "0"),
        ("99", "-1", "100"),
        ("0.3", "0.30000000000000004", "4e-17"),
        ("0", "1e999999999", "1e999999999"),
    ] {
        assert_eq!(
            decimal(a).distance(&decimal(b)),
            Some(decimal(distance)),
            "{a} {b}"
        );
    }
    let far = decimal("1e10000").distance(&decimal("1e-10000")).unwrap();
    assert!(far < decimal("1e10000"));
    assert_eq!(far.to_string().len(), 20_001);
}

#[test]
fn display_is_plain_where_short_and_scientific_elsewhere() {
    for (written, shown) in [
        ("206588.50", "206588.5"),
        ("-0.0751", "-0.0751"),
        ("1e3", "1000"),
        ("1e400", "1e+400"),
        ("-12.5e-20", "-1.25e-19"),
        ("-0", "0"),
        ("1e-6", "0.000001"),
        ("1e-7", "1e-7"),
        ("1e20", "100000000000000000000"),
        (
            "123456789012345678901234567890",
            "123456789012345678901234567890",
        ),
    ] {
        assert_eq!(decimal(written).to_string(), shown);
        assert_eq!(decimal(&decimal(written).to_string()), decimal(written));
    }
}

#[test]
#[expect(clippy::float_cmp, reason = "the nearest binary64 is exact")]
fn nearest_float_overflows_to_infinity() {
    assert_eq!(decimal("0.1").to_f64(), 0.1);
    assert_eq!(decimal("-1e400").to_f64(), f64::NEG_INFINITY);
    assert_eq!(decimal("1e-400").to_f64(), 0.0);
    assert_eq!(decimal("5e-324").to_f64(), 5e-324);
    let long = format!("0.{}1e100000", "0".repeat(99_999));
    assert_eq!(decimal(&long).to_f64(), 1.0);
}
