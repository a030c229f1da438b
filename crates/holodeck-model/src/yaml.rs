//! agent.yaml and its kin as a tree whose every node knows its place, and the walk that reads it (rules L2 to L4 and L7 to L10).
//!
//! [`parse`] makes a [`Document`]; a [`Cx`] walks it, collecting every mistake as a [`Diagnostic`] instead of stopping at the first.
//! Scalars stay text until a field asks for a type: only then is it known whether YAML 1.1 and YAML 1.2, which read `yes`, `012` or `1e5` differently, are both content (rule L8).
//!
//! JSON files make the same tree, with their numerals exact.
//!
//! What fields there are, is none of this module's business: that is `config`'s.

mod build;
mod cx;
mod document;
mod free_form;
mod json;
mod lines;
mod mapping;
mod parser;
pub mod resolve;
mod scalars;
mod source;
mod syntax;
mod tags;
mod vars;

pub use cx::{Cx, PathStep};
pub use document::{Document, Node, NodeKind};
pub use mapping::Mapping;
pub use source::{Dialect, Source};
pub use vars::{Vars, substitute};

use crate::diagnostic::Diagnostic;

/// Nesting allowed, aliases expanded.
pub const MAX_DEPTH: usize = 200;
/// Values allowed in one document.
pub const MAX_NODES: usize = 10_000_000;
/// Bytes allowed in one document.
pub const MAX_BYTES: usize = 1 << 30;

/// Parses one document; an empty file gives a document without a root.
///
/// A syntax error, an alias inside what it names, too much nesting or too many values (rule L9), a tag that is not one of the core tags, or a second document is reported with the
/// path `yaml` and gives `None`.
///
/// `${NAME}` is replaced in scalar values here, not in keys (rule L10). Each variable that is not set is reported with its name as the path.
pub fn parse(source: Source, vars: &mut Vars<'_>, diags: &mut Vec<Diagnostic>) -> Option<Document> {
    let built = {
        let mut builder = build::Builder::new(&source, vars);
        let done = match source.dialect {
            Dialect::Yaml => parser::run(&source.text, &mut builder),
            Dialect::Json => json::run(&source.text, &mut builder),
        };
        done.map(|()| builder.finish())
    };
    match built {
        Ok(parts) => {
            let document = Document::new(source, parts);
            document.report_unset(diags);
            Some(document)
        }
        Err(refusal) => {
            diags.push(refusal.into_diagnostic(&source));
            None
        }
    }
}

/// Why a text is not a document, before its place is worked out.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) at: std::ops::Range<usize>,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) related: Option<(std::ops::Range<usize>, String)>,
}

impl Refusal {
    pub(crate) fn new(at: std::ops::Range<usize>, message: impl Into<String>) -> Self {
        Self {
            code: "yaml-syntax",
            at,
            message: message.into(),
            hint: None,
            related: None,
        }
    }

    pub(crate) fn code(mut self, code: &'static str) -> Self {
        self.code = code;
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn into_diagnostic(self, source: &Source) -> Diagnostic {
        let lines = lines::Lines::new(&source.text);
        let mut diagnostic = Diagnostic::error(self.code, self.message);
        "yaml".clone_into(&mut diagnostic.path);
        diagnostic.place = Some(lines.place(source, self.at));
        diagnostic.hint = self.hint;
        if let Some((at, why)) = self.related {
            diagnostic.related.push((lines.place(source, at), why));
        }
        diagnostic
    }
}

#[cfg(test)]
mod tests;
