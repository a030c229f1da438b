//! JSON text in and out, as Python's `json` reads and writes it, numerals untouched.

use crate::Value;

/// Why a text is not JSON, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at byte {offset}")]
pub struct JsonError {
    /// Byte offset into the text.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
}

/// Reads one JSON value.
pub fn read(text: &str) -> Result<Value, JsonError> {
    let _ = text;
    todo!()
}

/// One step of a JSON text.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a> {
    /// `{`
    ObjectStart,
    /// `}`
    ObjectEnd,
    /// `[`
    ArrayStart,
    /// `]`
    ArrayEnd,
    /// A key of the open object.
    Key(std::borrow::Cow<'a, str>),
    /// A string.
    String(std::borrow::Cow<'a, str>),
    /// A numeral as written, or `NaN`, `Infinity`, `-Infinity`.
    Number(&'a str),
    /// `true`, `false`
    Bool(bool),
    /// `null`
    Null,
}

/// Reads a JSON text step by step, each step with its byte range.
#[derive(Debug)]
pub struct Reader<'a> {
    #[expect(dead_code, reason = "sketch")]
    text: &'a str,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text }
    }
    /// The next event with its byte range in the text; `None` after the one value and trailing white space.
    pub fn next_event(&mut self) -> Result<Option<(Event<'a>, std::ops::Range<usize>)>, JsonError> {
        todo!()
    }
}
