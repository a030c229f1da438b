//! JSON text in, as Python's `json.loads` reads it, numerals untouched.
//!
//! Differences from Python, each an error here: lone surrogate escapes, over [`MAX_DEPTH`] levels, exponents of over 30 digits.

use std::borrow::Cow;
use std::ops::Range;

use crate::{Number, Object, Value};

/// How deep lists and mappings may nest.
pub const MAX_DEPTH: usize = 512;

const NO_VALUE: &str = "expected a value (text stands in double quotes)";

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
    let mut reader = Reader::new(text);
    let mut open: Vec<Container> = Vec::new();
    let mut root = None;
    while let Some((event, _)) = reader.next_event()? {
        let value = match event {
            Event::ObjectStart => {
                open.push(Container::Object(Object::new(), String::new()));
                continue;
            }
            Event::ArrayStart => {
                open.push(Container::Array(Vec::new()));
                continue;
            }
            Event::Key(key) => {
                if let Some(Container::Object(_, pending)) = open.last_mut() {
                    *pending = key.into_owned();
                }
                continue;
            }
            Event::ObjectEnd | Event::ArrayEnd => match open.pop() {
                Some(Container::Object(object, _)) => Value::Object(object),
                Some(Container::Array(items)) => Value::Array(items),
                None => continue,
            },
            Event::String(text) => Value::String(text.into_owned()),
            Event::Number(lexeme) => Value::Number(Number::from_checked(lexeme)),
            Event::Bool(b) => Value::Bool(b),
            Event::Null => Value::Null,
        };
        match open.last_mut() {
            Some(Container::Array(items)) => items.push(value),
            Some(Container::Object(object, key)) => object.insert(std::mem::take(key), value),
            None => root = Some(value),
        }
    }
    Ok(root.unwrap_or_default())
}

