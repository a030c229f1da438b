//! The numerals of YAML 1.1 and 1.2: which texts are one, and their value, exact.

use std::{borrow::Cow, fmt::Write as _};

use super::Reading;

/// Digits that a numeral in base 2, 8, 16 or 60 may have, as in Python's `int()`.
const MAX_DIGITS: usize = 4300;

/// A number written as JSON writes it: `-?digits[.digits][e[+-]digits]`, no needless zero or sign in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonNumeral<'t>(Cow<'t, str>);

impl JsonNumeral<'_> {
    /// The numeral.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The integer that a number with an empty fraction is: `5` for `5.0`; `None` for one with an exponent.
    pub(in crate::yaml) fn whole(&self) -> Option<&str> {
        let (whole, fraction) = self.0.split_once('.')?;
        fraction.bytes().all(|b| b == b'0').then_some(whole)
    }

    /// The number in a spelling that YAML 1.1 and 1.2 both read as a number: `1e5` as `100000.0`, `1e-9` as `1.0e-9`.
    pub fn spelled_out(&self) -> String {
        let Some((mantissa, exponent)) = self.0.split_once(['e', 'E']) else {
            return self.0.clone().into_owned();
        };
        if self.0.len() < 20
            && let Ok(value) = self.0.parse::<f64>()
        {
            let plain = format!("{value:?}");
            if plain.len() < 20 && !plain.contains(['e', 'i']) {
                return plain;
            }
        }
        let point = if mantissa.contains('.') { "" } else { ".0" };
        let sign = if exponent.starts_with(['+', '-']) {
            ""
        } else {
            "+"
        };
        format!("{mantissa}{point}e{sign}{exponent}")
    }
}

fn unsigned(bytes: &[u8]) -> &[u8] {
    match bytes {
        [b'+' | b'-', rest @ ..] => rest,
        _ => bytes,
    }
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

fn is_digit_or_underscore(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'_'
}

fn run(bytes: &[u8], matches: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|b| matches(**b)).count()
}

/// What follows one or more `:[0-5]?[0-9]`.
fn after_sixties(mut rest: &[u8]) -> Option<&[u8]> {
    let mut any = false;
    while let [b':', tail @ ..] = rest {
        rest = match tail {
            [b'0'..=b'5', b'0'..=b'9', tail @ ..] | [b'0'..=b'9', tail @ ..] => tail,
            _ => return None,
        };
        any = true;
    }
    any.then_some(rest)
}

pub(super) fn is_int11(bytes: &[u8]) -> bool {
    match unsigned(bytes) {
        [b'0'] => true,
        [b'0', b'b', digits @ ..] => {
            !digits.is_empty() && digits.iter().all(|b| matches!(b, b'0' | b'1' | b'_'))
        }
        [b'0', b'x', digits @ ..] => {
            !digits.is_empty() && digits.iter().all(|b| b.is_ascii_hexdigit() || *b == b'_')
        }
        [b'0', digits @ ..] => digits.iter().all(|b| matches!(b, b'0'..=b'7' | b'_')),
        [b'1'..=b'9', rest @ ..] => {
            let rest = &rest[run(rest, is_digit_or_underscore)..];
            rest.is_empty() || after_sixties(rest).is_some_and(<[u8]>::is_empty)
        }
        _ => false,
    }
}

pub(super) fn is_float11(bytes: &[u8]) -> bool {
    let body = unsigned(bytes);
    let signed = body.len() != bytes.len();
    match body {
        [b'.', rest @ ..] => match rest {
            b"inf" | b"Inf" | b"INF" => true,
            b"nan" | b"NaN" | b"NAN" => !signed,
            [b'0'..=b'9', ..] if !signed => {
                is_exponent11(&rest[run(rest, is_digit_or_underscore)..])
            }
            _ => false,
        },
        [b'0'..=b'9', ..] => match &body[run(body, is_digit_or_underscore)..] {
            [b'.', rest @ ..] => is_exponent11(&rest[run(rest, is_digit_or_underscore)..]),
            rest @ [b':', ..] => match after_sixties(rest) {
                Some([b'.', fraction @ ..]) => fraction.iter().copied().all(is_digit_or_underscore),
                _ => false,
            },
            _ => false,
        },
        _ => false,
    }
}

