//! Mistakes of an author, each with its place (rule L3).

mod json;
mod render;

use serde::Serialize;

pub use json::to_json;
pub use render::{Style, render};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The run is refused, exit 2.
    Error,
    /// Probably not what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// One spot in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as the author would name it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    /// How many characters to underline on that line, at least 1.
    pub width: u32,
    /// The source line, cut to a window around the spot when very long; `column_in_excerpt` says where the spot is in it.
    pub excerpt: String,
    /// Column of the spot within `excerpt`, from 1.
    pub column_in_excerpt: u32,
}

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable name of the kind of mistake, kebab-case: `unknown-key`, `duplicate-key`, `bad-regex` ...
    pub code: &'static str,
    /// The test case's name, or `test_cases[i]`.
    pub case: Option<String>,
    /// Path from the file's root as the author would write it: `test_cases[0].turns[1].input`.
    pub path: String,
    /// Where.
    pub place: Option<Place>,
    /// A one-line cause.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// Other places that matter, each with a word on why.
    pub related: Vec<(Place, String)>,
}

impl Diagnostic {
    /// An error without place, path, case or hint; those are the caller's to add.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            case: None,
            path: String::new(),
            place: None,
            message: message.into(),
            hint: None,
            related: Vec::new(),
        }
    }
}

/// Puts diagnostics in file order (rule L2): files as they first appear, within a file by place; those without a place come first. Equal places keep their order.
pub fn sort(diags: &mut [Diagnostic]) {
    let mut files: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for diagnostic in diags.iter() {
        if let Some(place) = &diagnostic.place {
            let next = files.len();
            files.entry(place.file.clone()).or_insert(next);
        }
    }
    diags.sort_by_cached_key(|diagnostic| {
        diagnostic
            .place
            .as_ref()
            .map(|place| (files.get(&place.file).copied(), place.line, place.column))
    });
}

#[cfg(test)]
mod tests;
