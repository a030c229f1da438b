//! What every file of an author may hold, as tables: keys, types, defaults, what becomes of each (rule L14).
//!
//! What is made from the tables can't disagree: the check of a document ([`check`]), the JSON Schemas ([`schema`]), the reference page ([`mod@reference`]).
//!
//! How to add a field: 1. a line in the table of its object (`shape/*.rs`); 2. a rule beside it where it depends on
//! another field (`shape/rules.rs`); 3. where it does something, its reading in `config/*.rs`;
//! 4. `cargo xtask codegen`, then `cargo test -p holodeck-model`.

mod agent;
mod backends;
mod cases;
pub mod check;
mod checked;
mod deployment;
mod evaluations;
mod execution;
mod leaf;
mod observability;
pub mod reference;
mod rules;
pub mod schema;
mod scripted;
mod tools;

pub(crate) use agent::AGENT;
pub use cases::{CASE, FILE_INPUT, TURN};
pub(crate) use check::{or_list, peek};
pub use checked::{Checked, Record};
pub(crate) use execution::EXECUTION;
pub use execution::PROJECT;
pub(crate) use leaf::{cut, sounds_secret, unreachable_file};
pub(crate) use rules::unique_names;
pub use scripted::{SCRIPTED, SCRIPTED_CASE};

/// A mapping with known keys.
#[derive(Debug)]
pub struct ObjectShape {
    /// Its name in the schema and the reference page.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub doc: &'static str,
    /// Its keys.
    pub fields: &'static [Field],
    /// Other keys are taken as they are.
    pub open: bool,
    /// What its fields ask of each other.
    pub rule: Option<check::Rule>,
}

/// One key of a mapping.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// What its value is.
    pub shape: Shape,
    /// Whether it must be there.
    pub presence: Presence,
    /// Null is a mistake rather than the same as leaving it out.
    pub no_null: bool,
    /// What it means, in a sentence.
    pub doc: &'static str,
    /// What becomes of it.
    pub status: Status,
}

