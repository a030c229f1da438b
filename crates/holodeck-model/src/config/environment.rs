//! Variables for `${NAME}` and `HOLODECK_*`: the real environment, then `.env` files (rule L10).

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::dotenv;
use crate::diagnostic::{Diagnostic, Severity};
use crate::files::{FileKind, Files};
use crate::yaml;

/// Where variables come from, the first that sets one wins.
pub(crate) struct Environment<'e> {
    real: &'e dyn Fn(&str) -> Option<String>,
    files: Vec<BTreeMap<String, String>>,
}

impl fmt::Debug for Environment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment").finish_non_exhaustive()
    }
}

impl<'e> Environment<'e> {
    /// Reads `.env` in each of these folders; a folder without one is passed over.
    pub(crate) fn read(
        real: &'e dyn Fn(&str) -> Option<String>,
        folders: &[PathBuf],
        files: &dyn Files,
        diags: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut environment = Self {
            real,
            files: Vec::new(),
        };
        let mut seen: Vec<PathBuf> = Vec::new();
        for folder in folders {
            let path = folder.join(".env");
            if seen.contains(&path) {
                continue;
            }
            if let Some(text) = text(&path, files, diags) {
                let parsed = dotenv::parse(&text);
                environment
                    .files
                    .push(environment.expand(parsed.assignments));
                diags.extend(not_understood(&path, &parsed.odd));
            }
            seen.push(path);
        }
        environment
    }

    /// `${NAME}` in a value stands for a variable that is set by then, as in python-dotenv.
    fn expand(&self, assignments: Vec<dotenv::Assignment>) -> BTreeMap<String, String> {
        let mut variables: BTreeMap<String, String> = BTreeMap::new();
        for assignment in assignments {
            let value = if assignment.literal {
                assignment.value
            } else {
                let lookup =
                    |name: &str| self.lookup(name).or_else(|| variables.get(name).cloned());
                yaml::substitute(&assignment.value, &lookup).0.into_owned()
            };
            variables.insert(assignment.name, value);
        }
        variables
    }

    /// The value of a variable.
    pub(crate) fn lookup(&self, name: &str) -> Option<String> {
        (self.real)(name).or_else(|| self.files.iter().find_map(|file| file.get(name).cloned()))
    }
}

/// A typo here leaves a variable unset or half read.
fn not_understood(path: &Path, lines: &[usize]) -> Option<Diagnostic> {
    let first = lines.first()?;
    let more = match lines.len() - 1 {
        0 => String::new(),
        n => format!(", nor {n} after it"),
    };
    let message = format!(
        "line {first} of `{}` is not understood{more}",
        path.display()
    );
    let mut diagnostic = Diagnostic::error("dotenv-line", message);
    diagnostic.severity = Severity::Warning;
    diagnostic.hint = Some("write `NAME=value`, with quotes around all of the value".to_owned());
    Some(diagnostic)
}

fn text(path: &Path, files: &dyn Files, diags: &mut Vec<Diagnostic>) -> Option<String> {
    if files.kind(path).ok()? != FileKind::File {
        return None;
    }
    let problem = match files.read(path).map(String::from_utf8) {
        Ok(Ok(text)) => return Some(text),
        Ok(Err(_)) => "is not UTF-8".to_owned(),
        Err(error) => format!("can't be read: {error}"),
    };
    let mut diagnostic = Diagnostic::error(
        "dotenv-unreadable",
        format!("`{}` {problem}", path.display()),
    );
    diagnostic.severity = Severity::Warning;
    diagnostic.hint = Some("none of its variables are set".to_owned());
    diags.push(diagnostic);
    None
}
