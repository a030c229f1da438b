//! `str()` and `repr()` of what Python's JSON reader makes of a text (rule M2), on random JSON values.

use holodeck_value::Value;
use serde_json::json;

use super::{Python, Rng, Tally};
use crate::workspace::Result;

const N_VALUES: usize = 20_000;

/// Characters that most strings are made of.
const PLAIN: &[u8] = b"abcXYZ 0123456789.,-_%";

/// The same JSON texts to both sides: the value alone for `str()`, in a list of one for `repr()`.
pub(crate) fn run(python: &Python) -> Result<Tally> {
    let mut rng = Rng::new(20_000);
    let texts: Vec<String> = (0..N_VALUES)
        .map(|_| {
            let mut text = String::new();
            write_value(&mut rng, 0, &mut text);
            text
        })
        .collect();
    let questions: Vec<String> = texts
        .iter()
        .map(|text| json!({ "json": text }).to_string())
        .collect();
    let mut tally = Tally::new("str() and repr() of JSON values");
    for (text, answer) in texts.iter().zip(python.ask("text.py", &questions)?) {
        let answer: serde_json::Value = serde_json::from_str(&answer)?;
        let value = Value::from_json(text)?;
        let said = |key: &str| answer[key].as_str().unwrap_or("(nothing)").to_owned();
        tally.compare(text, &said("str"), &value.text());
        let listed = Value::Array(vec![value]);
        tally.compare(text, &format!("[{}]", said("repr")), &listed.text());
    }
    Ok(tally)
}

fn write_value(rng: &mut Rng, depth: usize, out: &mut String) {
    let n_kinds = if depth < 4 { 8 } else { 6 };
    match rng.below(n_kinds) {
        0 => out.push_str(rng.pick(&["null", "true", "false", "NaN", "Infinity", "-Infinity"])),
        1 => write_integer(rng, out),
        2 | 3 => write_float(rng, out),
        4 | 5 => write_string(rng, out),
        6 => write_list(rng, depth, out),
        _ => write_mapping(rng, depth, out),
    }
}

fn write_integer(rng: &mut Rng, out: &mut String) {
    if rng.below(3) == 0 {
        out.push('-');
    }
    write_digits(rng, out);
}

fn write_digits(rng: &mut Rng, out: &mut String) {
    let n_digits = match rng.below(10) {
        0 => 1 + rng.below(400),
        1..=3 => 15 + rng.below(6),
        _ => 1 + rng.below(7),
    };
    for i in 0..n_digits {
        let digit = if i == 0 && n_digits > 1 {
            1 + rng.below(9)
        } else {
            rng.below(10)
        };
        write_into(out, format_args!("{digit}"));
    }
}

fn write_float(rng: &mut Rng, out: &mut String) {
    // Half of them are doubles of every magnitude, the others are decimals as people and models write them.
    if rng.below(2) == 0 {
        let double = f64::from_bits(rng.bits());
        if double.is_finite() {
            write_into(out, format_args!("{double:e}"));
            return;
        }
    }
    write_integer(rng, out);
    let exponent_only = rng.below(4) == 0;
    if !exponent_only {
        out.push('.');
        for _ in 0..=rng.below(20) {
            write_into(out, format_args!("{}", rng.below(10)));
        }
    }
    if exponent_only || rng.below(3) == 0 {
        out.push_str(rng.pick(&["e", "E", "e+", "e-", "E-"]));
        write_into(out, format_args!("{}", rng.below(400)));
    }
}

fn write_string(rng: &mut Rng, out: &mut String) {
    out.push('"');
    for _ in 0..rng.below(12) {
        write_char(rng, out);
    }
    out.push('"');
}

fn write_char(rng: &mut Rng, out: &mut String) {
    match rng.below(10) {
        0 => out.push_str(rng.pick(&["\\n", "\\t", "\\r", "\\\"", "\\\\", "\\/", "\\b", "\\f"])),
        1 => out.push_str(rng.pick(&[
            "'", "''", "\\\"'", "\\u0000", "\\u007f", "\\u00ad", "\\u2028",
        ])),
        2 => write_into(out, format_args!("\\u{:04x}", rng.below(0xd800))),
        3 => out.push_str(rng.pick(&["\\ud83d\\ude00", "\\udbff\\udfff", "\\ud83e\\udef0"])),
        4 => {
            let code = u32::try_from(0xa0 + rng.below(0x0003_0000)).unwrap_or(0xa0);
            out.push(char::from_u32(code).unwrap_or('é'));
        }
        _ => out.push(char::from(PLAIN[rng.below(PLAIN.len())])),
    }
}

fn write_list(rng: &mut Rng, depth: usize, out: &mut String) {
    out.push('[');
    for i in 0..rng.below(4) {
        if i > 0 {
            out.push_str(", ");
        }
        write_value(rng, depth + 1, out);
    }
    out.push(']');
}

fn write_mapping(rng: &mut Rng, depth: usize, out: &mut String) {
    out.push('{');
    for i in 0..rng.below(4) {
        if i > 0 {
            out.push_str(", ");
        }
        // Few names, so that duplicate keys occur.
        if rng.below(2) == 0 {
            out.push_str(rng.pick(&["\"a\"", "\"b\"", "\"it's\""]));
        } else {
            write_string(rng, out);
        }
        out.push_str(": ");
        write_value(rng, depth + 1, out);
    }
    out.push('}');
}

fn write_into(out: &mut String, what: std::fmt::Arguments<'_>) {
    std::fmt::Write::write_fmt(out, what).expect("a string takes everything");
}
