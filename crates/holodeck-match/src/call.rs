//! Which call satisfies an expectation (rules M5 to M7). Its reasons in words are in `reason.rs`.

use std::collections::BTreeSet;

use holodeck_value::{Object, Value};

use crate::{ArgMatcher, Outcome, regex::GaveUp};

/// How an entry of `expected_tools` was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A bare string.
    Bare,
    /// `{name, args?, count?}`
    Object,
}

/// One entry of `expected_tools`. Its `Display` is short: `subtract(a=206588, b≈181001, c~^x$)`, `lookup x2`.
#[derive(Clone, Debug)]
pub struct ExpectedCall {
    /// A case-sensitive part of the called tool's name.
    pub name: String,
    /// Asserted arguments in the author's order; `None` where `args` is absent or null.
    pub args: Option<Vec<(String, ArgMatcher)>>,
    /// At least so many calls, 1 or more.
    pub count: u32,
    /// How it was written.
    pub form: Form,
}

/// A call that the agent made.
#[derive(Clone, Copy, Debug)]
pub struct ActualCall<'a> {
    /// The tool's full name.
    pub name: &'a str,
    /// Its arguments; `None` where they were not a mapping.
    pub args: Option<&'a Object>,
}

/// What `select` found.
#[derive(Clone, Debug, PartialEq)]
pub struct CallVerdict {
    /// Whether at least `count` calls satisfy the entry.
    pub passed: bool,
    /// The first satisfying call of an entry that passed.
    pub matched_call: Option<usize>,
    /// Why it failed.
    pub miss: Option<Miss>,
}

/// Why an entry failed. `Display` is the reason in words, long values cut.
#[derive(Clone, Debug, PartialEq)]
pub enum Miss {
    /// No call has the name; these were made.
    NoSuchCall {
        /// The expected name.
        name: String,
        /// The names of the tools that were called, each once, in order.
        called: Vec<String>,
    },
    /// Some calls satisfied it, too few.
    TooFew {
        /// The entry's `count`.
        expected: u32,
        /// How many calls satisfied it.
        got: usize,
        /// The nearest call with the name that did not, by its index in the turn.
        nearest: Option<(usize, Vec<ArgMiss>)>,
    },
    /// None did; the nearest one with the name.
    Nearest {
        /// The call's index in the turn.
        call: usize,
        /// The called tool's full name.
        name: String,
        /// What does not fit, in the author's order.
        args: Vec<ArgMiss>,
    },
}

/// One argument of the nearest call that does not fit.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgMiss {
    /// The argument's name.
    pub name: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with an argument. Expected and actual values are in full: JSON, or `fuzzy "181001"`, ``regex `^x$` ``;
/// whoever shows them cuts them.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// The call has no such argument.
    Missing {
        /// What it had to be.
        expected: String,
    },
    /// The call's arguments are not a mapping, so it has none at all.
    NoArguments {
        /// What it had to be.
        expected: String,
    },
    /// It has another value. `types` where expected and actual types differ.
    Differs {
        /// What it had to be.
        expected: String,
        /// What it was.
        actual: String,
        /// Expected and actual type in words; `None` where they are the same, or both numbers.
        types: Option<(&'static str, &'static str)>,
    },
    /// The regex engine gave up.
    GaveUp {
        /// What it had to be.
        expected: String,
        /// What it was.
        actual: String,
        /// The limit that was hit.
        limit: GaveUp,
    },
}

