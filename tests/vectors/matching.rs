//! Argument matchers: literal (M1), fuzzy (M3), regex (M4).

use holodeck_match::{ArgMatcher, Fuzzy, Outcome, PyRegex};
use holodeck_tests::vector::Vector;
use holodeck_value::Value;

/// `{matcher, actual}`
pub(crate) fn literal(vector: &Vector) -> Result<(), String> {
    held(
        vector,
        &ArgMatcher::Literal(vector.input("matcher").clone()),
    )
}

/// `{fuzzy, actual}`
pub(crate) fn fuzzy(vector: &Vector) -> Result<(), String> {
    held(vector, &ArgMatcher::Fuzzy(Fuzzy::new(vector.text("fuzzy"))))
}

/// `{regex, actual}`
pub(crate) fn regex(vector: &Vector) -> Result<(), String> {
    let regex = PyRegex::new(vector.text("regex")).map_err(|e| e.to_string())?;
    held(vector, &ArgMatcher::Regex(regex))
}

/// `{regex}`: it must not compile.
pub(crate) fn regex_compile(vector: &Vector) -> Result<(), String> {
    match PyRegex::new(vector.text("regex")) {
        Err(_) => Ok(()),
        Ok(_) => Err("it compiles".to_owned()),
    }
}

fn held(vector: &Vector, matcher: &ArgMatcher) -> Result<(), String> {
    let outcome = matcher.check(vector.input("actual"));
    vector.check(&Value::Bool(outcome == Outcome::Matched))
}
