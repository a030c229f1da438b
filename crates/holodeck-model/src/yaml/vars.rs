//! `${NAME}` in values (rule L10).

use std::{borrow::Cow, collections::BTreeMap, fmt};

/// The variables that a load may use, and those that it did.
pub struct Vars<'a> {
    /// The value of a variable, if it is set.
    pub lookup: &'a dyn Fn(&str) -> Option<String>,
    /// Each variable that was used, with its value: what rule L10a looks through for secrets.
    pub used: BTreeMap<String, String>,
    /// Whether `${NAME}` means anything at all.
    pub(super) replaces: bool,
}

impl<'a> Vars<'a> {
    /// Variables by lookup, none used yet.
    pub fn new(lookup: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            lookup,
            used: BTreeMap::new(),
            replaces: true,
        }
    }

    /// No variables: `${NAME}` and `$${NAME}` are text like any other.
    pub fn off() -> Self {
        Self {
            lookup: &|_| None,
            used: BTreeMap::new(),
            replaces: false,
        }
    }
}

impl fmt::Debug for Vars<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&String> = self.used.keys().collect();
        f.debug_struct("Vars")
            .field("used", &names)
            .finish_non_exhaustive()
    }
}

/// The text with every `${NAME}` that is set replaced, in one pass, and the names of those that are not, each once.
///
/// `$${NAME}` gives a literal `${NAME}`; `$A`, `${ A }` and `${A:-d}` stay as they are.
pub fn substitute<'t>(
    text: &'t str,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> (Cow<'t, str>, Vec<String>) {
    let replaced = replace(text, lookup);
    let mut unset: Vec<String> = Vec::new();
    for name in replaced.unset {
        if !unset.iter().any(|known| known == name) {
            unset.push(name.to_owned());
        }
    }
    (replaced.text, unset)
}

/// A text after replacement.
pub(super) struct Replaced<'t> {
    pub(super) text: Cow<'t, str>,
    /// Names replaced, in order, with what they were replaced by.
    pub(super) set: Vec<(&'t str, String)>,
    /// Names left standing, in order.
    pub(super) unset: Vec<&'t str>,
}

pub(super) fn replace<'t>(text: &'t str, lookup: &dyn Fn(&str) -> Option<String>) -> Replaced<'t> {
    let mut replaced = Replaced {
        text: Cow::Borrowed(text),
        set: Vec::new(),
        unset: Vec::new(),
    };
    let mut out = String::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find("${") {
        let start = at + found;
        let Some(name) = name_at(&text[start..]) else {
            at = start + 2;
            continue;
        };
        let end = start + name.len() + 3;
        at = end;
        if text[done..start].ends_with('$') {
            out += &text[done..start - 1];
            out += &text[start..end];
            done = end;
        } else if let Some(value) = lookup(name) {
            out += &text[done..start];
            out += &value;
            done = end;
            replaced.set.push((name, value));
        } else {
            replaced.unset.push(name);
        }
    }
    if done > 0 {
        out += &text[done..];
        replaced.text = Cow::Owned(out);
    }
    replaced
}

/// The name of a `${NAME}` that `text` starts with.
pub(super) fn name_at(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("${")?;
    let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let name = &inner[..end];
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (starts_well && inner[end..].starts_with('}')).then_some(name)
}
