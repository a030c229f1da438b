//! What a run of letters, digits and joiners is: a number, a word, or something that must not be taken for either.

use holodeck_value::numeral::{self, NumeralError};
use holodeck_value::unicode;

use super::scan::ALL;

/// What a run that starts with a digit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A numeral under rule N1, all flags set.
    Number,
    /// A date, a time, a version, `3rd`: passed over.
    Word,
    /// Like a number, but can't be read as one.
    Trap(&'static str),
}

/// Currency codes that may stand against a number: `INR19`, `19EUR`.
const CODES: [&str; 24] = [
    "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "ILS", "INR",
    "JPY", "KRW", "MXN", "NOK", "NZD", "PLN", "RMB", "SEK", "SGD", "USD", "ZAR",
];

/// Length of the currency code that `run` starts with.
pub(super) fn code_before(run: &str) -> usize {
    let code = run.get(..3).filter(|code| CODES.contains(code));
    let digit = run.get(3..).and_then(|rest| rest.chars().next());
    match (code, digit) {
        (Some(_), Some(c)) if is_digit(c) => 3,
        _ => 0,
    }
}

/// Where the currency code begins that `text` ends in.
pub(super) fn code_at_end(text: &str) -> Option<usize> {
    let at = text.len().checked_sub(3)?;
    text.get(at..)
        .is_some_and(|code| CODES.contains(&code))
        .then_some(at)
}

/// Length of the currency code that `run` ends in.
pub(super) fn code_after(run: &str) -> usize {
    let digit = code_at_end(run).and_then(|at| run[..at].chars().next_back());
    if digit.is_some_and(is_digit) { 3 } else { 0 }
}

/// Says what `run`, which starts with a digit or a point before one, is.
pub(super) fn shape(run: &str) -> Shape {
    // Whoever reads it says that it is too long.
    if let Ok(_) | Err(NumeralError::TooLong) = numeral::read(run, ALL) {
        return Shape::Number;
    }
    match run.find(is_letter) {
        None => without_letters(run),
        Some(at) => with_letters(run, at),
    }
}

fn without_letters(run: &str) -> Shape {
    if let Some(parts) = parts(run, is_dash) {
        return match parts[..] {
            [_, _] if is_years(&parts) => Shape::Word,
            [_, _] => Shape::Trap("a range or a difference is two numbers"),
            _ => Shape::Word,
        };
    }
    if let Some(parts) = parts(run, |c| c == '/') {
        return match parts[..] {
            [_, _] if is_years(&parts) => Shape::Word,
            [_, _] => Shape::Trap("a fraction is two numbers"),
            _ => Shape::Word,
        };
    }
    if let Some(parts) = parts(run, |c| c == ':') {
        return if parts[1..].iter().all(|part| n_chars(part) == 2) {
            Shape::Word
        } else {
            Shape::Trap("`:` joins two numbers")
        };
    }
    if let Some(parts) = parts(run, |c| c == '.')
        && parts.len() > 2
        && parts[1..].iter().any(|part| n_chars(part) != 3)
    {
        return Shape::Word;
    }
    if run.chars().any(|c| is_numeric(c) && !is_digit(c)) {
        return Shape::Trap("a fraction or a raised digit stands against it");
    }
    if run.contains('^') {
        return Shape::Trap("it is a power");
    }
    Shape::Trap("its digits are not grouped as rule N1 reads them")
}

fn with_letters(run: &str, first_letter: usize) -> Shape {
    let (digits, letters) = run.split_at(first_letter);
    if run.contains('^') || letters.chars().any(|c| is_numeric(c) && !is_digit(c)) {
        return Shape::Trap("it is a power");
    }
    if digits == "0" && letters.starts_with(['x', 'X']) {
        return Shape::Trap("it is hexadecimal");
    }
    let only_letters = letters.chars().all(is_letter);
    if !only_letters || numeral::read(digits, ALL).is_err() {
        return Shape::Word;
    }
    match letters.to_ascii_lowercase().as_str() {
        "st" | "nd" | "rd" | "th" | "am" | "pm" => Shape::Word,
        // 1990s
        "s" if n_chars(digits) == 4 => Shape::Word,
        _ => Shape::Trap("letters stand against it"),
    }
}

/// The parts of `run` between separators, where each is digits alone and there are two or more.
fn parts(run: &str, is_separator: fn(char) -> bool) -> Option<Vec<&str>> {
    let parts: Vec<&str> = run.split(is_separator).collect();
    let whole = parts
        .iter()
        .all(|part| !part.is_empty() && part.chars().all(is_digit));
    (parts.len() > 1 && whole).then_some(parts)
}

/// `2009-2010`, `2009/10`
fn is_years(parts: &[&str]) -> bool {
    n_chars(parts[0]) == 4 && matches!(n_chars(parts[1]), 2 | 4)
}

fn n_chars(text: &str) -> usize {
    text.chars().count()
}

/// A decimal digit of any script.
pub(super) fn is_digit(c: char) -> bool {
    unicode::digit_value(c).is_some()
}

/// A digit, a raised one, a fraction, a Roman numeral.
pub(super) fn is_numeric(c: char) -> bool {
    is_digit(c) || c.is_numeric()
}

/// A letter that would make a digit beside it part of a word. Scripts written without spaces have none, but for the
/// characters that multiply (`25万` is 250,000).
pub(super) fn is_letter(c: char) -> bool {
    if matches!(
        c,
        '十' | '百' | '千' | '万' | '萬' | '亿' | '億' | '兆' | '만' | '억' | '조' | '천' | '백'
    ) {
        return true;
    }
    c.is_alphabetic()
        && !matches!(
            u32::from(c),
            0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x2e80..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff
        )
}

/// What takes no room: direction marks, joiners, soft hyphens, marks that are drawn over the character before.
pub(super) fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{300}'..='\u{36f}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}'
            | '\u{20d0}'..='\u{20f0}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
    )
}

/// A hyphen or a dash.
pub(super) fn is_dash(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' | '~'
    )
}
