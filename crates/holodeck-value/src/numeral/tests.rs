use super::{Accept, NumeralError, python_float, read};
use crate::Decimal;

const PLAIN: Accept = Accept {
    percent: false,
    thousands_separators: false,
};
const ALL: Accept = Accept {
    percent: true,
    thousands_separators: true,
};

fn reads(text: &str, accept: Accept, value: &str) {
    assert_eq!(
        read(text, accept),
        Ok(Decimal::parse(value).unwrap()),
        "{text:?}"
    );
}

#[test]
fn plain_numbers_are_read_in_every_script() {
    for (text, value) in [
        ("25587", "25587"),
        (" +25587.\n", "25587"),
        (".0751", "0.0751"),
        ("\u{2212}5", "-5"),
        ("-1e3", "-1000"),
        ("1E\u{2212}3", "0.001"),
        ("\u{662}\u{665}", "25"),
        ("\u{ff12}.\u{ff15}", "2.5"),
        ("\u{1c}7\u{a0}", "7"),
        ("1e0010", "1e10"),
        ("00012", "12"),
    ] {
        reads(text, PLAIN, value);
    }
}

#[test]
fn other_texts_are_no_numbers() {
    for text in [
        "",
        "  ",
        "abc",
        "inf",
        "-Infinity",
        "nan",
        "0x10",
        "1/2",
        "--1",
        "+-1",
        "1 000",
        "- 5",
        "(5)",
        "$5",
        "5 USD",
        ".",
        "-",
        "e5",
        "1e",
        "1e+",
        "1.2.3",
        "%",
        "50%%",
        ",",
        ",5",
        "1.234,56",
        "\u{b2}",
        "\u{bd}",
        "1\u{200b}",
        "12,",
        "1,,234",
        "% 5",
        "1,000 000",
    ] {
        for accept in [PLAIN, ALL] {
            let error = read(text, accept).unwrap_err();
            assert!(
                matches!(error, NumeralError::NotANumber { .. }),
                "{text:?} {error}"
            );
        }
    }
    assert_eq!(
        read("-inf", ALL).unwrap_err().to_string(),
        "is not a number (infinity is not accepted)"
    );
    assert_eq!(read("abc", ALL).unwrap_err().to_string(), "is not a number");
}

#[test]
fn percent_divides_by_a_hundred_where_accepted() {
    reads("14.14 %", ALL, "0.1414");
    reads("-1,414%", ALL, "-14.14");
    assert_eq!(read("50%", PLAIN), Err(NumeralError::PercentNotAccepted));
    assert_eq!(
        read(
            "1,500%",
            Accept {
                percent: true,
                ..PLAIN
            }
        ),
        Err(NumeralError::SeparatorNotAccepted)
    );
}

#[test]
fn separators_must_group_well_and_be_of_one_kind() {
    for (text, value) in [
        ("206,588", "206588"),
        ("1,234,567.5", "1234567.5"),
        ("2,06,588", "206588"),
        ("12,34,56,789", "123456789"),
        ("206\u{a0}588", "206588"),
        ("206\u{202f}588", "206588"),
        ("1\u{2009}000e2", "100000"),
        ("1_000", "1000"),
    ] {
        reads(text, ALL, value);
        assert_eq!(
            read(text, PLAIN),
            Err(NumeralError::SeparatorNotAccepted),
            "{text:?}"
        );
    }
    for text in [
        "1,23",
        "0,123",
        "0,000",
        "1,2,3",
        "1234,567",
        "123,45,678",
        "1,234,56",
        "0,1234",
        "1,234_567",
        "1,234.567,8",
    ] {
        assert!(
            matches!(read(text, ALL), Err(NumeralError::NotANumber { .. })),
            "{text:?}"
        );
    }
}

#[test]
fn limits_count_digits_as_written() {
    reads(&"9".repeat(4300), PLAIN, &"9".repeat(4300));
    assert_eq!(read(&"9".repeat(4301), PLAIN), Err(NumeralError::TooLong));
    assert_eq!(
        read(&format!("0.{}", "0".repeat(4300)), PLAIN),
        Err(NumeralError::TooLong)
    );
    reads("1e-10000", PLAIN, "1e-10000");
    for text in [
        "1e10001",
        "1e-10001",
        "0e99999999999999999999999999999999999999999",
    ] {
        assert_eq!(read(text, PLAIN), Err(NumeralError::TooLong));
    }
}

#[test]
fn python_float_reads_what_cpython_reads() {
    for (text, value) in [
        ("1_0.5", 10.5),
        (" \u{ff11}e2\n", 100.0),
        ("1e400", f64::INFINITY),
        ("-Infinity", f64::NEG_INFINITY),
        (".5", 0.5),
        ("1.", 1.0),
    ] {
        assert_eq!(python_float(text), Some(value), "{text:?}");
    }
    assert!(python_float("+nan").unwrap().is_nan());
    for text in [
        "",
        " ",
        "1__0",
        "1_",
        "_1",
        "1_.5",
        "infinit",
        "in_f",
        "1 000",
        "0x10",
        "e5",
        ".",
        "1e",
        "--1",
        "\u{2212}1",
    ] {
        assert_eq!(python_float(text), None, "{text:?}");
    }
}
