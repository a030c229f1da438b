//! `extract` (rule N4): which number of a reply is graded.
//!
//! A number is never a part of another one, and one that can't be read is never jumped over: where the last number of a
//! reply is `206 588`, `3-4` or `25k`, the metric fails and says so, rather than grade some number before it.
//! What only looks like a number (dates, times, versions, `FY2009`, `10-K`, `3rd`) is a word.

mod around;
mod scan;
mod word;

use std::ops::Range;

use holodeck_match::regex::GaveUp;
use holodeck_model::plan::Extract;
use holodeck_value::numeral;

pub(super) use scan::Token;
use scan::{ALL, tokens};

use crate::quote::{pattern, quote};

/// A number that was picked out of a text.
#[derive(Debug)]
pub(super) struct Picked<'a> {
    /// Which one, to be followed by what it is taken from: `the last number of`.
    pub(super) which: &'static str,
    /// Where and what it is.
    pub(super) token: Token<'a>,
}

/// Why there is no number to grade. `Display` follows the quoted text.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoNumber {
    #[error("has no number in it")]
    Nowhere,
    #[error("does not match the `extract` regex {0}")]
    NoMatch(String),
    #[error("matches the `extract` regex {0}, but its group took no part")]
    NoGroup(String),
    #[error("gives {0} by the `extract` regex, which is only a part of {1}")]
    CutShort(String, String),
    #[error("can't be searched: {0}")]
    GaveUp(GaveUp),
    #[error("gives {0} by the `extract` regex, which has no number in it")]
    GroupWithout(String),
    #[error("gives {0} by the `extract` regex, which has more than one number in it")]
    GroupWithMany(String),
}

impl NoNumber {
    /// Not the reply's fault.
    pub(super) fn is_ours(&self) -> bool {
        matches!(self, Self::GaveUp(_))
    }
}

/// Picks the number to grade.
pub(super) fn pick<'a>(extract: &Extract, text: &'a str) -> Result<Picked<'a>, NoNumber> {
    let regex = match extract {
        Extract::First => {
            return tokens(text)
                .next()
                .map(|token| Picked {
                    which: "the first number of",
                    token,
                })
                .ok_or(NoNumber::Nowhere);
        }
        Extract::Last => {
            return last_token(text)
                .map(|token| Picked {
                    which: "the last number of",
                    token,
                })
                .ok_or(NoNumber::Nowhere);
        }
        Extract::Regex(regex) => regex,
    };
    let found = regex
        .search(text)
        .map_err(NoNumber::GaveUp)?
        .ok_or_else(|| NoNumber::NoMatch(pattern(regex.pattern())))?;
    let range = found
        .picked
        .ok_or_else(|| NoNumber::NoGroup(pattern(regex.pattern())))?;
    let group = &text[range.clone()];
    if let Some(token) = cut_number(text, &range, &found.whole) {
        return Err(NoNumber::CutShort(quote(group), quote(token.shown)));
    }
    let which = "what the `extract` regex took from";
    // The author said where it stands, so what reads as a number is one, whatever words are around it.
    if numeral::read(group, ALL).is_ok() {
        let token = Token {
            start: range.start,
            shown: group,
            numeral: group.to_owned(),
            trap: None,
        };
        return Ok(Picked { which, token });
    }
    let mut inside = tokens(group);
    match (inside.next(), inside.next()) {
        (None, _) => Err(NoNumber::GroupWithout(quote(group))),
        (Some(_), Some(_)) => Err(NoNumber::GroupWithMany(quote(group))),
        (Some(token), None) => Ok(Picked { which, token }),
    }
}

/// The number that a match cuts off where it ends or begins: `(\d+)` takes 1 out of `1,234`. A pattern that goes on beyond
/// its group (`3\.(\d+)`) means what it takes.
fn cut_number<'a>(text: &'a str, group: &Range<usize>, whole: &Range<usize>) -> Option<Token<'a>> {
    let has_digit = |range: Range<usize>| text[range].contains(word::is_digit);
    let cuts = |token: &Token<'_>| {
        let end = token.start + token.shown.len();
        let overlaps = token.start < group.end && group.start < end;
        let at_start = group.start == whole.start && token.start < group.start;
        let at_end = group.end == whole.end && group.end < end;
        overlaps
            && (at_start && has_digit(token.start..group.start)
                || at_end && has_digit(group.end..end))
    };
    tokens(text)
        .take_while(|token| token.start < group.end)
        .find(|token| token.trap.is_none() && cuts(token))
}

/// The last number of `text`, if it can be read under some flags.
pub(super) fn last_number(text: &str) -> Option<Token<'_>> {
    last_token(text).filter(|token| token.trap.is_none())
}

fn last_token(text: &str) -> Option<Token<'_>> {
    tokens(text).last()
}

#[cfg(test)]
mod tests;
