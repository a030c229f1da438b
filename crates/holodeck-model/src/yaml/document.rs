//! The tree: an arena of small nodes over the source text.

use std::{collections::BTreeMap, ops::Range, sync::OnceLock};

use super::{
    Source,
    build::{self, Parts, Raw, Shape},
    cx::{MAX_MISTAKES, too_many},
    lines::Lines,
    resolve::{Plain, Reading},
    tags::{self, Style, Tag},
};
use crate::diagnostic::{Diagnostic, Place};

/// A parsed file. Some 20 bytes a value besides the source: scalars are ranges of it unless escapes, folding or variables made another text of them.
#[derive(Debug)]
pub struct Document {
    source: Source,
    parts: Parts,
    lines: OnceLock<Lines>,
}

/// What a node is, before a type is asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Absent as far as optional fields go: empty, `~`, `null`.
    Null,
    /// Any other scalar.
    Scalar,
    /// A list.
    List,
    /// A mapping.
    Mapping,
}

impl Document {
    pub(super) fn new(source: Source, parts: Parts) -> Self {
        Self {
            source,
            parts,
            lines: OnceLock::new(),
        }
    }

    /// What the file holds; `None` if nothing.
    pub fn root(&self) -> Option<Node<'_>> {
        self.parts.root.map(|id| self.node(id, false))
    }

    /// The text it was parsed from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// How many values it holds.
    pub fn len(&self) -> usize {
        self.parts.nodes.len()
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.parts.nodes.is_empty()
    }

    fn node(&self, written: u32, shared: bool) -> Node<'_> {
        let raw = &self.parts.nodes[written as usize];
        let (id, shared) = match raw.shape {
            Shape::Alias => (raw.a, true),
            _ => (written, shared),
        };
        Node {
            document: self,
            written,
            id,
            shared,
        }
    }

    fn place(&self, range: Range<usize>) -> Place {
        let lines = self.lines.get_or_init(|| Lines::new(&self.source.text));
        lines.place(&self.source, range)
    }

    /// An error for each variable that is not set, at each place that needs it.
    pub(super) fn report_unset(&self, diags: &mut Vec<Diagnostic>) {
        for (i, unset) in self.parts.unset.iter().enumerate() {
            if i == MAX_MISTAKES {
                diags.push(too_many(Some(self.node(unset.node, false).place())));
                break;
            }
            let name = &unset.name;
            let field = build::render_path(&unset.path);
            let user = if field.is_empty() {
                String::new()
            } else {
                format!(" (`{field}` needs it)")
            };
            let message = format!("the environment variable `{name}` is not set{user}");
            let mut diagnostic = Diagnostic::error("unset-variable", message);
            diagnostic.path.clone_from(name);
            diagnostic.case = self.case_of(&unset.path);
            let range = self.parts.nodes[unset.node as usize].range();
            let written = format!("${{{name}}}");
            let found = self
                .source
                .text
                .get(range.clone())
                .and_then(|text| text.find(&written));
            let range = match found {
                Some(offset) => range.start + offset..range.start + offset + written.len(),
                None => range,
            };
            diagnostic.place = Some(self.place(range));
            diagnostic.hint = Some(format!("set it, or write `${written}` for the text itself"));
            diags.push(diagnostic);
        }
    }

    /// The label of the test case that a path leads into.
    fn case_of(&self, path: &[build::Step]) -> Option<String> {
        let (cases, index) = match path {
            [build::Step::Key(key), build::Step::Index(index), ..] if key == "test_cases" => {
                (self.root()?.entry("test_cases")?, *index)
            }
            [build::Step::Index(index), ..] => (self.root()?, *index),
            _ => return None,
        };
        cases.item(index).map(|case| case.case_label(index))
    }
}

/// One value of a document: cheap to copy. An alias is the value that it names, placed where the alias stands.
#[derive(Clone, Copy)]
pub struct Node<'d> {
    document: &'d Document,
    written: u32,
    id: u32,
    shared: bool,
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = self.place();
        write!(
            f,
            "{} at {}:{}:{}",
            self.type_name(),
            place.file,
            place.line,
            place.column
        )
    }
}

