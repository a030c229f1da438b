//! A part of a document that was found to fit its shape, ready to be read into domain types or shown with its defaults.

use holodeck_match::{ArgMatcher, PyRegex};
use holodeck_value::{Number, Object, Value};

use super::{Field, ObjectShape, Presence, Shape};
use crate::mask::MASK;
use crate::yaml::Node;

/// A value that fits its shape; texts are the document's.
#[derive(Debug)]
pub enum Checked<'d> {
    /// `true` or `false`, however it was spelt.
    Bool(bool),
    /// A number within its bounds.
    Number(Number),
    /// A string.
    Text(&'d str),
    /// A string that is shown as [`MASK`].
    Secret(&'d str),
    /// A list.
    List(Vec<Checked<'d>>),
    /// The test cases, not looked at yet; null as JSON.
    Cases(Vec<Node<'d>>),
    /// A mapping with known keys.
    Record(Record<'d>),
    /// A mapping from any strings.
    Map(Vec<(&'d str, Checked<'d>)>),
    /// Anything that JSON can say.
    Free(Value),
    /// A regular expression.
    Regex(PyRegex),
    /// Asserted arguments, in the author's order.
    Args(Vec<(String, ArgMatcher)>),
}

/// A mapping with known keys; null counts as absent. A part that was wrong is absent too, having been reported.
#[derive(Debug)]
pub struct Record<'d> {
    pub(crate) shape: &'static ObjectShape,
    pub(crate) node: Node<'d>,
    /// One a field of the shape.
    pub(crate) fields: Vec<Option<Checked<'d>>>,
    /// Keys of an open shape that it does not name.
    pub(crate) extra: Vec<(&'d str, Checked<'d>)>,
}

impl<'d> Record<'d> {
    /// Which mapping it is.
    pub fn shape(&self) -> &'static ObjectShape {
        self.shape
    }
    /// Where it stands.
    pub fn node(&self) -> Node<'d> {
        self.node
    }
    /// The value of a field that was given.
    pub fn get(&self, key: &str) -> Option<&Checked<'d>> {
        let i = self.shape.fields.iter().position(|f| f.key == key)?;
        self.fields[i].as_ref()
    }
    /// A string that was given, secret or not.
    pub fn text(&self, key: &str) -> Option<&'d str> {
        match self.get(key)? {
            Checked::Text(text) | Checked::Secret(text) => Some(text),
            _ => None,
        }
    }
    /// A string that was given, else the field's default.
    pub fn text_or_default(&self, key: &str) -> Option<&'d str> {
        self.text(key)
            .or_else(|| default_text(self.shape.field(key)?))
    }
    /// A boolean, else the field's default, else false.
    pub fn flag(&self, key: &str) -> bool {
        match self.get(key) {
            Some(Checked::Bool(b)) => *b,
            _ => self
                .shape
                .field(key)
                .is_some_and(|f| f.presence == Presence::Default("true")),
        }
    }
    /// A number, else the field's default.
    pub fn number(&self, key: &str) -> Option<Number> {
        match self.get(key) {
            Some(Checked::Number(number)) => Some(number.clone()),
            Some(_) => None,
            None => match self.shape.field(key)?.presence {
                Presence::Default(json) => Number::from_lexeme(json),
                _ => None,
            },
        }
    }
    /// A list that was given.
    pub fn list(&self, key: &str) -> Option<&[Checked<'d>]> {
        match self.get(key)? {
            Checked::List(items) => Some(items),
            _ => None,
        }
    }
    /// The strings of a list that was given.
    pub fn texts(&self, key: &str) -> Option<Vec<String>> {
        let texts = self.list(key)?.iter().filter_map(Checked::as_text);
        Some(texts.map(str::to_owned).collect())
    }
    /// A mapping that was given.
    pub fn record(&self, key: &str) -> Option<&Record<'d>> {
        self.get(key)?.as_record()
    }
    /// Appends a text that equal content, and only equal content, gives: keys in the order of the shape, absent ones and
    /// places left out.
    pub(crate) fn fingerprint(&self, out: &mut String) {
        out.push('{');
        for (field, value) in self.shape.fields.iter().zip(&self.fields) {
            if let Some(value) = value {
                fingerprint_text(field.key, out);
                value.fingerprint(out);
            }
        }
        for (key, value) in &self.extra {
            fingerprint_text(key, out);
            value.fingerprint(out);
        }
        out.push('}');
    }
    /// As JSON, secrets masked: as written, or with every default filled in (a field without one is null then).
    pub fn to_value(&self, filled: bool) -> Value {
        let mut object = Object::new();
        for (field, value) in self.shape.fields.iter().zip(&self.fields) {
            match value {
                Some(value) => object.insert(field.key, value.to_value(filled)),
                None if filled => object.insert(field.key, default_value(field)),
                None => {}
            }
        }
        for (key, value) in &self.extra {
            object.insert(*key, value.to_value(filled));
        }
        Value::Object(object)
    }
}