/// Whether a key must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It must.
    Required,
    /// It must in the case that the text names; the object's rule checks it.
    RequiredIf(&'static str),
    /// It may be left out.
    Optional,
    /// It may be left out and is then this JSON value.
    Default(&'static str),
}

/// What becomes of a field (rule L14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It does what it says.
    Honoured,
    /// Checked; used with live agents and models, which bring it to life.
    Live,
    /// Checked and kept; it belongs to a part that says itself what becomes of it.
    Checked,
    /// Checked; not acted on, with a warning that says so.
    Warned(&'static str),
    /// Checked; a run that needs it is refused.
    Refused(&'static str),
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A string that is not blank.
    Text,
    /// Any string.
    String,
    /// A string that is masked in everything written (rule L10a).
    Secret,
    /// A string handed to a program's environment: masked where it came from a variable or its key sounds secret.
    EnvValue,
    /// A string handed to a program as an argument: masked where it came from a variable.
    Argument,
    /// `true`, `false`, and the spellings of L8.
    Bool,
    /// An integer.
    Int {
        /// At least.
        min: Option<i64>,
        /// At most.
        max: Option<i64>,
    },
    /// An integer of at least 1, written plainly: neither quoted nor `true` nor `1.0` (rule L6).
    Count,
    /// A finite number; bounds are decimals.
    Float {
        /// At least.
        min: Option<&'static str>,
        /// More than.
        above: Option<&'static str>,
        /// At most.
        max: Option<&'static str>,
    },
    /// One of these strings.
    Enum(&'static [&'static str]),
    /// A list.
    List {
        /// Of these.
        of: &'static Shape,
        /// At least so many.
        min: usize,
        /// At most so many.
        max: usize,
    },
    /// The list of test cases: a large one is read case by case, so only its being a list is checked with the rest.
    Cases,
    /// A mapping from any strings.
    Map(&'static Shape),
    /// A mapping with known keys.
    Object(&'static ObjectShape),
    /// A mapping whose kind one of its keys tells.
    Tagged(&'static Tagged),
    /// One of these, told apart by whether it is a scalar, a list or a mapping.
    Either(&'static [Shape]),
    /// Anything that JSON can say.
    Free,
    /// A mapping of anything that JSON can say.
    FreeMap,
    /// The same, for another program: strings under keys that sound secret are masked.
    Settings,
    /// A declared tool's name, `[0-9A-Za-z_]+`.
    ToolName,
    /// A Python regular expression.
    Regex,
    /// Where to look in a JSON reply (rule N6).
    ResponsePath,
    /// `module:function`.
    Grader,
    /// A file that must be there, relative to agent.yaml's folder.
    File,
    /// A file or folder that must be there, or an address.
    Source,
    /// Asserted arguments: names to matchers (rule L7).
    Args,
}

/// Mappings told apart by a key.
#[derive(Debug)]
pub struct Tagged {
    /// Its name in the schema and the reference page.
    pub name: &'static str,
    /// The key that tells.
    pub tag: &'static str,
    /// What it tells.
    pub variants: &'static [Variant],
    /// A hint for a tag that is often written and wrong.
    pub hint: fn(&str) -> Option<String>,
}

/// One kind of a [`Tagged`] mapping.
#[derive(Debug)]
pub struct Variant {
    /// The tag's value.
    pub tag: &'static str,
    /// What the mapping then is.
    pub shape: &'static ObjectShape,
    /// A key that only this kind has: the tag may then be left out.
    pub decided_by: Option<&'static str>,
}

/// A boolean.
pub(crate) const BOOL: Shape = Shape::Bool;
/// A string that is not blank.
pub(crate) const TEXT: Shape = Shape::Text;
/// Any string.
pub(crate) const STRING: Shape = Shape::String;
/// A list of strings that are not blank.
pub(crate) const TEXTS: Shape = list(&Shape::Text);
/// A list of strings.
pub(crate) const STRINGS: Shape = list(&Shape::String);
/// A number from 0 to 1.
pub(crate) const UNIT: Shape = Shape::Float {
    min: Some("0"),
    above: None,
    max: Some("1"),
};
/// A number of at least 0.
pub(crate) const NOT_NEGATIVE: Shape = Shape::Float {
    min: Some("0"),
    above: None,
    max: None,
};
/// Any finite number.
pub(crate) const FLOAT: Shape = Shape::Float {
    min: None,
    above: None,
    max: None,
};
/// An integer of at least 1.
pub(crate) const POSITIVE: Shape = at_least(1);

/// An integer of at least `min`.
pub(crate) const fn at_least(min: i64) -> Shape {
    Shape::Int {
        min: Some(min),
        max: None,
    }
}
/// An integer from `min` to `max`.
pub(crate) const fn between(min: i64, max: i64) -> Shape {
    Shape::Int {
        min: Some(min),
        max: Some(max),
    }
}
/// A list of any length.
pub(crate) const fn list(of: &'static Shape) -> Shape {
    Shape::List {
        of,
        min: 0,
        max: usize::MAX,
    }
}

/// An optional field that does what it says.
pub(crate) const fn field(key: &'static str, shape: Shape, doc: &'static str) -> Field {
    Field {
        key,
        shape,
        presence: Presence::Optional,
        no_null: false,
        doc,
        status: Status::Honoured,
    }
}

impl Field {
    pub(crate) const fn required(self) -> Self {
        self.presence(Presence::Required)
    }
    pub(crate) const fn required_if(self, when: &'static str) -> Self {
        self.presence(Presence::RequiredIf(when))
    }
    pub(crate) const fn default(self, json: &'static str) -> Self {
        self.presence(Presence::Default(json))
    }
    const fn presence(mut self, presence: Presence) -> Self {
        self.presence = presence;
        self
    }
    pub(crate) const fn no_null(mut self) -> Self {
        self.no_null = true;
        self
    }
    pub(crate) const fn live(mut self) -> Self {
        self.status = Status::Live;
        self
    }
    pub(crate) const fn checked(mut self) -> Self {
        self.status = Status::Checked;
        self
    }
    pub(crate) const fn warned(mut self, why: &'static str) -> Self {
        self.status = Status::Warned(why);
        self
    }
    pub(crate) const fn refused(mut self, why: &'static str) -> Self {
        self.status = Status::Refused(why);
        self
    }
}

impl ObjectShape {
    /// The field with this key.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.key == key)
    }
    /// Its keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.fields.iter().map(|f| f.key)
    }
}

#[cfg(test)]
mod tests;
