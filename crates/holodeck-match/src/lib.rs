//! Which recorded tool call satisfies which expectation, and why not.
//!
//! Knows neither YAML, turns nor files. Start reading at [`select`].

#![warn(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this crate is pure"
)]

mod call;
mod fuzzy;
mod matcher;
mod reason;
pub mod regex;

pub use call::{ActualCall, ArgMiss, CallVerdict, ExpectedCall, Form, Miss, Problem, select};
pub use fuzzy::Fuzzy;
pub use matcher::{ArgMatcher, Outcome};
pub use regex::PyRegex;
