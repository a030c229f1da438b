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
        serde_json::to_string(self)
            .expect("a value has string keys only and numerals that are JSON")
    }

    /// Length in bytes of Python's `json.dumps(value)`: `", "` and `": "` separators, non-ASCII as `\uXXXX` escapes.
    pub fn ascii_json_len(&self) -> usize {
        match self {
            Self::Null | Self::Bool(true) => 4,
            Self::Bool(false) => 5,
            Self::Number(number) => ascii_json_len_of_number(number),
            Self::String(text) => ascii_json_len_of_str(text),
            Self::Array(items) => {
                let separators = 2 * items.len().saturating_sub(1);
                2 + separators + items.iter().map(Self::ascii_json_len).sum::<usize>()
            }
            Self::Object(object) => {
                let separators = 2 * object.len().saturating_sub(1);
                let entry = |(key, value): (&str, &Self)| {
                    ascii_json_len_of_str(key) + 2 + value.ascii_json_len()
                };
                2 + separators + object.iter().map(entry).sum::<usize>()
            }
        }
    }

    /// Python's `str()` of the value (rule M2).
    pub fn text(&self) -> Cow<'_, str> {
        text::str_of(self)
    }

    /// The value's type in words for messages: `null`, `boolean`, `integer`, `float`, `string`, `list`, `mapping`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(number) if number.is_integer() => "integer",
            Self::Number(_) => "float",
            Self::String(_) => "string",
            Self::Array(_) => "list",
            Self::Object(_) => "mapping",
        }
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

impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Self::Bool(b)
    }
}
impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}
impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}
impl From<i64> for Value {
    fn from(n: i64) -> Self {
        Self::Number(n.into())
    }
}
impl From<u64> for Value {
    fn from(n: u64) -> Self {
        Self::Number(n.into())
    }
}
impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Self {
        Self::Array(items)
    }
}
impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Self::Object(object)
    }
}

fn ascii_json_len_of_number(number: &Number) -> usize {
    match &*text::str_of_number(number) {
        "inf" => "Infinity".len(),
        "-inf" => "-Infinity".len(),
        text => text.len(),
    }
}

fn ascii_json_len_of_str(text: &str) -> usize {
    let len_of = |c| match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        ' '..='~' => 1,
        c => 6 * c.len_utf16(),
    };
    2 + text.chars().map(len_of).sum::<usize>()
}

#[cfg(test)]
mod tests;
