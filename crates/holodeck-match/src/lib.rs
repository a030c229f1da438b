//! Which recorded tool call satisfies which expectation, and why not.
//!
//! Knows neither YAML, turns nor files. Start reading at [`select`].
//!
//! ```
//! use holodeck_match::{ActualCall, ArgMatcher, ExpectedCall, Form, Fuzzy, PyRegex, select};
//! use holodeck_value::Value;
//!
//! let expected = ExpectedCall {
//!     name: "subtract".to_owned(),
//!     args: Some(vec![
//!         ("a".to_owned(), ArgMatcher::Fuzzy(Fuzzy::new("206588"))),
//!         ("unit".to_owned(), ArgMatcher::Regex(PyRegex::new("(?i)usd|dollars")?)),
//!     ]),
//!     count: 1,
//!     form: Form::Object,
//! };
//! let args = Value::from_json(r#"{"a": "206,588", "unit": "EUR"}"#)?;
//! let call = ActualCall { name: "mcp__calc__subtract", args: args.as_object() };
//! let miss = select(&expected, &[call]).miss.expect("the unit is another one");
//! assert!(miss.to_string().starts_with("arg 'unit' mismatch: expected regex `(?i)usd|dollars`, got \"EUR\""));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