fn is_exponent11(rest: &[u8]) -> bool {
    match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', digits @ ..] => {
            !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// PyYAML's `construct_yaml_int`; `None` where it raises.
pub(super) fn int11(text: &str) -> Option<Cow<'_, str>> {
    let (negative, body) = sign(text);
    let digits: Cow<'_, str> = if body.contains('_') {
        body.replace('_', "").into()
    } else {
        body.into()
    };
    let is_decimal = |d: &str| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit());
    let magnitude = if let Some(binary) = digits.strip_prefix("0b") {
        Cow::Owned(in_base(binary.bytes().map(value), 2)?)
    } else if let Some(hex) = digits.strip_prefix("0x") {
        Cow::Owned(in_base(hex.bytes().map(value), 16)?)
    } else if digits.starts_with('0') && digits.len() > 1 {
        let octal = digits
            .strip_prefix("0o")
            .or_else(|| digits.strip_prefix("0O"))
            .unwrap_or(&digits);
        Cow::Owned(in_base(octal.bytes().map(value), 8)?)
    } else if digits.contains(':') {
        let parts: Option<Vec<u32>> = digits
            .split(':')
            .map(|part| {
                if is_decimal(part) {
                    part.parse().ok()
                } else {
                    None
                }
            })
            .collect();
        Cow::Owned(in_base(parts?.into_iter().map(Some), 60)?)
    } else if is_decimal(&digits) {
        digits
    } else {
        return None;
    };
    Some(signed(negative, magnitude, text))
}

/// PyYAML's `construct_yaml_float`; unreadable where it raises.
pub(super) fn float11(text: &str) -> Reading<'_> {
    let (negative, body) = sign(text);
    if body.eq_ignore_ascii_case(".inf") {
        return Reading::NotFinite(if negative { "-Infinity" } else { "Infinity" });
    }
    if body.eq_ignore_ascii_case(".nan") {
        return Reading::NotFinite("NaN");
    }
    if body.contains('_') {
        return match float11(&text.replace('_', "")) {
            Reading::Float(JsonNumeral(lexeme)) => {
                Reading::Float(JsonNumeral(lexeme.into_owned().into()))
            }
            _ => Reading::Unreadable,
        };
    }
    if body.contains(':') {
        let mut total = 0.0;
        for part in body.split(':') {
            let Ok(part) = part.parse::<f64>() else {
                return Reading::Unreadable;
            };
            total = total * 60.0 + part;
        }
        let total = if negative { -total } else { total };
        return decimal(&format!("{total:?}")).map_or(Reading::Unreadable, |numeral| {
            Reading::Float(JsonNumeral(numeral.into_owned().into()))
        });
    }
    decimal(text).map_or(Reading::Unreadable, |lexeme| {
        Reading::Float(JsonNumeral(lexeme))
    })
}

/// The numbers of YAML 1.2's core schema, or a string.
pub(super) fn number12(text: &str) -> Reading<'_> {
    let (negative, body) = sign(text);
    let bytes = body.as_bytes();
    match bytes {
        b".inf" | b".Inf" | b".INF" => {
            return Reading::NotFinite(if negative { "-Infinity" } else { "Infinity" });
        }
        b".nan" | b".NaN" | b".NAN" if body.len() == text.len() => {
            return Reading::NotFinite("NaN");
        }
        [b'0', b'o', octal @ ..]
            if body.len() == text.len() && is_all(octal, |b| matches!(b, b'0'..=b'7')) =>
        {
            return converted(octal, 8);
        }
        [b'0', b'x', hex @ ..]
            if body.len() == text.len() && is_all(hex, |b| b.is_ascii_hexdigit()) =>
        {
            return converted(hex, 16);
        }
        [_, ..] if bytes.iter().all(u8::is_ascii_digit) => {
            let digits = body.trim_start_matches('0');
            let digits = if digits.is_empty() { "0" } else { digits };
            return Reading::Integer(signed(negative, digits.into(), text));
        }
        _ => {}
    }
    decimal(text).map_or(Reading::String, |lexeme| {
        Reading::Float(JsonNumeral(lexeme))
    })
}

