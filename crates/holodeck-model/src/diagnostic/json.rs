//! Diagnostics as the one JSON object of rule L3.

use serde::Serialize;

use super::{Diagnostic, Severity};

/// `{"diagnostics": [{"severity", "code", "case", "path", "file", "line", "column", "message", "hint"}]}` in one line, without a line break at the end. What is not known is null.
pub fn to_json(diags: &[Diagnostic]) -> String {
    let report = Report {
        diagnostics: diags.iter().map(Entry::of).collect(),
    };
    serde_json::to_string(&report).unwrap_or_default()
}

#[derive(Serialize)]
struct Report<'a> {
    diagnostics: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    severity: Severity,
    code: &'a str,
    case: Option<&'a str>,
    path: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    message: &'a str,
    hint: Option<&'a str>,
}

impl<'a> Entry<'a> {
    fn of(diagnostic: &'a Diagnostic) -> Self {
        let place = diagnostic.place.as_ref();
        Self {
            severity: diagnostic.severity,
            code: diagnostic.code,
            case: diagnostic.case.as_deref(),
            path: &diagnostic.path,
            file: place.map(|place| place.file.as_str()),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            message: &diagnostic.message,
            hint: diagnostic.hint.as_deref(),
        }
    }
}