/// A list or mapping whose end has not come yet; a mapping with the key that waits for its value.
enum Container {
    Array(Vec<Value>),
    Object(Object, String),
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
    Key(Cow<'a, str>),
    /// A string.
    String(Cow<'a, str>),
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
    text: &'a str,
    at: usize,
    /// For each open container whether it is a mapping.
    open: Vec<bool>,
    expect: Expect,
}

/// What may come next.
#[derive(Clone, Debug, PartialEq)]
enum Expect {
    Value,
    /// A value, or the end of the list just opened.
    FirstItem,
    /// A key, or the end of the mapping just opened.
    FirstKey,
    Key,
    /// A comma or the end of the open container; the end of the text if none is open.
    CommaOrEnd,
    Nothing,
    Failed(JsonError),
}

type Step<'a> = (Event<'a>, Range<usize>);

impl<'a> Reader<'a> {
    /// A reader at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            open: Vec::new(),
            expect: Expect::Value,
        }
    }

    /// The next event with its byte range in the text (quotes of a string or key included); `None` after the one value and
    /// trailing white space. After an error the same error again.
    pub fn next_event(&mut self) -> Result<Option<Step<'a>>, JsonError> {
        if let Expect::Failed(error) = &self.expect {
            return Err(error.clone());
        }
        let step = self.step();
        if let Err(error) = &step {
            self.expect = Expect::Failed(error.clone());
        }
        step
    }

    fn step(&mut self) -> Result<Option<Step<'a>>, JsonError> {
        self.skip_space();
        if self.expect == Expect::CommaOrEnd {
            match (self.open.last(), self.peek()) {
                (None, None) => self.expect = Expect::Nothing,
                (None, Some(_)) => return self.fail("extra text after the value"),
                (Some(_), Some(b'}' | b']')) => return self.close(),
                (Some(&in_object), Some(b',')) => {
                    self.at += 1;
                    self.skip_space();
                    self.expect = if in_object {
                        Expect::Key
                    } else {
                        Expect::Value
                    };
                }
                (Some(true), _) => return self.fail("expected `,` or `}`"),
                (Some(false), _) => return self.fail("expected `,` or `]`"),
            }
        }
        match (&self.expect, self.peek()) {
            (Expect::Nothing, _) => Ok(None),
            (Expect::FirstKey, Some(b'}')) | (Expect::FirstItem, Some(b']')) => self.close(),
            (Expect::FirstKey | Expect::Key, Some(b'"')) => self.key().map(Some),
            (Expect::FirstKey, _) => self.fail("expected a key in double quotes or `}`"),
            (Expect::Key, _) => self.fail("expected a key in double quotes"),
            _ => self.value().map(Some),
        }
    }

    fn key(&mut self) -> Result<Step<'a>, JsonError> {
        let from = self.at;
        let key = self.string()?;
        let range = from..self.at;
        self.skip_space();
        if self.peek() != Some(b':') {
            return self.fail("expected `:` after the key");
        }
        self.at += 1;
        self.expect = Expect::Value;
        Ok((Event::Key(key), range))
    }

    fn value(&mut self) -> Result<Step<'a>, JsonError> {
        let from = self.at;
        let event = match self.peek() {
            Some(b'{') => return self.open(true),
            Some(b'[') => return self.open(false),
            Some(b'"') => Event::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Event::Number(self.numeral()?),
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word()?,
            None => return self.fail("expected a value, found the end"),
            Some(_) => return self.fail(NO_VALUE),
        };
        self.expect = Expect::CommaOrEnd;
        Ok((event, from..self.at))
    }

    fn open(&mut self, object: bool) -> Result<Step<'a>, JsonError> {
        if self.open.len() == MAX_DEPTH {
            return self.fail(&format!("more than {MAX_DEPTH} levels of nesting"));
        }
        self.open.push(object);
        self.at += 1;
        let (event, expect) = if object {
            (Event::ObjectStart, Expect::FirstKey)
        } else {
            (Event::ArrayStart, Expect::FirstItem)
        };
        self.expect = expect;
        Ok((event, self.at - 1..self.at))
    }

    fn close(&mut self) -> Result<Option<Step<'a>>, JsonError> {
        let event = match (self.open.last(), self.peek()) {
            (Some(true), Some(b'}')) => Event::ObjectEnd,
            (Some(false), Some(b']')) => Event::ArrayEnd,
            (Some(true), _) => return self.fail("expected `,` or `}`"),
            _ => return self.fail("expected `,` or `]`"),
        };
        self.open.pop();
        self.at += 1;
        self.expect = Expect::CommaOrEnd;
        Ok(Some((event, self.at - 1..self.at)))
    }

    fn word(&mut self) -> Result<Event<'a>, JsonError> {
        let rest = &self.text[self.at..];
        let n = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let event = match &rest[..n] {
            "null" => Event::Null,
            "true" => Event::Bool(true),
            "false" => Event::Bool(false),
            word @ ("NaN" | "Infinity") => Event::Number(word),
            _ => return self.fail(NO_VALUE),
        };
        self.at += n;
        Ok(event)
    }

    fn numeral(&mut self) -> Result<&'a str, JsonError> {
        let rest = &self.text[self.at..];
        let n = if rest.starts_with("-Infinity") {
            "-Infinity".len()
        } else {
            rest.bytes()
                .take_while(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'))
                .count()
        };
        if !Number::is_lexeme(&rest[..n]) {
            return self.fail("not a JSON number");
        }
        self.at += n;
        Ok(&rest[..n])
    }

    /// Reads the string that starts here, in one piece where it has no escapes.
    fn string(&mut self) -> Result<Cow<'a, str>, JsonError> {
        let opening = self.at;
        self.at += 1;
        let mut unescaped: Option<String> = None;
        loop {
            let run_from = self.at;
            let n_run = self.text.as_bytes()[run_from..]
                .iter()
                .position(|b| matches!(b, b'"' | b'\\' | 0..=0x1f));
            let Some(n_run) = n_run else {
                self.at = opening;
                return self.fail("a string without its closing quote");
            };
            let run = &self.text[run_from..run_from + n_run];
            self.at += n_run;
            match self.text.as_bytes()[self.at] {
                b'"' => {
                    self.at += 1;
                    return Ok(match unescaped {
                        None => Cow::Borrowed(run),
                        Some(text) => Cow::Owned(text + run),
                    });
                }
                b'\\' => {
                    let text = unescaped.get_or_insert_default();
                    text.push_str(run);
                    let escaped = self.escape()?;
                    unescaped.get_or_insert_default().push(escaped);
                }
                _ => {
                    return self.fail(
                        "a control character in a string (write it as an escape, such as `\\n`)",
                    );
                }
            }
        }
    }

    /// Reads the escape whose backslash stands here.
    fn escape(&mut self) -> Result<char, JsonError> {
        let from = self.at;
        self.at += 1;
        let Some(kind) = self.peek() else {
            return self.fail("a string without its closing quote");
        };
        self.at += 1;
        Ok(match kind {
            b'"' | b'\\' | b'/' => char::from(kind),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(from),
            _ => {
                self.at = from;
                return self.fail("an unknown escape (a backslash itself is `\\\\`)");
            }
        })
    }

    fn unicode_escape(&mut self, from: usize) -> Result<char, JsonError> {
        const LONE: &str = "a lone surrogate (half of a character), which is no text";
        let unit = self.hex4(from)?;
        if let Some(c) = char::from_u32(unit) {
            return Ok(c);
        }
        let has_second = unit < 0xdc00 && self.text[self.at..].starts_with("\\u");
        if has_second {
            self.at += 2;
            let second = self.hex4(self.at - 2)?;
            if (0xdc00..0xe000).contains(&second) {
                let code = 0x1_0000 + ((unit - 0xd800) << 10) + (second - 0xdc00);
                if let Some(c) = char::from_u32(code) {
                    return Ok(c);
                }
            }
        }
        self.at = from;
        self.fail(LONE)
    }

    fn hex4(&mut self, escape_from: usize) -> Result<u32, JsonError> {
        let digits = self.text.get(self.at..self.at + 4);
        let value = digits
            .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|d| u32::from_str_radix(d, 16).ok());
        if value.is_some() {
            self.at += 4;
        } else {
            self.at = escape_from;
        }
        value.map_or_else(|| self.fail("`\\u` without four hexadecimal digits"), Ok)
    }

    fn skip_space(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
            .count();
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fail<T>(&self, message: &str) -> Result<T, JsonError> {
        Err(JsonError {
            offset: self.at,
            message: message.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests;
