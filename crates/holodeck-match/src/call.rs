//! Which call satisfies an expectation (M5 to M7).

use holodeck_value::Object;

use crate::{ArgMatcher, regex::GaveUp};

/// How an entry of `expected_tools` was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A bare string.
    Bare,
    /// `{name, args?, count?}`
    Object,
}

/// One entry of `expected_tools`.
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
    /// How many calls satisfy it.
    pub n_satisfying: usize,
    /// The first satisfying call of an entry that passed.
    pub matched_call: Option<usize>,
    /// Why it failed.
    pub miss: Option<Miss>,
}

/// Why an entry failed. `Display` is the reason in words.
#[derive(Clone, Debug, PartialEq)]
pub enum Miss {
    /// No call has the name; these were made.
    NoSuchCall { name: String, called: Vec<String> },
    /// Some calls satisfied it, too few.
    TooFew {
        expected: u32,
        got: usize,
        nearest: Option<(usize, Vec<ArgMiss>)>,
    },
    /// None did; the nearest one with the name.
    Nearest {
        call: usize,
        name: String,
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

/// What is wrong with an argument. Texts are cut for display by whoever shows them, not here.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// The call has no such argument.
    Missing { expected: String },
    /// It has another value. `types` where expected and actual types differ.
    Differs {
        expected: String,
        actual: String,
        types: Option<(&'static str, &'static str)>,
    },
    /// The regex engine gave up.
    GaveUp {
        expected: String,
        actual: String,
        limit: GaveUp,
    },
}

/// Holds the calls of a turn against one entry.
pub fn select(expected: &ExpectedCall, actual: &[ActualCall<'_>]) -> CallVerdict {
    let _ = (expected, actual);
    todo!()
}

impl std::fmt::Display for Miss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let _ = f;
        todo!()
    }
}

impl std::fmt::Display for ExpectedCall {
    /// `subtract(a=206588, b≈181001, c~^x$)`, `lookup x2`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let _ = f;
        todo!()
    }
}
