//! Python's `str()` and `repr()` of a value (rule M2).

use std::borrow::Cow;
use std::fmt::Write;

use crate::number::integer_text;
use crate::unicode::is_printable;
use crate::{Number, Value};

pub(crate) fn str_of(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Null => Cow::Borrowed("None"),
        Value::Bool(true) => Cow::Borrowed("True"),
        Value::Bool(false) => Cow::Borrowed("False"),
        Value::Number(number) => str_of_number(number),
        Value::Array(_) | Value::Object(_) => {
            let mut out = String::new();
            write_repr(value, &mut out);
            Cow::Owned(out)
        }
    }
}

/// `str()` of the int or float that Python's JSON reader makes of it; integers of over 4,300 digits too.
pub(crate) fn str_of_number(number: &Number) -> Cow<'_, str> {
    if number.is_integer() {
        Cow::Borrowed(integer_text(number.lexeme()))
    } else {
        Cow::Owned(str_of_float(number.as_f64()))
    }
}

fn write_repr(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => write_str_repr(text, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_repr(item, out);
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push('{');
            for (i, (key, item)) in object.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_str_repr(key, out);
                out.push_str(": ");
                write_repr(item, out);
            }
            out.push('}');
        }
        scalar => out.push_str(&str_of(scalar)),
    }
}

fn write_str_repr(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if is_printable(c) => out.push(c),
            c => write_escape(u32::from(c), out),
        }
    }
    out.push(quote);
}

fn write_escape(code: u32, out: &mut String) {
    let written = match code {
        0..=0xff => write!(out, "\\x{code:02x}"),
        0x100..=0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
    written.expect("writing to a String can't fail");
}

/// Python's `repr` of a float: the shortest digits that read back as it, with an exponent from 1e16 up and below 1e-4.
fn str_of_float(float: f64) -> String {
    if float.is_nan() {
        return "nan".to_owned();
    }
    let sign = if float.is_sign_negative() { "-" } else { "" };
    if float.is_infinite() {
        return format!("{sign}inf");
    }
    let (digits, point) = shortest_digits(float.abs());
    let n_digits = i32::try_from(digits.len()).unwrap_or(0);
    let zeros = |n: i32| "0".repeat(usize::try_from(n).unwrap_or(0));
    if !(-3..=16).contains(&point) {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let exponent = point - 1;
        let exponent_sign = if exponent < 0 { '-' } else { '+' };
        format!(
            "{sign}{first}{dot}{rest}e{exponent_sign}{:02}",
            exponent.abs()
        )
    } else if point <= 0 {
        format!("{sign}0.{}{digits}", zeros(-point))
    } else if n_digits <= point {
        format!("{sign}{digits}{}.0", zeros(point - n_digits))
    } else {
        let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
        format!("{sign}{whole}.{fraction}")
    }
}

/// The shortest digits (no zeros at either end, but `0` itself) and how many of them stand before the point.
fn shortest_digits(float: f64) -> (String, i32) {
    let mut buffer = zmij::Buffer::new();
    let written = buffer.format_finite(float);
    let (mantissa, exponent) = written.split_once(['e', 'E']).unwrap_or((written, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, fraction].concat();
    let significant = all.trim_start_matches('0');
    let n_leading = all.len() - significant.len();
    let digits = significant.trim_end_matches('0');
    if digits.is_empty() {
        return ("0".to_owned(), 1);
    }
    let n_before = |n: usize| i32::try_from(n).unwrap_or(0);
    let point = n_before(whole.len()) - n_before(n_leading) + exponent;
    (digits.to_owned(), point)
}

#[cfg(test)]
mod tests;