/// Holds the calls of a turn against one entry.
pub fn select(expected: &ExpectedCall, actual: &[ActualCall<'_>]) -> CallVerdict {
    let asserted = expected.args.as_deref().unwrap_or_default();
    let mut n_satisfying = 0;
    let mut first = None;
    // The nearest of the unsatisfying calls, and how many of its arguments match.
    let mut nearest: Option<(usize, usize)> = None;
    for (call_idx, call) in actual.iter().enumerate() {
        if !call.name.contains(&*expected.name) {
            continue;
        }
        let n_matching = asserted.iter().filter(|arg| fits(arg, call)).count();
        if n_matching == asserted.len() {
            n_satisfying += 1;
            first = first.or(Some(call_idx));
        } else if nearest.is_none_or(|(_, most)| n_matching > most) {
            nearest = Some((call_idx, n_matching));
        }
    }
    let passed = n_satisfying >= usize::try_from(expected.count).unwrap_or(usize::MAX);
    let misses_of = |call_idx: usize| misses(asserted, &actual[call_idx]);
    let miss = match nearest {
        _ if passed => None,
        _ if n_satisfying > 0 => Some(Miss::TooFew {
            expected: expected.count,
            got: n_satisfying,
            nearest: nearest.map(|(call_idx, _)| (call_idx, misses_of(call_idx))),
        }),
        Some((call_idx, _)) => Some(Miss::Nearest {
            call: call_idx,
            name: actual[call_idx].name.to_owned(),
            args: misses_of(call_idx),
        }),
        None => Some(Miss::NoSuchCall {
            name: expected.name.clone(),
            called: distinct_names(actual),
        }),
    };
    CallVerdict {
        passed,
        matched_call: first.filter(|_| passed),
        miss,
    }
}

fn fits((name, matcher): &(String, ArgMatcher), call: &ActualCall<'_>) -> bool {
    let value = call.args.and_then(|args| args.get(name));
    value.is_some_and(|value| matcher.check(value) == Outcome::Matched)
}

fn misses(asserted: &[(String, ArgMatcher)], call: &ActualCall<'_>) -> Vec<ArgMiss> {
    asserted
        .iter()
        .filter_map(|(name, matcher)| {
            Some(ArgMiss {
                name: name.clone(),
                problem: problem(matcher, name, call)?,
            })
        })
        .collect()
}

fn problem(matcher: &ArgMatcher, name: &str, call: &ActualCall<'_>) -> Option<Problem> {
    let expected = in_words(matcher);
    let Some(args) = call.args else {
        return Some(Problem::NoArguments { expected });
    };
    let Some(value) = args.get(name) else {
        return Some(Problem::Missing { expected });
    };
    match (matcher.check(value), matcher) {
        (Outcome::Matched, _) => None,
        (Outcome::GaveUp(limit), _) => Some(Problem::GaveUp {
            expected,
            actual: with_text(value),
            limit,
        }),
        (Outcome::Differed, ArgMatcher::Literal(literal)) => Some(Problem::Differs {
            expected,
            actual: value.to_json(),
            types: differing_types(literal, value),
        }),
        (Outcome::Differed, ArgMatcher::Fuzzy(_) | ArgMatcher::Regex(_)) => {
            Some(Problem::Differs {
                expected,
                actual: with_text(value),
                types: None,
            })
        }
    }
}

fn in_words(matcher: &ArgMatcher) -> String {
    match matcher {
        ArgMatcher::Literal(value) => value.to_json(),
        ArgMatcher::Fuzzy(fuzzy) => format!("fuzzy {}", quoted(fuzzy.expected())),
        ArgMatcher::Regex(regex) => format!("regex `{}`", regex.pattern()),
    }
}

/// The value, and beside it the text that was compared (rule M2) where that is not what one sees.
fn with_text(value: &Value) -> String {
    let json = value.to_json();
    match value.text() {
        text if value.as_str().is_some() || text == json => json,
        text => format!("{json} (as text: {text})"),
    }
}

/// `None` for two numbers too: an integer may match a float, so that is never the reason.
fn differing_types(expected: &Value, actual: &Value) -> Option<(&'static str, &'static str)> {
    let both_numbers = matches!((expected, actual), (Value::Number(_), Value::Number(_)));
    let types = (expected.type_name(), actual.type_name());
    (types.0 != types.1 && !both_numbers).then_some(types)
}

fn quoted(text: &str) -> String {
    Value::from(text).to_json()
}

fn distinct_names(calls: &[ActualCall<'_>]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    calls
        .iter()
        .filter(|call| seen.insert(call.name))
        .map(|call| call.name.to_owned())
        .collect()
}

#[cfg(test)]
mod tests;
