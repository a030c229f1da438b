//! The text of a file, checked to be text.

use std::sync::Arc;

use super::{MAX_BYTES, lines::Lines};
use crate::diagnostic::Diagnostic;

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// YAML, with the readings of rule L8.
    Yaml,
    /// JSON, with numerals exactly as JSON has them.
    Json,
}

/// One file's text, or one line of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file as the author would name it.
    pub name: String,
    /// The text, without a byte order mark.
    pub text: Arc<str>,
    /// How it is written.
    pub dialect: Dialect,
    /// The number that its first line has in the file: 1, or more for a line of a JSONL file.
    pub first_line: u32,
}

impl Source {
    /// A text that is known to be one.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>, dialect: Dialect) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            dialect,
            first_line: 1,
        }
    }

    /// Reads UTF-8, dropping a byte order mark (rule L9).
    ///
    /// UTF-16, other bytes, NUL and files of over a gibibyte are refused, with the path `yaml`.
    pub fn decode(
        name: impl Into<String>,
        bytes: Vec<u8>,
        dialect: Dialect,
    ) -> Result<Self, Box<Diagnostic>> {
        let name = name.into();
        let refuse = |message: String, hint: &str| {
            let mut diagnostic = Diagnostic::error("not-utf-8", message);
            "yaml".clone_into(&mut diagnostic.path);
            diagnostic.hint = Some(hint.to_owned());
            Box::new(diagnostic)
        };
        let save = "save the file as UTF-8";
        if bytes.len() > MAX_BYTES {
            let message = format!("`{name}` is larger than {} MiB", MAX_BYTES >> 20);
            return Err(refuse(
                message,
                "put test cases into a `.jsonl` file, which is read case by case",
            ));
        }
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            return Err(refuse(format!("`{name}` is UTF-16, not UTF-8"), save));
        }
        let bad = match std::str::from_utf8(&bytes) {
            Ok(text) => text.find('\0').map(|offset| (offset, 0)),
            Err(error) => Some((error.valid_up_to(), bytes[error.valid_up_to()])),
        };
        if let Some((offset, byte)) = bad {
            let what = match byte {
                0 => "there is a NUL byte here".to_owned(),
                _ => format!("byte 0x{byte:02X} is not UTF-8"),
            };
            let before = String::from_utf8_lossy(&bytes[..offset]).into_owned();
            let text = before.clone() + &String::from_utf8_lossy(&bytes[offset..]);
            let lossy = Self::new(name, text, dialect);
            let at = before.len()..before.len() + 1;
            let place = Lines::new(&lossy.text).place(&lossy, at);
            let mut diagnostic = refuse(what, save);
            diagnostic.place = Some(place);
            return Err(diagnostic);
        }
        let text = String::from_utf8(bytes).unwrap_or_default();
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) => Arc::from(rest),
            None => Arc::from(text),
        };
        Ok(Self {
            name,
            text,
            dialect,
            first_line: 1,
        })
    }
}
