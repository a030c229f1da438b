//! What one argument is held against.

use holodeck_value::Value;

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
        let _ = actual;
        todo!()
    }
    /// As authors write it: the literal, `{fuzzy: ..}` or `{regex: ..}`.
    pub fn to_value(&self) -> Value {
        todo!()
    }
}
