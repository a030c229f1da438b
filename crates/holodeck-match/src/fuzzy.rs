//! The fuzzy comparison (rule M3).

use std::sync::LazyLock;

use holodeck_value::numeral::{self, Accept};
use holodeck_value::unicode::{casefold, digit_value, is_space};
use holodeck_value::{Decimal, Value};

/// The most by which two numbers may differ.
static TOLERANCE: LazyLock<Decimal> = LazyLock::new(|| decimal("1e-9"));
static ZERO: LazyLock<Decimal> = LazyLock::new(|| decimal("0"));

/// A prepared fuzzy expectation.
#[derive(Clone, Debug)]
pub struct Fuzzy {
    expected: Box<str>,
    normal: Box<str>,
    number: Option<Decimal>,
}

impl Fuzzy {
    /// Prepares the author's text.
    pub fn new(expected: &str) -> Self {
        let normal = normalize(expected);
        Self {
            expected: expected.into(),
            number: number_of_text(&normal),
            normal: normal.into(),
        }
    }
    /// The author's text.
    pub fn expected(&self) -> &str {
        &self.expected
    }
    /// Whether `actual` is the same but for case, white space, separators and number form.
    pub fn matches(&self, actual: &Value) -> bool {
        let normal = normalize(&actual.text());
        if *self.normal == *normal {
            return true;
        }
        let Some(expected) = &self.number else {
            return false;
        };
        let actual = match actual {
            Value::Number(number) => numeral::read(number.lexeme(), Accept::default()).ok(),
            _ => number_of_text(&normal),
        };
        actual.is_some_and(|actual| actual.within(expected, &TOLERANCE, &ZERO))
    }
}

/// Case folded, `,` and `_` removed, runs of white space made one space, ends trimmed.
fn normalize(text: &str) -> String {
    let folded = casefold(text);
    let mut normal = String::with_capacity(folded.len());
    let mut space_before = false;
    for c in folded.chars() {
        if is_space(c) {
            space_before = true;
        } else if !matches!(c, ',' | '_') {
            if space_before && !normal.is_empty() {
                normal.push(' ');
            }
            space_before = false;
            normal.push(c);
        }
    }
    normal
}

/// A normal text read as a number: without its spaces, and without the apostrophes that stand between two digits.
fn number_of_text(normal: &str) -> Option<Decimal> {
    let is_digit = |c: char| digit_value(c).is_some();
    let mut compact = String::with_capacity(normal.len());
    let mut after_digit = false;
    let mut chars = normal.chars().peekable();
    while let Some(c) = chars.next() {
        let groups = matches!(c, '\'' | '\u{2019}')
            && after_digit
            && chars.peek().copied().is_some_and(is_digit);
        if c != ' ' && !groups {
            compact.push(c);
        }
        after_digit = is_digit(c);
    }
    let accept = Accept {
        percent: true,
        ..Accept::default()
    };
    numeral::read(&compact, accept).ok()
}

fn decimal(numeral: &str) -> Decimal {
    Decimal::parse(numeral).expect("a numeral written here")
}

#[cfg(test)]
mod tests;