impl<'d> Checked<'d> {
    /// The string, if it is one.
    pub fn as_text(&self) -> Option<&'d str> {
        match self {
            Self::Text(text) | Self::Secret(text) => Some(text),
            _ => None,
        }
    }
    /// The mapping with known keys, if it is one.
    pub fn as_record(&self) -> Option<&Record<'d>> {
        match self {
            Self::Record(record) => Some(record),
            _ => None,
        }
    }
    /// The number, if it is one.
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }
    pub(crate) fn fingerprint(&self, out: &mut String) {
        match self {
            Self::Bool(b) => out.push(if *b { 't' } else { 'f' }),
            Self::Number(number) => fingerprint_number(number, out),
            Self::Text(text) | Self::Secret(text) => fingerprint_text(text, out),
            Self::List(items) => {
                out.push('[');
                for item in items {
                    item.fingerprint(out);
                }
                out.push(']');
            }
            Self::Cases(_) => {}
            Self::Record(record) => record.fingerprint(out),
            Self::Map(entries) => {
                out.push('{');
                for (key, value) in entries {
                    fingerprint_text(key, out);
                    value.fingerprint(out);
                }
                out.push('}');
            }
            Self::Free(value) => fingerprint_value(value, out),
            Self::Regex(regex) => fingerprint_text(regex.pattern(), out),
            Self::Args(args) => {
                out.push('{');
                for (name, matcher) in args {
                    fingerprint_text(name, out);
                    match matcher {
                        ArgMatcher::Literal(value) => fingerprint_value(value, out),
                        ArgMatcher::Fuzzy(fuzzy) => {
                            out.push('~');
                            fingerprint_text(fuzzy.expected(), out);
                        }
                        ArgMatcher::Regex(regex) => {
                            out.push('/');
                            fingerprint_text(regex.pattern(), out);
                        }
                    }
                }
                out.push('}');
            }
        }
    }
    /// As JSON; see [`Record::to_value`].
    pub fn to_value(&self, filled: bool) -> Value {
        match self {
            Self::Bool(b) => Value::Bool(*b),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => Value::String((*text).to_owned()),
            Self::Secret(_) => Value::String(MASK.to_owned()),
            Self::List(items) => Value::Array(items.iter().map(|i| i.to_value(filled)).collect()),
            Self::Cases(_) => Value::Null,
            Self::Record(record) => record.to_value(filled),
            Self::Map(entries) => {
                let entries = entries.iter();
                let entries =
                    entries.map(|(key, value)| ((*key).to_owned(), value.to_value(filled)));
                Value::Object(entries.collect())
            }
            Self::Free(value) => value.clone(),
            Self::Regex(regex) => Value::String(regex.pattern().to_owned()),
            Self::Args(args) => {
                let args = args.iter();
                Value::Object(args.map(|(name, m)| (name.clone(), m.to_value())).collect())
            }
        }
    }
}

fn fingerprint_text(text: &str, out: &mut String) {
    out.push_str(&text.len().to_string());
    out.push(':');
    out.push_str(text);
}

fn fingerprint_value(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => fingerprint_text(text, out),
        Value::Number(number) => fingerprint_number(number, out),
        value => out.push_str(&value.to_json()),
    }
}

fn fingerprint_number(number: &Number, out: &mut String) {
    out.push('#');
    out.push_str(number.lexeme());
    out.push(';');
}

/// What a field that was left out counts as.
fn default_value(field: &Field) -> Value {
    let Presence::Default(json) = field.presence else {
        return Value::Null;
    };
    match field.shape {
        Shape::Object(shape) if json == "{}" => {
            let fields = shape.fields.iter();
            Value::Object(
                fields
                    .map(|f| (f.key.to_owned(), default_value(f)))
                    .collect(),
            )
        }
        _ => Value::from_json(json).unwrap_or_default(),
    }
}

/// A default that is a string without escapes.
fn default_text(field: &Field) -> Option<&'static str> {
    match field.presence {
        Presence::Default(json) => json.strip_prefix('"')?.strip_suffix('"'),
        _ => None,
    }
}
