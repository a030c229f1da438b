//! Properties of values and decimals, held against big integers where arithmetic is concerned.

#![expect(clippy::unwrap_used, reason = "a test may fail at once")]

use std::cmp::Ordering;

use holodeck_value::{Decimal, Number, Object, Value};
use num_bigint::BigInt;
use proptest::prelude::*;

/// A numeral with a small exponent, in many spellings, as its parts: sign and digits, digits after the point, exponent.
fn small() -> impl Strategy<Value = (String, BigInt, i32)> {
    (any::<bool>(), "[0-9]{1,12}", "[0-9]{0,8}", -20_i32..20).prop_map(
        |(negative, whole, fraction, exponent)| {
            let sign = if negative { "-" } else { "" };
            let numeral = format!("{sign}{whole}.{fraction}e{exponent}");
            let digits = format!("{sign}{whole}{fraction}").parse().unwrap();
            let places = i32::try_from(fraction.len()).unwrap();
            (numeral, digits, exponent - places)
        },
    )
}

/// `digits` x 10^`exponent` as a multiple of 10^-80.
fn scaled(digits: &BigInt, exponent: i32) -> BigInt {
    digits * BigInt::from(10).pow(u32::try_from(exponent + 80).unwrap())
}

fn decimal(numeral: &str) -> Decimal {
    Decimal::parse(numeral).unwrap()
}

fn abs(n: BigInt) -> BigInt {
    if n < BigInt::ZERO { -n } else { n }
}

/// A JSON numeral.
fn numeral() -> impl Strategy<Value = String> {
    "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,4})?"
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        numeral().prop_map(|n| Value::Number(Number::from_lexeme(&n).unwrap())),
        any::<String>().prop_map(Value::String),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|entries| Value::Object(Object::from_iter(entries))),
        ]
    })
}

proptest! {
    #[test]
    fn order_is_that_of_rationals((a, a_digits, a_exponent) in small(), (b, b_digits, b_exponent) in small()) {
        let by_integers = scaled(&a_digits, a_exponent).cmp(&scaled(&b_digits, b_exponent));
        prop_assert_eq!(decimal(&a).cmp(&decimal(&b)), by_integers);
        prop_assert_eq!(decimal(&a) == decimal(&b), by_integers == Ordering::Equal);
    }

    #[test]
    fn an_integer_equals_every_spelling_of_it(digits in "-?[1-9][0-9]{0,30}", n_zeros in 0_usize..10) {
        let zeros = "0".repeat(n_zeros);
        let plain = Number::from_lexeme(&format!("{digits}{zeros}")).unwrap();
        let spelt = Number::from_lexeme(&format!("{digits}.{zeros}0e{n_zeros}")).unwrap();
        prop_assert_eq!(&plain, &spelt);
        let more = Number::from_lexeme(&format!("{digits}.{zeros}1e{n_zeros}")).unwrap();
        prop_assert_ne!(&plain, &more);
    }

    #[test]
    fn distance_and_tolerances_are_those_of_rationals(
        (a, a_digits, a_exponent) in small(),
        (b, b_digits, b_exponent) in small(),
        (tolerance, t_digits, t_exponent) in small(),
        relative in any::<bool>(),
    ) {
        let (a, b, tolerance) = (decimal(&a), decimal(&b), decimal(&tolerance));
        let b_scaled = scaled(&b_digits, b_exponent);
        let difference = abs(scaled(&a_digits, a_exponent) - &b_scaled);
        let nothing = decimal("-1");
        let (ours, within) = if relative {
            let bound = abs(b_scaled) * scaled(&t_digits, t_exponent);
            let difference = &difference * BigInt::from(10).pow(80);
            let ours = a.within(&b, &nothing, &tolerance);
            (ours, t_digits > BigInt::ZERO && difference <= bound)
        } else {
            let ours = a.within(&b, &tolerance, &decimal("0"));
            (ours, difference <= scaled(&t_digits, t_exponent))
        };
        prop_assert_eq!(ours, within);
        prop_assert_eq!(a.distance(&b), Some(decimal(&format!("{difference}e-80"))));
    }

    #[test]
    fn a_value_is_within_its_distance_and_not_within_less((a, ..) in small(), (b, ..) in small()) {
        let (a, b, zero) = (decimal(&a), decimal(&b), decimal("0"));
        let distance = a.distance(&b).unwrap();
        prop_assert!(a.within(&b, &distance, &zero));
        if a != b {
            let less = distance.distance(&decimal("1e-100")).unwrap();
            prop_assert!(!a.within(&b, &less, &zero));
        }
    }

    #[test]
    fn a_shown_decimal_reads_back(a in numeral()) {
        prop_assert_eq!(decimal(&decimal(&a).to_string()), decimal(&a));
    }

    #[test]
    fn nearest_float_is_that_of_the_numeral(a in numeral()) {
        let float: f64 = a.parse().unwrap();
        prop_assert_eq!(Number::from_lexeme(&a).unwrap().as_f64().to_bits(), float.to_bits());
    }

    #[test]
    fn json_reads_back_numeral_by_numeral(value in value()) {
        let json = value.to_json();
        let read = Value::from_json(&json).unwrap();
        prop_assert_eq!(&read, &value);
        prop_assert_eq!(read.to_json(), json);
    }

    #[test]
    fn reading_any_text_never_panics(text in "[\\[\\]{}\",:\\\\u0-9a-fnlt. +-]{0,30}") {
        let _ = Value::from_json(&text);
        let _ = holodeck_value::numeral::read(&text, holodeck_value::numeral::Accept { percent: true, thousands_separators: true });
    }
}
