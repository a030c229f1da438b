//! A number exactly as it was written.

use crate::Decimal;

/// A JSON number: its numeral as written, an integer or a float told apart, or one of Python's `NaN`, `Infinity`, `-Infinity`.
#[derive(Clone, Debug)]
pub struct Number {
    lexeme: Box<str>,
}

impl Number {
    /// Reads a JSON numeral (`-?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?`) or `NaN`, `Infinity`, `-Infinity`.
    pub fn from_lexeme(lexeme: &str) -> Option<Self> {
        let _ = lexeme;
        todo!()
    }
    /// The numeral as written.
    pub fn lexeme(&self) -> &str {
        &self.lexeme
    }
    /// Whether it was written without fraction and exponent.
    pub fn is_integer(&self) -> bool {
        todo!()
    }
    /// The exact value; `None` for NaN and the infinities.
    pub fn decimal(&self) -> Option<Decimal> {
        todo!()
    }
    /// The integer, if it is one (written as an integer) and fits.
    pub fn as_u64(&self) -> Option<u64> {
        todo!()
    }
    /// The nearest binary64 (infinite past its range).
    pub fn as_f64(&self) -> f64 {
        todo!()
    }
}

impl PartialEq for Number {
    /// By exact mathematical value.
    fn eq(&self, other: &Self) -> bool {
        let _ = other;
        todo!()
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