fn is_all(bytes: &[u8], matches: impl Fn(u8) -> bool) -> bool {
    !bytes.is_empty() && bytes.iter().all(|b| matches(*b))
}

fn converted(digits: &[u8], base: u32) -> Reading<'static> {
    match in_base(digits.iter().copied().map(value), base) {
        Some(digits) => Reading::Integer(digits.into()),
        None => Reading::Unreadable,
    }
}

/// A decimal numeral with a point or an exponent, or neither, made JSON's.
fn decimal(text: &str) -> Option<Cow<'_, str>> {
    let (negative, body) = sign(text);
    let bytes = body.as_bytes();
    let whole = run(bytes, is_digit);
    let mut rest = &bytes[whole..];
    let mut fraction: &[u8] = &[];
    let point = matches!(rest, [b'.', ..]);
    if point {
        fraction = &rest[1..=run(&rest[1..], is_digit)];
        rest = &rest[1 + fraction.len()..];
    }
    if whole + fraction.len() == 0 {
        return None;
    }
    let exponent = match rest {
        [] => "",
        [b'e' | b'E', digits @ ..] => {
            let digits = unsigned(digits);
            if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
                return None;
            }
            &body[body.len() - rest.len()..]
        }
        _ => return None,
    };
    let leading = &body[..whole];
    let trimmed = leading.trim_start_matches('0');
    let plain = whole > 0
        && (trimmed.len() == whole || leading == "0")
        && point != fraction.is_empty()
        && (point || !exponent.is_empty())
        && !text.starts_with('+');
    if plain {
        return Some(text.into());
    }
    let minus = if negative { "-" } else { "" };
    let whole = if trimmed.is_empty() { "0" } else { trimmed };
    let fraction = if fraction.is_empty() {
        "0"
    } else {
        std::str::from_utf8(fraction).ok()?
    };
    Some(format!("{minus}{whole}.{fraction}{exponent}").into())
}

fn sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    }
}

fn signed<'t>(negative: bool, magnitude: Cow<'t, str>, text: &'t str) -> Cow<'t, str> {
    if !negative || magnitude == "0" {
        magnitude
    } else if magnitude.len() + 1 == text.len() && text.ends_with(&*magnitude) {
        text.into()
    } else {
        format!("-{magnitude}").into()
    }
}

fn value(byte: u8) -> Option<u32> {
    char::from(byte).to_digit(36)
}

/// Digits in a base, to decimal digits.
fn in_base(digits: impl Iterator<Item = Option<u32>>, base: u32) -> Option<String> {
    const LIMB: u64 = 1_000_000_000;
    let mut limbs: Vec<u32> = vec![0];
    let mut count = 0;
    for digit in digits {
        // The first group of a base-60 numeral may be any number.
        let digit = digit.filter(|d| *d < base || (base == 60 && count == 0))?;
        count += 1;
        if count > MAX_DIGITS {
            return None;
        }
        let mut carry = u64::from(digit);
        for limb in &mut limbs {
            let sum = u64::from(*limb) * u64::from(base) + carry;
            *limb = u32::try_from(sum % LIMB).ok()?;
            carry = sum / LIMB;
        }
        while carry > 0 {
            limbs.push(u32::try_from(carry % LIMB).ok()?);
            carry /= LIMB;
        }
    }
    if count == 0 {
        return None;
    }
    let mut limbs = limbs.iter().rev();
    let mut out = limbs.next()?.to_string();
    for limb in limbs {
        let _ = write!(out, "{limb:09}");
    }
    Some(out)
}
