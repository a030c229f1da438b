//! A JSON value.

use std::borrow::Cow;

use crate::{JsonError, Number, Object, json, text};

/// A JSON value whose numbers are kept exactly as they were written.
///
/// `==` is the contract's *literal* comparison (rule M1): numbers by exact mathematical value (`1 == 1.0`),
/// booleans and null only equal themselves, a string never equals a number, mappings ignore order, NaN equals nothing.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, exact.
    Number(Number),
    /// A string.
    String(String),
    /// A list.
    Array(Vec<Value>),
    /// A mapping, in the order written.
    Object(Object),
}

impl Value {
    /// Reads JSON as Python's `json.loads` would (`NaN`, `Infinity` accepted, the last of duplicate keys wins).
    pub fn from_json(text: &str) -> Result<Self, JsonError> {
        json::read(text)
    }

    /// Compact JSON with every numeral as it was written. `NaN` and the infinities, which JSON lacks, become strings.
    pub fn to_json(&self) -> String {
        todo!()
    }

    /// Length in bytes of Python's `json.dumps(value)`: `", "` and `": "` separators, non-ASCII as `\uXXXX` escapes.
    pub fn ascii_json_len(&self) -> usize {
        todo!()
    }

    /// Python's `str()` of the value (rule M2).
    pub fn text(&self) -> Cow<'_, str> {
        text::str_of(self)
    }

    /// The value's type in words for messages: `null`, `boolean`, `integer`, `float`, `string`, `list`, `mapping`.
    pub fn type_name(&self) -> &'static str {
        todo!()
    }

    /// The object, if it is one.
    pub fn as_object(&self) -> Option<&Object> {
        if let Self::Object(o) = self {
            Some(o)
        } else {
            None
        }
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(s) = self {
            Some(s)
        } else {
            None
        }
    }
}
