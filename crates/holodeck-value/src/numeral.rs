//! Numbers read from text (rule N1).

use crate::Decimal;
use crate::unicode::{digit_value, is_space};

/// The most digits that a numeral may have, as written.
pub const MAX_DIGITS: usize = 4300;
/// The largest exponent that a numeral may have, as written, of either sign.
const MAX_EXPONENT: i128 = 10_000;

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
///
/// A separator or `%` is blamed on its flag only where setting the flag would help: `1,23` is badly grouped either way.
pub fn read(text: &str, accept: Accept) -> Result<Decimal, NumeralError> {
    let text = text.trim_matches(is_space);
    if text.is_empty() {
        return Err(not_a_number("it is empty"));
    }
    let mut scan = Scan { rest: text };
    let negative = scan.sign();
    let whole = scan.grouped_digits();
    let has_point = scan.eat('.');
    let fraction = if has_point {
        scan.digits()
    } else {
        String::new()
    };
    if whole.digits.is_empty() && fraction.is_empty() {
        return Err(NumeralError::NotANumber {
            why: word_reason(text),
        });
    }
    let exponent = if scan.eat('e') || scan.eat('E') {
        let negative = scan.sign();
        let digits = scan.digits();
        if digits.is_empty() {
            return Err(not_a_number("its exponent has no digits"));
        }
        Some((negative, digits))
    } else {
        None
    };
    let percent = scan.percent();
    if !scan.rest.is_empty() {
        return Err(NumeralError::NotANumber {
            why: word_reason(text),
        });
    }
    whole.check_groups()?;
    if whole.separated() && !accept.thousands_separators {
        return Err(NumeralError::SeparatorNotAccepted);
    }
    if percent && !accept.percent {
        return Err(NumeralError::PercentNotAccepted);
    }
    let n_exponent_digits = exponent.as_ref().map_or(0, |(_, digits)| digits.len());
    if whole.digits.len() + fraction.len() + n_exponent_digits > MAX_DIGITS {
        return Err(NumeralError::TooLong);
    }
    let exponent = match exponent {
        None => 0,
        Some((negative, digits)) => {
            let value = crate::decimal::parse_exponent(&digits)
                .filter(|value| *value <= MAX_EXPONENT)
                .ok_or(NumeralError::TooLong)?;
            if negative { -value } else { value }
        }
    };
    let scale = exponent - fraction.len() as i128 - if percent { 2 } else { 0 };
    Ok(Decimal::new(negative, &(whole.digits + &fraction), scale))
}

/// CPython's `float(text)`, for comparisons with it; `None` where that raises `ValueError`.
///
/// The product reads numbers with [`read`], which is stricter.
pub fn python_float(text: &str) -> Option<f64> {
    // `str.isspace` accepts U+001C to U+001F, `float` does not.
    let ascii: String = text
        .trim_matches(|c| is_space(c) && !('\u{1c}'..='\u{1f}').contains(&c))
        .chars()
        .map(|c| digit_value(c).map_or(c, |d| char::from(b'0' + d)))
        .collect();
    // An underscore stands between two digits or nowhere.
    let mut parts = ascii.split('_').peekable();
    while let Some(part) = parts.next() {
        if let Some(next) = parts.peek()
            && !(part.ends_with(|c: char| c.is_ascii_digit())
                && next.starts_with(|c: char| c.is_ascii_digit()))
        {
            return None;
        }
    }
    ascii.replace('_', "").parse().ok()
}

fn not_a_number(why: &'static str) -> NumeralError {
    NumeralError::NotANumber { why: Some(why) }
}

/// The reason for texts that are read as numbers elsewhere.
fn word_reason(text: &str) -> Option<&'static str> {
    let word = text.trim_start_matches(['+', '-', '\u{2212}']);
    let word = word.get(..word.len().min(16))?.to_ascii_lowercase();
    if matches!(&*word, "inf" | "infinity") {
        Some("infinity is not accepted")
    } else if word == "nan" {
        Some("NaN is not accepted")
    } else if word.starts_with("0x") {
        Some("hexadecimal is not accepted")
    } else {
        None
    }
}

struct Scan<'a> {
    rest: &'a str,
}

impl Scan<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }
    fn advance(&mut self, c: char) {
        self.rest = &self.rest[c.len_utf8()..];
    }
    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.advance(wanted);
        }
        found
    }
    fn digit(&mut self) -> Option<char> {
        let c = self.peek()?;
        let digit = digit_value(c)?;
        self.advance(c);
        Some(char::from(b'0' + digit))
    }
    fn digits(&mut self) -> String {
        std::iter::from_fn(|| self.digit()).collect()
    }
    /// An optional sign; whether it is a minus.
    fn sign(&mut self) -> bool {
        self.eat('-') || self.eat('\u{2212}') || {
            self.eat('+');
            false
        }
    }
    fn percent(&mut self) -> bool {
        let trimmed = self.rest.trim_start_matches(is_space);
        match trimmed.strip_prefix('%') {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
    /// Digits with separators anywhere among them.
    fn grouped_digits(&mut self) -> Grouped {
        let mut grouped = Grouped::default();
        loop {
            let from = grouped.digits.len();
            grouped.digits.extend(std::iter::from_fn(|| self.digit()));
            grouped.group_sizes.push(grouped.digits.len() - from);
            let Some(separator) = self.peek().filter(|c| is_separator(*c)) else {
                return grouped;
            };
            // The no-break space before a `%` separates no thousands.
            let next = self.rest.chars().nth(1).and_then(digit_value);
            if is_space(separator) && next.is_none() {
                return grouped;
            }
            let first = *grouped.separator.get_or_insert(separator);
            grouped.mixed |= first != separator;
            self.advance(separator);
        }
    }
}

fn is_separator(c: char) -> bool {
    matches!(c, ',' | '_' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

/// The integer part: its digits and how they were grouped.
#[derive(Default)]
struct Grouped {
    digits: String,
    group_sizes: Vec<usize>,
    separator: Option<char>,
    mixed: bool,
}

impl Grouped {
    fn separated(&self) -> bool {
        self.separator.is_some()
    }

    fn check_groups(&self) -> Result<(), NumeralError> {
        if self.mixed {
            return Err(not_a_number("it mixes kinds of thousands separators"));
        }
        let [first, middle @ .., last] = &*self.group_sizes else {
            return Ok(());
        };
        // `0,123` is a decimal comma: nobody groups the thousands of a number below one thousand.
        if self.digits.starts_with('0') {
            return Err(not_a_number("its thousands separators are badly placed"));
        }
        let threes = (1..=3).contains(first) && middle.iter().all(|n| *n == 3);
        let indian = (1..=2).contains(first) && middle.iter().all(|n| *n == 2);
        if *last == 3 && (threes || indian) {
            Ok(())
        } else {
            Err(not_a_number("its thousands separators are badly placed"))
        }
    }
}

#[cfg(test)]
mod tests;