impl<'d> Node<'d> {
    fn raw(self) -> &'d Raw {
        &self.document.parts.nodes[self.id as usize]
    }

    /// The document that it is part of.
    pub fn document(self) -> &'d Document {
        self.document
    }

    /// Where it stands; an alias where the alias does.
    pub fn place(self) -> Place {
        let raw = &self.document.parts.nodes[self.written as usize];
        self.document.place(raw.range())
    }

    /// Where the value that an alias names stands; `None` if it was not written as an alias.
    pub fn target_place(self) -> Option<Place> {
        (self.written != self.id).then(|| self.document.place(self.raw().range()))
    }

    /// What it is.
    pub fn kind(self) -> NodeKind {
        match self.raw().shape {
            Shape::List => NodeKind::List,
            Shape::Mapping => NodeKind::Mapping,
            Shape::Scalar | Shape::Alias if self.is_null() => NodeKind::Null,
            Shape::Scalar | Shape::Alias => NodeKind::Scalar,
        }
    }

    /// Empty, `~` or `null`, plain. What a variable gave is never null: its empty text is the empty string.
    pub fn is_null(self) -> bool {
        let raw = self.raw();
        raw.shape == Shape::Scalar
            && !raw.from_variable
            && (raw.style == Style::Plain || raw.tag == Tag::Null)
            && matches!(self.plain(), Plain::Same(Reading::Null))
    }

    /// The type in one word as PyYAML would have it: `null`, `boolean`, `integer`, `float`, `string`, `date`, `list`, `mapping`.
    pub fn type_name(self) -> &'static str {
        match self.raw().shape {
            Shape::List => "list",
            Shape::Mapping => "mapping",
            Shape::Scalar | Shape::Alias => match self.plain() {
                Plain::Same(reading) | Plain::Differs(reading, _) => reading.type_name(),
            },
        }
    }

    /// Whether some of the scalar came from a `${NAME}`.
    pub fn from_variable(self) -> bool {
        self.raw().from_variable
    }

    /// The variables that the scalar came from, in the order written.
    pub fn variables(self) -> &'d [String] {
        self.document
            .parts
            .variables
            .get(&self.id)
            .map_or(&[], Vec::as_slice)
    }

    /// Whether a variable in it is not set, which has been reported.
    pub(super) fn is_unset(self) -> bool {
        self.raw().unset
    }

    /// Whether it was reached through an alias.
    pub(super) fn is_shared(self) -> bool {
        self.shared
    }

    pub(super) fn is_merge_key(self) -> bool {
        let raw = self.raw();
        raw.tag == Tag::Merge
            || (raw.shape == Shape::Scalar
                && raw.style == Style::Plain
                && raw.tag == Tag::None
                && self.text() == Some("<<"))
    }

    /// A scalar's text: after escapes, folding and variables, before any reading. `None` for a list or mapping.
    pub fn text(self) -> Option<&'d str> {
        let raw = self.raw();
        if raw.shape != Shape::Scalar {
            return None;
        }
        let range = raw.a as usize..(raw.a + raw.b) as usize;
        let text = if raw.pooled {
            &self.document.parts.pool
        } else {
            &*self.document.source.text
        };
        text.get(range)
    }

    /// Both readings of a scalar, by its tag, its quotes, or its text.
    pub fn plain(self) -> Plain<'d> {
        let text = self.text().unwrap_or_default();
        let raw = self.raw();
        let text = if raw.from_variable { text.trim() } else { text };
        tags::readings(text, raw.style, raw.tag)
    }

    /// The items of a list.
    pub fn items(self) -> impl ExactSizeIterator<Item = Node<'d>> {
        let items = if self.raw().shape == Shape::List {
            self.children()
        } else {
            &[]
        };
        items
            .iter()
            .map(move |id| self.document.node(*id, self.shared))
    }

    /// One item of a list.
    pub fn item(self, index: usize) -> Option<Node<'d>> {
        let list = self.raw().shape == Shape::List;
        let id = self.children().get(index).filter(|_| list)?;
        Some(self.document.node(*id, self.shared))
    }

    /// The keys and values of a mapping as they were written: `<<` not applied, nothing checked.
    pub fn written_entries(self) -> impl ExactSizeIterator<Item = (Node<'d>, Node<'d>)> {
        let children = if self.raw().shape == Shape::Mapping {
            self.children()
        } else {
            &[]
        };
        children.as_chunks::<2>().0.iter().map(move |[key, value]| {
            (
                self.document.node(*key, self.shared),
                self.document.node(*value, self.shared),
            )
        })
    }

    /// The value of a key of a mapping as it was written; a look for hints and labels, not for reading fields.
    pub fn entry(self, key: &str) -> Option<Node<'d>> {
        self.written_entries()
            .find(|(k, _)| k.text() == Some(key))
            .map(|(_, value)| value)
    }

    /// What a test case is called in messages: its name, or `test_cases[i]` where it has none.
    pub fn case_label(self, index: usize) -> String {
        let name = self
            .entry("name")
            .filter(|name| !name.is_null())
            .and_then(Node::text);
        match name.filter(|name| !name.trim().is_empty()) {
            Some(name) => name.to_owned(),
            None => format!("test_cases[{index}]"),
        }
    }

    fn children(self) -> &'d [u32] {
        let raw = self.raw();
        let start = raw.a as usize;
        self.document
            .parts
            .children
            .get(start..start + raw.b as usize)
            .unwrap_or_default()
    }
}

/// The variables of nodes that have any.
pub(super) type Variables = BTreeMap<u32, Vec<String>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_small() {
        assert!(size_of::<Raw>() <= 24, "{}", size_of::<Raw>());
    }
}
