//! `numeric` (rules N1 to N4): the same number within the tolerances, in exact decimals.

use holodeck_model::plan::Numeric;
use holodeck_value::numeral::{self, Accept};
use holodeck_value::{Decimal, unicode};

use super::extract::{self, Picked};
use super::{Answer, Finding};
use crate::quote::{cut, quote};

/// Holds the answer against the ground truth.
pub(super) fn find(settings: &Numeric, answer: &Answer, ground_truth: &str) -> Finding {
    let accept = Accept {
        percent: settings.accept_percent,
        thousands_separators: settings.accept_thousands_separators,
    };
    let expected = numeral::read(ground_truth, accept)
        .map_err(|why| format!("the ground_truth {} {why}", quote(ground_truth)));
    let actual = read_answer(settings, accept, answer);
    match (expected, actual) {
        (Ok(expected), Ok(actual)) => compare(settings, &expected, ground_truth, &actual),
        // Both sides are named: mending one of them would not be enough.
        (Err(expected), Err(actual)) => Finding::Unreadable {
            error: format!("{}, and {expected}", actual.error),
            ours: true,
        },
        (Err(error), Ok(_)) => Finding::Unreadable { error, ours: true },
        (Ok(_), Err(Unread { error, ours })) => Finding::Unreadable { error, ours },
    }
}

/// The answer as a number.
struct Read {
    value: Decimal,
    /// Where it comes from, where that is worth telling: `read from "14.1%"`.
    origin: Option<String>,
}

struct Unread {
    error: String,
    ours: bool,
}

fn read_answer(settings: &Numeric, accept: Accept, answer: &Answer) -> Result<Read, Unread> {
    let called = &answer.called;
    let Some(extract) = &settings.extract else {
        return match numeral::read(&answer.numeral, accept) {
            Ok(value) => Ok(Read {
                origin: origin(&value, &answer.numeral),
                value,
            }),
            Err(why) => Err(Unread {
                error: format!(
                    "{called} {} {why}{}",
                    quote(&answer.numeral),
                    hint(accept, &answer.numeral)
                ),
                ours: false,
            }),
        };
    };
    let Picked { which, token } = extract::pick(extract, &answer.numeral).map_err(|e| Unread {
        error: format!("{called} {} {e}", quote(&answer.numeral)),
        ours: e.is_ours(),
    })?;
    let unread = |why: String| Unread {
        error: format!("{which} {called}, {}, {why}", quote(token.shown)),
        ours: false,
    };
    if let Some(trap) = token.trap {
        return Err(unread(format!("is not a number ({trap})")));
    }
    let value = numeral::read(&token.numeral, accept).map_err(|why| unread(why.to_string()))?;
    // A year in parentheses surprises its author.
    let by_parentheses = value.is_negative() && !token.shown.contains(['-', '\u{2212}']);
    let origin = match origin(&value, token.shown) {
        None => format!("{which} {called}"),
        Some(_) if by_parentheses => format!(
            "{which} {called}, {}, where parentheses are a minus",
            quote(token.shown)
        ),
        Some(_) => format!("{which} {called}, {}", quote(token.shown)),
    };
    Ok(Read {
        value,
        origin: Some(origin),
    })
}

/// Says what a value was read from, unless it is shown just as it was written.
fn origin(value: &Decimal, written: &str) -> Option<String> {
    let written = written.trim_matches(unicode::is_space);
    (shown(value) != written).then(|| format!("read from {}", quote(written)))
}

/// A number in words; thousands of digits are cut.
fn shown(value: &Decimal) -> String {
    cut(value.to_string())
}

/// For a sentence with a number in it: what `extract` would do.
fn hint(accept: Accept, text: &str) -> String {
    extract::last_number(text)
        .and_then(|token| numeral::read(&token.numeral, accept).ok())
        .map(|value| format!("; `extract: last` would use {}", shown(&value)))
        .unwrap_or_default()
}

fn compare(settings: &Numeric, expected: &Decimal, ground_truth: &str, actual: &Read) -> Finding {
    let absolute = &settings.absolute_tolerance;
    let relative = &settings.relative_tolerance;
    let passed = actual.value.within(expected, absolute, relative);
    let expected_text = match origin(expected, ground_truth) {
        None => shown(expected),
        Some(origin) => format!("{} ({origin})", shown(expected)),
    };
    let actual_text = match &actual.origin {
        None => shown(&actual.value),
        Some(origin) => format!("{} ({origin})", shown(&actual.value)),
    };
    if actual.value == *expected {
        return Finding::yes_or_no(
            passed,
            format!("expected {expected_text}, got {actual_text}"),
        );
    }
    let by = match actual.value.distance(expected) {
        Some(distance) => format!("they differ by {}", shown(&distance)),
        None => "they are far apart".to_owned(),
    };
    let allowed = if Decimal::parse("0").is_some_and(|zero| *relative > zero) {
        format!(
            "absolute_tolerance {} or relative_tolerance {}",
            shown(absolute),
            shown(relative)
        )
    } else {
        format!("absolute_tolerance {}", shown(absolute))
    };
    let within = if passed { "within" } else { "more than" };
    Finding::yes_or_no(
        passed,
        format!("expected {expected_text}, got {actual_text}: {by}, {within} {allowed}"),
    )
}

#[cfg(test)]
mod tests;
