//! Exact decimal numbers: compared and subtracted digit by digit, without ever writing out the zeros of a large exponent.
//!
//! Time and memory of every operation follow the number of digits written, not the value: `1e999999999 - 1` costs nothing.

use std::cmp::{Ordering, Reverse};
use std::fmt;

/// Exponents of more digits than this are not read (no number of this world needs them), so that sums of exponents can't overflow.
const MAX_EXPONENT_DIGITS: usize = 30;

/// The most digits that [`Decimal::distance`] writes out.
const MAX_DISTANCE_DIGITS: i128 = 100_000;

/// An exact decimal: sign x digits x 10^exponent.
///
/// Kept in one form only (no zeros at either end of the digits; zero is positive, without digits), so that equal values have equal fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    digits: Box<str>,
    exponent: i128,
}

impl Decimal {
    /// Reads `[+-]digits[.digits][(e|E)[+-]digits]` (digits ASCII, on at least one side of the point), any size
    /// (but an exponent of over 30 digits is not read).
    pub fn parse(lexeme: &str) -> Option<Self> {
        let (negative, unsigned) = split_sign(lexeme);
        let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
            Some(at) => (&unsigned[..at], parse_exponent(&unsigned[at + 1..])?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = [whole, fraction].concat();
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        Some(Self::new(negative, &digits, exponent - len(fraction)))
    }

    /// `digits` (ASCII digits only) x 10^`exponent`, brought into the one form.
    pub(crate) fn new(negative: bool, digits: &str, exponent: i128) -> Self {
        let digits = digits.trim_start_matches('0');
        let significant = digits.trim_end_matches('0');
        let n_dropped = len(digits) - len(significant);
        Self {
            negative: negative && !significant.is_empty(),
            digits: significant.into(),
            exponent: if significant.is_empty() {
                0
            } else {
                exponent + n_dropped
            },
        }
    }

    /// Rule N2: `|self - expected| <= absolute`, or, if `relative > 0`, `<= relative * |expected|`; exact and inclusive.
    pub fn within(&self, expected: &Self, absolute: &Self, relative: &Self) -> bool {
        let (high, low) = if self < expected {
            (expected, self)
        } else {
            (self, expected)
        };
        let at_most = |bound: &Self| {
            sign_of_sum(vec![Term::plus(high), Term::minus(low), Term::minus(bound)])
                != Ordering::Greater
        };
        let zero = Self::new(false, "", 0);
        at_most(absolute) || (*relative > zero && at_most(&relative.times(&expected.abs())))
    }

    /// `|self - other|`, exact; `None` where the exponents lie so far apart that the difference can't be written out.
    pub fn distance(&self, other: &Self) -> Option<Self> {
        let (high, low) = if self < other {
            (other, self)
        } else {
            (self, other)
        };
        let terms: Vec<_> = [Term::plus(high), Term::minus(low)]
            .into_iter()
            .filter(|term| !term.decimal.is_zero())
            .collect();
        let top = terms.iter().map(|t| t.decimal.top()).max().unwrap_or(0);
        let bottom = terms.iter().map(|t| t.decimal.exponent).min().unwrap_or(0);
        if top - bottom > MAX_DISTANCE_DIGITS {
            return None;
        }
        let sum = add(&terms, bottom);
        let digits: String = std::iter::once(sum.carry)
            .chain(sum.digits.into_iter().rev())
            .filter_map(|digit| char::from_digit(u32::try_from(digit).ok()?, 10))
            .collect();
        Some(Self::new(false, &digits, bottom))
    }

    /// Whether it is less than zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// The nearest binary64: infinite past its range, zero (of the right sign) below it.
    pub fn to_f64(&self) -> f64 {
        // Past these every value is infinite or zero; within them the exponent is one that `f64::from_str` reads.
        let top = self.top().clamp(-400, 400);
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}0.{}e{top}", self.digits)
            .parse()
            .unwrap_or(0.0)
    }

    fn abs(&self) -> Self {
        Self {
            negative: false,
            ..self.clone()
        }
    }

    fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// The place above the first digit: the value is less than 10^top.
    fn top(&self) -> i128 {
        self.exponent + len(&self.digits)
    }

    fn times(&self, other: &Self) -> Self {
        let mut places = vec![0_u64; self.digits.len() + other.digits.len()];
        for (i, a) in self.digits.bytes().rev().enumerate() {
            for (j, b) in other.digits.bytes().rev().enumerate() {
                places[i + j] += u64::from(a - b'0') * u64::from(b - b'0');
            }
        }
        let mut carry = 0;
        let mut digits = Vec::with_capacity(places.len());
        for place in places {
            carry += place;
            digits.extend(char::from_digit(u32::try_from(carry % 10).unwrap_or(0), 10));
            carry /= 10;
        }
        let digits: String = digits.into_iter().rev().collect();
        Self::new(
            self.negative != other.negative,
            &digits,
            self.exponent + other.exponent,
        )
    }

