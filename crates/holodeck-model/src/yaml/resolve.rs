//! What a plain scalar is to PyYAML (YAML 1.1) and to a YAML 1.2 reader with the core schema (rule L8).
//!
//! Both are matched by hand, byte by byte: no regexes, so no cost worth speaking of on large files.

mod numerals;

use std::borrow::Cow;

pub use numerals::JsonNumeral;

/// What a reader makes of a scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading<'t> {
    /// `null`
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer, its decimal digits with a `-` where negative.
    Integer(Cow<'t, str>),
    /// A number with a fraction or an exponent, as a JSON numeral.
    Float(JsonNumeral<'t>),
    /// Not a number, or infinite: `NaN`, `Infinity`, `-Infinity`.
    NotFinite(&'static str),
    /// A date or a time stamp.
    Date,
    /// The merge key `<<`.
    Merge,
    /// `=`, which PyYAML has no value for.
    Default,
    /// A string: the text itself.
    String,
    /// Recognised as a number, but not one (`0b_`), or one of over 4,300 digits in another base than ten.
    Unreadable,
}

impl Reading<'_> {
    /// In words, for a message: `the number 90`, `the boolean true`.
    pub fn describe(&self) -> Cow<'static, str> {
        match self {
            Self::Null => "null".into(),
            Self::Bool(b) => format!("the boolean {b}").into(),
            Self::Integer(digits) => format!("the number {}", shorten(digits)).into(),
            Self::Float(numeral) => {
                format!("the number {}", shorten(&numeral.spelled_out())).into()
            }
            Self::NotFinite(word) => format!("the number {word}").into(),
            Self::Date => "a date".into(),
            Self::Merge => "a merge key".into(),
            Self::Default | Self::Unreadable => "an error".into(),
            Self::String => "a string".into(),
        }
    }

    /// The type in one word, for a message.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Integer(_) => "integer",
            Self::Float(_) | Self::NotFinite(_) => "float",
            Self::Date => "date",
            Self::Merge => "merge key",
            Self::Default | Self::Unreadable => "unreadable scalar",
            Self::String => "string",
        }
    }
}

/// At most 40 characters of a text.
pub(super) fn shorten(text: &str) -> Cow<'_, str> {
    shorten_to(text, 40)
}

/// At most so many characters of a text.
pub(super) fn shorten_to(text: &str, max: usize) -> Cow<'_, str> {
    if text.len() <= max {
        return text.into();
    }
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// Both readings of a plain scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Plain<'t> {
    /// They agree.
    Same(Reading<'t>),
    /// They differ: first PyYAML's, then that of YAML 1.2.
    Differs(Reading<'t>, Reading<'t>),
}

/// Reads a plain scalar both ways.
pub fn plain(text: &str) -> Plain<'_> {
    let old = yaml11(text);
    let new = yaml12(text);
    if old == new {
        Plain::Same(old)
    } else {
        Plain::Differs(old, new)
    }
}

/// What PyYAML's safe loader makes of a plain scalar.
pub fn yaml11(text: &str) -> Reading<'_> {
    let bytes = text.as_bytes();
    match bytes {
        [] | b"~" => Reading::Null,
        b"<<" => Reading::Merge,
        b"=" => Reading::Default,
        [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => {
            if numerals::is_float11(bytes) {
                numerals::float11(text)
            } else if numerals::is_int11(bytes) {
                numerals::int11(text).map_or(Reading::Unreadable, Reading::Integer)
            } else if is_date(bytes) {
                Reading::Date
            } else {
                Reading::String
            }
        }
        [_, _, ..] if bytes.len() <= 5 => match text {
            "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
                Reading::Bool(true)
            }
            "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
                Reading::Bool(false)
            }
            "null" | "Null" | "NULL" => Reading::Null,
            _ => Reading::String,
        },
        _ => Reading::String,
    }
}

/// What YAML 1.2's core schema makes of a plain scalar.
pub fn yaml12(text: &str) -> Reading<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Reading::Null,
        "true" | "True" | "TRUE" => Reading::Bool(true),
        "false" | "False" | "FALSE" => Reading::Bool(false),
        _ if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
            numerals::number12(text)
        }
        _ => Reading::String,
    }
}

/// What PyYAML makes of a scalar under an explicit `!!int`; `None` where it raises.
pub fn tagged_int11(text: &str) -> Option<Reading<'_>> {
    numerals::int11(text).map(Reading::Integer)
}

/// What PyYAML makes of a scalar under an explicit `!!float`; `None` where it raises.
pub fn tagged_float11(text: &str) -> Option<Reading<'_>> {
    match numerals::float11(text) {
        Reading::Unreadable => None,
        reading => Some(reading),
    }
}

/// What PyYAML makes of a scalar under an explicit `!!bool`; `None` where it raises.
pub fn tagged_bool11(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "true" | "on" => Some(true),
        "no" | "false" | "off" => Some(false),
        _ => None,
    }
}

/// What a JSON numeral is, `NaN` and the infinities that Python writes among them.
pub(super) fn json_number(text: &str) -> Reading<'_> {
    match text {
        "NaN" => Reading::NotFinite("NaN"),
        "Infinity" => Reading::NotFinite("Infinity"),
        "-Infinity" => Reading::NotFinite("-Infinity"),
        _ if text.contains(['.', 'e', 'E']) => numerals::float11(text),
        _ => Reading::Integer(text.into()),
    }
}

/// PyYAML's time stamps: `2009-12-31`, or with a time of day.
fn is_date(bytes: &[u8]) -> bool {
    let mut cursor = Cursor(bytes);
    if cursor.digits() != 4 || !cursor.take(b"-") {
        return false;
    }
    let month = cursor.digits();
    if !(1..=2).contains(&month) || !cursor.take(b"-") {
        return false;
    }
    let day = cursor.digits();
    if !(1..=2).contains(&day) {
        return false;
    }
    if cursor.0.is_empty() {
        return month == 2 && day == 2;
    }
    if !cursor.take(b"Tt") && cursor.blanks() == 0 {
        return false;
    }
    let time = (1..=2).contains(&cursor.digits())
        && cursor.take(b":")
        && cursor.digits() == 2
        && cursor.take(b":")
        && cursor.digits() == 2;
    if !time {
        return false;
    }
    if cursor.take(b".") {
        cursor.digits();
    }
    if cursor.0.is_empty() {
        return true;
    }
    cursor.blanks();
    if cursor.take(b"Z") {
        return cursor.0.is_empty();
    }
    cursor.take(b"+-")
        && (1..=2).contains(&cursor.digits())
        && (!cursor.take(b":") || cursor.digits() == 2)
        && cursor.0.is_empty()
}

struct Cursor<'b>(&'b [u8]);

impl Cursor<'_> {
    fn take(&mut self, any: &[u8]) -> bool {
        match self.0 {
            [first, rest @ ..] if any.contains(first) => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    fn skip(&mut self, matches: impl Fn(&u8) -> bool) -> usize {
        let n = self.0.iter().take_while(|b| matches(b)).count();
        self.0 = &self.0[n..];
        n
    }

    fn digits(&mut self) -> usize {
        self.skip(u8::is_ascii_digit)
    }

    fn blanks(&mut self) -> usize {
        self.skip(|b| matches!(b, b' ' | b'\t'))
    }
}
