//! A number exactly as it was written.

use crate::Decimal;

/// A JSON number: its numeral as written, an integer or a float told apart, or one of Python's `NaN`, `Infinity`, `-Infinity`.
#[derive(Clone, Debug)]
pub struct Number {
    lexeme: Box<str>,
}

impl Number {
    /// Reads a JSON numeral (`-?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?`) or `NaN`, `Infinity`, `-Infinity`.
    /// An exponent of over 30 digits is not read.
    pub fn from_lexeme(lexeme: &str) -> Option<Self> {
        Self::is_lexeme(lexeme).then(|| Self::from_checked(lexeme))
    }
    pub(crate) fn is_lexeme(lexeme: &str) -> bool {
        is_json_numeral(lexeme) || matches!(lexeme, "NaN" | "Infinity" | "-Infinity")
    }
    /// A number from what [`Number::is_lexeme`] accepts.
    pub(crate) fn from_checked(lexeme: &str) -> Self {
        Self {
            lexeme: lexeme.into(),
        }
    }
    /// The numeral as written.
    pub fn lexeme(&self) -> &str {
        &self.lexeme
    }
    /// Whether it was written without fraction and exponent.
    pub(crate) fn is_integer(&self) -> bool {
        self.lexeme.bytes().all(|b| b.is_ascii_digit() || b == b'-')
    }
    pub(crate) fn is_finite(&self) -> bool {
        !self.lexeme.ends_with(|c: char| c.is_ascii_alphabetic())
    }
    /// The exact value; `None` for NaN and the infinities.
    pub fn decimal(&self) -> Option<Decimal> {
        Decimal::parse(&self.lexeme)
    }
    /// The integer, if it is one (written as an integer) and fits.
    pub fn as_u64(&self) -> Option<u64> {
        self.lexeme.parse().ok()
    }
    /// The nearest binary64 (infinite past its range).
    pub fn as_f64(&self) -> f64 {
        match self.decimal() {
            // The decimal has no negative zero.
            Some(decimal) if self.lexeme.starts_with('-') => -decimal.to_f64().abs(),
            Some(decimal) => decimal.to_f64(),
            None => self.lexeme.parse().unwrap_or(f64::NAN),
        }
    }
}

impl PartialEq for Number {
    /// By exact mathematical value (rule M1); NaN equals nothing.
    fn eq(&self, other: &Self) -> bool {
        if self.is_integer() && other.is_integer() {
            return integer_text(&self.lexeme) == integer_text(&other.lexeme);
        }
        match (self.decimal(), other.decimal()) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.lexeme == other.lexeme && &*self.lexeme != "NaN",
            _ => false,
        }
    }
}

impl From<i64> for Number {
    fn from(n: i64) -> Self {
        Self {
            lexeme: n.to_string().into(),
        }
    }
}
impl From<u64> for Number {
    fn from(n: u64) -> Self {
        Self {
            lexeme: n.to_string().into(),
        }
    }
}

/// An integer numeral without the sign of `-0`.
pub(crate) fn integer_text(lexeme: &str) -> &str {
    if lexeme == "-0" { "0" } else { lexeme }
}

fn is_json_numeral(lexeme: &str) -> bool {
    let unsigned = lexeme.strip_prefix('-').unwrap_or(lexeme);
    let (mantissa, exponent_fits) = match unsigned.find(['e', 'E']) {
        Some(at) => (
            &unsigned[..at],
            crate::decimal::parse_exponent(&unsigned[at + 1..]).is_some(),
        ),
        None => (unsigned, true),
    };
    let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction_fits) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, all_digits(fraction)),
        None => (mantissa, true),
    };
    exponent_fits && fraction_fits && all_digits(whole) && (whole == "0" || !whole.starts_with('0'))
}

#[cfg(test)]
mod tests;