    fn cmp_magnitude(&self, other: &Self) -> Ordering {
        // Digits compare as text: both begin with the first one that counts, and none ends in zeros.
        self.is_zero()
            .cmp(&other.is_zero())
            .reverse()
            .then(self.top().cmp(&other.top()))
            .then_with(|| self.digits.cmp(&other.digits))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.cmp_magnitude(other),
            (true, true) => other.cmp_magnitude(self),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Decimal {
    /// Plain notation where it is short (`206588.5`), else scientific (`1e+400`); always every digit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        if self.negative {
            f.write_str("-")?;
        }
        let (digits, top) = (&*self.digits, self.top());
        match usize::try_from(top) {
            Ok(n_whole) if n_whole > 0 && n_whole < digits.len() => {
                write!(f, "{}.{}", &digits[..n_whole], &digits[n_whole..])
            }
            Ok(n_whole) if n_whole >= digits.len() && n_whole - digits.len() <= 20 => {
                write!(f, "{digits}{}", "0".repeat(n_whole - digits.len()))
            }
            _ if (-5..=0).contains(&top) => {
                let n_zeros = usize::try_from(-top).unwrap_or(0);
                write!(f, "0.{}{digits}", "0".repeat(n_zeros))
            }
            _ => {
                let (first, rest) = digits.split_at(1);
                let point = if rest.is_empty() { "" } else { "." };
                write!(f, "{first}{point}{rest}e{:+}", top - 1)
            }
        }
    }
}

/// A decimal that is added, or taken away.
struct Term<'a> {
    decimal: &'a Decimal,
    negative: bool,
}

impl<'a> Term<'a> {
    fn plus(decimal: &'a Decimal) -> Self {
        Self {
            decimal,
            negative: decimal.negative,
        }
    }
    fn minus(decimal: &'a Decimal) -> Self {
        Self {
            decimal,
            negative: !decimal.negative,
        }
    }
}

/// How a sum of at most nine terms compares with zero.
///
/// Goes block by block from the largest down; a block holds the terms whose digits overlap or nearly so. Every sum of a block is a
/// multiple of its lowest place, and all that lies below is smaller than that place, so the first block that is not zero decides.
fn sign_of_sum(mut terms: Vec<Term<'_>>) -> Ordering {
    terms.retain(|term| !term.decimal.is_zero());
    terms.sort_by_key(|term| Reverse(term.decimal.top()));
    let mut rest = &*terms;
    while let Some(first) = rest.first() {
        let mut bottom = first.decimal.exponent;
        let mut n_block = 1;
        while let Some(next) = rest.get(n_block)
            && next.decimal.top() + 1 > bottom
        {
            bottom = bottom.min(next.decimal.exponent);
            n_block += 1;
        }
        let (block, below) = rest.split_at(n_block);
        let sum = add(block, bottom);
        let sign = sum
            .carry
            .cmp(&0)
            .then(sum.digits.iter().any(|&d| d != 0).cmp(&false));
        if sign != Ordering::Equal {
            return sign;
        }
        rest = below;
    }
    Ordering::Equal
}

struct Sum {
    /// What goes beyond the digits; negative for a negative sum.
    carry: i32,
    /// Digits from 0 to 9, the lowest first.
    digits: Vec<i32>,
}

/// Adds the terms, whose lowest place is 10^`bottom`.
fn add(terms: &[Term<'_>], bottom: i128) -> Sum {
    let place = |exponent: i128| usize::try_from(exponent - bottom).unwrap_or(0);
    let n_places = terms.iter().map(|t| place(t.decimal.top())).max();
    let mut digits = vec![0_i32; n_places.unwrap_or(0)];
    for term in terms {
        let from = place(term.decimal.exponent);
        for (slot, digit) in digits[from..]
            .iter_mut()
            .zip(term.decimal.digits.bytes().rev())
        {
            let digit = i32::from(digit - b'0');
            *slot += if term.negative { -digit } else { digit };
        }
    }
    let mut carry = 0;
    for slot in &mut digits {
        *slot += carry;
        carry = slot.div_euclid(10);
        *slot = slot.rem_euclid(10);
    }
    Sum { carry, digits }
}

fn split_sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    }
}

/// `[+-]digits`, within the limit.
pub(crate) fn parse_exponent(text: &str) -> Option<i128> {
    let (negative, digits) = split_sign(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    if digits.len() > MAX_EXPONENT_DIGITS {
        return None;
    }
    let value = if digits.is_empty() {
        0
    } else {
        digits.parse::<i128>().ok()?
    };
    Some(if negative { -value } else { value })
}

fn len(text: &str) -> i128 {
    text.len() as i128
}

#[cfg(test)]
mod tests;
