//! Numbers read from text (rule N1).

use crate::Decimal;

/// What a numeral may look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accept {
    /// One trailing `%` divides by 100.
    pub percent: bool,
    /// One kind of thousands separator, well grouped.
    pub thousands_separators: bool,
}

/// Why a text is not a number under rule N1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumeralError {
    /// Not a number at all (the message ends in why where that is known).
    #[error("is not a number{}", .why.map(|w| format!(" ({w})")).unwrap_or_default())]
    NotANumber {
        /// A reason worth telling.
        why: Option<&'static str>,
    },
    /// A `%` without `accept_percent`.
    #[error("has a `%`; set `accept_percent: true` to read it")]
    PercentNotAccepted,
    /// A separator without `accept_thousands_separators`.
    #[error("has a thousands separator; set `accept_thousands_separators: true` to read it")]
    SeparatorNotAccepted,
    /// Over 4,300 digits or an exponent beyond +-10,000.
    #[error("is too long a number (at most 4300 digits and exponents up to 10000)")]
    TooLong,
}

/// Reads `text` as one number.
pub fn read(text: &str, accept: Accept) -> Result<Decimal, NumeralError> {
    let _ = (text, accept);
    todo!()
}
