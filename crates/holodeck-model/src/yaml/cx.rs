//! The walk: where it is, what it has found, and how much aliases may still cost.

use super::{Document, Node, resolve::shorten_to as shorten};
use crate::diagnostic::{Diagnostic, Place, Severity};

/// Mistakes kept of one walk; the rest are counted only.
pub(super) const MAX_MISTAKES: usize = 10_000;
/// Characters of a key or of a test case's name that are repeated with each mistake under it.
const MAX_KEY: usize = 200;
/// Values that aliases and merge keys may repeat in any document.
const FREE_REPEATS: u64 = 200_000;
/// The same for a large document, for each value that it holds.
const REPEATS_PER_VALUE: u64 = 10;
/// Bytes of a repeated text that count as a further value.
const BYTES_PER_VALUE: u64 = 32;

/// One step of a field path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStep<'k> {
    /// Into a mapping.
    Key(&'k str),
    /// Into a list, from 0.
    Index(usize),
}

impl PathStep<'_> {
    /// Appends the step as an author would write it: `.turns`, `[2]`; a key with dots, brackets or blanks as `["a.b"]`.
    pub(super) fn push_onto(self, path: &mut String) {
        match self {
            Self::Index(index) => {
                path.push('[');
                path.push_str(&index.to_string());
                path.push(']');
            }
            Self::Key(key) => {
                let key = &*shorten(key, MAX_KEY);
                let odd = |c: char| c.is_whitespace() || c.is_control() || ".[]\"'`".contains(c);
                if key.is_empty() || key.contains(odd) {
                    path.push('[');
                    path.push_str(&super::syntax::quote(key));
                    path.push(']');
                } else {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(key);
                }
            }
        }
    }
}

impl<'k> From<&'k str> for PathStep<'k> {
    fn from(key: &'k str) -> Self {
        Self::Key(key)
    }
}

impl<'k> From<&'k String> for PathStep<'k> {
    fn from(key: &'k String) -> Self {
        Self::Key(key)
    }
}

impl From<usize> for PathStep<'_> {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// Walks documents and collects every mistake, each with the path and the test case that the walk is in.
#[derive(Debug)]
pub struct Cx<'a> {
    diags: &'a mut Vec<Diagnostic>,
    path: String,
    case: Option<String>,
    found: usize,
    errors: usize,
    dropped: Diagnostic,
    repeats: u64,
    exhausted: bool,
}

impl<'a> Cx<'a> {
    /// At the root, in no test case.
    pub fn new(diags: &'a mut Vec<Diagnostic>) -> Self {
        Self {
            diags,
            path: String::new(),
            case: None,
            found: 0,
            errors: 0,
            dropped: Diagnostic::error("too-many-mistakes", ""),
            repeats: 0,
            exhausted: false,
        }
    }

    /// Does something one step further down.
    pub fn at<'k, T>(
        &mut self,
        step: impl Into<PathStep<'k>>,
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let len = self.path.len();
        step.into().push_onto(&mut self.path);
        let out = f(self);
        self.path.truncate(len);
        out
    }

    /// Does something inside a test case: its name, or `test_cases[i]`.
    pub fn in_case<T>(&mut self, label: impl Into<String>, f: impl FnOnce(&mut Self) -> T) -> T {
        let label = shorten(&label.into(), MAX_KEY).into_owned();
        let outer = self.case.replace(label);
        let out = f(self);
        self.case = outer;
        out
    }

    /// The path from the root to where the walk is.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Mistakes found so far, of every severity.
    pub fn found(&self) -> usize {
        self.found
    }

    /// Errors found so far.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// The label of the test case that the walk is in.
    pub fn case(&self) -> Option<&str> {
        self.case.as_deref()
    }

    /// Reports an error at a node: a lower-case fragment without a full stop, values in backticks. Hint and related places are the caller's to add.
    pub fn error(
        &mut self,
        node: Node<'_>,
        code: &'static str,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report(Severity::Error, Some(node), code, message.into())
    }

    /// Reports a warning at a node.
    pub fn warning(
        &mut self,
        node: Node<'_>,
        code: &'static str,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report(Severity::Warning, Some(node), code, message.into())
    }

    /// Reports a note at a node.
    pub fn note(
        &mut self,
        node: Node<'_>,
        code: &'static str,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report(Severity::Note, Some(node), code, message.into())
    }

    /// Reports something that has no place in the file, under the path that the walk is at.
    pub fn placeless(
        &mut self,
        severity: Severity,
        code: &'static str,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report(severity, None, code, message.into())
    }

    /// Adds a diagnostic that was made elsewhere, as it is.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diags.push(diagnostic);
    }

    fn report(
        &mut self,
        severity: Severity,
        node: Option<Node<'_>>,
        code: &'static str,
        message: String,
    ) -> &mut Diagnostic {
        self.found += 1;
        let is_error = severity == Severity::Error;
        self.errors += usize::from(is_error);
        let n = if is_error {
            self.errors
        } else {
            self.found - self.errors
        };
        if n > MAX_MISTAKES {
            if n == MAX_MISTAKES + 1 {
                let mut diagnostic = too_many(node.map(Node::place));
                diagnostic.severity = severity;
                self.diags.push(diagnostic);
            }
            self.dropped.related.clear();
            return &mut self.dropped;
        }
        let place = node.map(Node::place);
        let target = node.and_then(Node::target_place);
        let diagnostic = Diagnostic {
            severity,
            code,
            case: self.case.clone(),
            path: self.path.clone(),
            place,
            message,
            hint: None,
            related: target
                .map(|place| (place, "the alias stands for this".to_owned()))
                .into_iter()
                .collect(),
        };
        self.diags.push(diagnostic);
        match self.diags.last_mut() {
            Some(last) => last,
            None => &mut self.dropped,
        }
    }

    /// Takes what aliases repeat among the parts of `node` from what they may; `false`, once reported, where that is used up (rule L9).
    pub(super) fn afford<'d>(
        &mut self,
        node: Node<'d>,
        parts: impl Iterator<Item = Node<'d>>,
    ) -> bool {
        let repeated = parts.filter(|part| part.is_shared());
        let cost: u64 = repeated
            .map(|part| 1 + part.text().map_or(0, str::len) as u64 / BYTES_PER_VALUE)
            .sum();
        self.repeats = self.repeats.saturating_add(cost);
        let limit = limit(node.document());
        if self.repeats > limit && !self.exhausted {
            self.exhausted = true;
            let message = format!("aliases and merge keys repeat more than {limit} values");
            self.error(node, "alias-bomb", message).hint =
                Some("write out less through aliases".to_owned());
        }
        !(self.exhausted && cost > 0)
    }
}

/// What stands for the mistakes that are not kept.
pub(super) fn too_many(place: Option<Place>) -> Diagnostic {
    let message = format!("more than {MAX_MISTAKES} mistakes; the rest are not listed");
    let mut diagnostic = Diagnostic::error("too-many-mistakes", message);
    diagnostic.place = place;
    diagnostic
}

fn limit(document: &Document) -> u64 {
    FREE_REPEATS.max(document.len() as u64 * REPEATS_PER_VALUE)
}
