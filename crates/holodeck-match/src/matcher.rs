//! What one argument is held against.
//!
//! To add a matcher kind: 1. a variant of [`ArgMatcher`] here, with its file beside `fuzzy.rs`; 2. its shape as authors write it, in
//! the model's reading of `args`; 3. vectors in `tests/conformance/arg_*.jsonl`; 4. `cargo test -p holodeck-match` and the `tests` crate.

use holodeck_value::{Object, Value};

use crate::{Fuzzy, PyRegex, regex::GaveUp};

/// What one argument must be.
#[derive(Clone, Debug)]
pub enum ArgMatcher {
    /// Equal by value (M1).
    Literal(Value),
    /// Equal but for case, space, separators and number form (M3).
    Fuzzy(Fuzzy),
    /// Python's `re.fullmatch` over the value's text (M4).
    Regex(PyRegex),
}

/// What came of holding a value against a matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It matches.
    Matched,
    /// It does not.
    Differed,
    /// The regex engine hit its step limit: counts as a mismatch, told apart in the reason.
    GaveUp(GaveUp),
}

impl ArgMatcher {
    /// Holds `actual` against it.
    pub fn check(&self, actual: &Value) -> Outcome {
        let matched = match self {
            Self::Literal(expected) => Ok(expected == actual),
            Self::Fuzzy(fuzzy) => Ok(fuzzy.matches(actual)),
            Self::Regex(regex) => regex.full_match(&actual.text()),
        };
        match matched {
            Ok(true) => Outcome::Matched,
            Ok(false) => Outcome::Differed,
            Err(gave_up) => Outcome::GaveUp(gave_up),
        }
    }

    /// As authors write it: the literal, `{fuzzy: ..}` or `{regex: ..}`.
    pub fn to_value(&self) -> Value {
        let (key, text) = match self {
            Self::Literal(value) => return value.clone(),
            Self::Fuzzy(fuzzy) => ("fuzzy", fuzzy.expected()),
            Self::Regex(regex) => ("regex", regex.pattern()),
        };
        let mut matcher = Object::new();
        matcher.insert(key, text.into());
        matcher.into()
    }
}
