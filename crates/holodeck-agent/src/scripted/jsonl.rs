//! A scripted JSONL file: every line is checked once and only its place kept; a line is read again when its case opens.

use std::collections::BTreeMap;
use std::path::Path;

use holodeck_model::diagnostic::{Diagnostic, Place};
use holodeck_model::files::{Files, Line, Lines};
use holodeck_model::yaml::{Dialect, Source};

use super::decode::{self, OneCase, unreadable};
use super::play::Script;

/// Mistakes that are listed.
const MAX_MISTAKES: usize = 1000;

/// Lines by case.
pub(super) type Index = BTreeMap<Box<str>, Line>;

/// Checks every line and notes where each case's is.
pub(super) fn index(files: &dyn Files, path: &Path, name: &str) -> Result<Index, Vec<Diagnostic>> {
    decode::check_is_file(files, path, name)?;
    let mut index = Index::new();
    let mut diags = Vec::new();
    let mut n_lines = 0usize;
    for next in Lines::open(files, path).map_err(|error| vec![unreadable(name, error)])? {
        n_lines += 1;
        if diags.len() >= MAX_MISTAKES {
            let more = format!("more than {MAX_MISTAKES} mistakes; the rest are not listed");
            diags.push(Diagnostic::error("too-many-mistakes", more));
            break;
        }
        let (line, bytes) = match next {
            Ok(next) => next,
            Err(error) => {
                diags.push(unreadable(name, error));
                break;
            }
        };
        match script(name, line, bytes) {
            Err(mistakes) => diags.extend(mistakes),
            Ok(read) => match index.get(read.case.as_str()) {
                Some(first) => {
                    let first = read_line(files, path, name, *first).ok();
                    diags.push(second_script(read, first.map(|line| line.place)));
                }
                None => {
                    index.insert(read.case.into(), line);
                }
            },
        }
    }
    if n_lines == 0 {
        let mut empty = Diagnostic::error("empty-file", format!("`{name}` is empty"));
        empty.hint =
            Some("write a line `{\"case\": .., \"turns\": [..]}` for each test case".to_owned());
        diags.push(empty);
    }
    if diags.is_empty() {
        Ok(index)
    } else {
        Err(diags)
    }
}

/// The script on a line that was checked before, or why it can't be had any more.
pub(super) fn read_again(
    files: &dyn Files,
    path: &Path,
    name: &str,
    line: Line,
) -> Result<Script, String> {
    read_line(files, path, name, line).map(|read| read.script)
}

fn read_line(files: &dyn Files, path: &Path, name: &str, line: Line) -> Result<OneCase, String> {
    let number = line.number();
    let changed = || format!("line {number} of `{name}` has changed since it was checked");
    let bytes = line
        .read_again(files, path)
        .map_err(|error| format!("can't read line {number} of `{name}` again: {error}"))?
        .ok_or_else(changed)?;
    script(name, line, bytes).map_err(|_| changed())
}

fn script(name: &str, line: Line, bytes: Vec<u8>) -> Result<OneCase, Vec<Diagnostic>> {
    let mut source = Source::decode(name, bytes, Dialect::Json).map_err(|mut diagnostic| {
        if let Some(place) = &mut diagnostic.place {
            place.line = line.number();
        }
        vec![*diagnostic]
    })?;
    source.first_line = line.number();
    decode::line(source)
}

fn second_script(second: OneCase, first: Option<Place>) -> Diagnostic {
    Diagnostic {
        path: "case".to_owned(),
        place: Some(second.place),
        related: first
            .map(|place| (place, "the first one is here".to_owned()))
            .into_iter()
            .collect(),
        ..Diagnostic::error(
            "duplicate-key",
            format!("a second script for `{}`", second.case),
        )
    }
}
