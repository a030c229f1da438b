//! Test cases in a JSONL file, a case a line: checked once, then read case by case, so that memory holds little more than
//! where each begins (rule L11).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

use super::advice::Advice;
use super::cases::{CaseReader, Inherited};
use super::metrics::MetricReader;
use crate::diagnostic::{Diagnostic, Severity};
use crate::files::{Files, Line, Lines};
use crate::plan::{CasePlan, CaseUnreadable};
use crate::shape::check::World;
use crate::yaml::{self, Cx, Dialect, Source, Vars};

/// Mistakes of a file that are listed; the rest are counted only.
const MAX_TOLD: usize = 10_000;

/// Where a test case stands and what it is known by.
#[derive(Debug)]
struct Entry {
    line: Line,
    occurrence: u32,
    name: Option<Box<str>>,
}

/// A checked JSONL file.
#[derive(Debug)]
pub(crate) struct JsonlCases {
    files: Arc<dyn Files>,
    path: PathBuf,
    shown: String,
    folder: PathBuf,
    lines: Vec<Entry>,
    providers: BTreeMap<String, BTreeSet<String>>,
    /// Variables that the file uses.
    variables: BTreeMap<String, String>,
    inherited: Inherited,
    reader: Mutex<MetricReader>,
}

/// A JSONL file to check.
#[derive(Debug)]
pub(crate) struct JsonlFile<'f> {
    pub(crate) files: &'f Arc<dyn Files>,
    pub(crate) path: PathBuf,
    pub(crate) shown: String,
    /// Takes in every line.
    pub(crate) digest: &'f RefCell<Sha256>,
}

impl JsonlCases {
    /// Checks every line. Mistakes are reported with the file's own line numbers.
    pub(crate) fn check(
        file: JsonlFile<'_>,
        reader: &mut CaseReader,
        world: &World<'_>,
        vars: &mut Vars<'_>,
        diags: &mut Vec<Diagnostic>,
    ) -> io::Result<Self> {
        let mut lines = Vec::new();
        let mut occurrences: BTreeMap<u128, u32> = BTreeMap::new();
        let outer = std::mem::take(&mut vars.used);
        let mut told = Told::default();
        for next in Lines::open(&**file.files, &file.path)? {
            let (line, bytes) = next?;
            file.digest.borrow_mut().update(&bytes);
            file.digest.borrow_mut().update(b"\n");
            let index = lines.len();
            let case = read_line(
                &file.shown,
                line.number(),
                bytes,
                index,
                reader,
                world,
                vars,
                &mut told.found,
            );
            told.pass_on(diags);
            let occurrence = case.as_ref().map_or(0, |case| {
                let next = occurrences.entry(wide_digest(&case.id.key)).or_default();
                let occurrence = *next;
                *next += 1;
                occurrence
            });
            lines.push(Entry {
                line,
                occurrence,
                name: case.and_then(|case| case.name).map(String::into_boxed_str),
            });
        }
        let variables = vars.used.clone();
        vars.used.extend(outer);
        Ok(Self {
            files: Arc::clone(file.files),
            folder: world.folder.to_path_buf(),
            path: file.path,
            shown: file.shown,
            lines,
            providers: world.providers.clone(),
            variables,
            inherited: reader.inherited.clone(),
            reader: Mutex::default(),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The name of the test case at a position of the file.
    pub(crate) fn name(&self, index: usize) -> Option<&str> {
        self.lines[index].name.as_deref()
    }

    /// Reads a test case again, by its position in the file.
    pub(crate) fn get(&self, index: usize) -> Result<Arc<CasePlan>, CaseUnreadable> {
        let unreadable = |reason: String| CaseUnreadable { index, reason };
        let Entry {
            line, occurrence, ..
        } = self.lines[index];
        let bytes = line
            .read_again(&*self.files, &self.path)
            .map_err(|error| unreadable(format!("`{}`: {error}", self.shown)))?
            .ok_or_else(|| {
                unreadable(format!("`{}` has changed since it was checked", self.shown))
            })?;
        let lookup = |name: &str| self.variables.get(name).cloned();
        let world = World::new(&*self.files, &self.folder, &self.providers);
        let mut diags = Vec::new();
        let metrics =
            std::mem::take(&mut *self.reader.lock().unwrap_or_else(PoisonError::into_inner));
        let mut reader = CaseReader::new(self.inherited.clone(), metrics, Advice::default());
        let vars = &mut Vars::new(&lookup);
        let case = read_line(
            &self.shown,
            line.number(),
            bytes,
            index,
            &mut reader,
            &world,
            vars,
            &mut diags,
        );
        *self.reader.lock().unwrap_or_else(PoisonError::into_inner) = reader.metrics;
        let Some(mut case) = case else {
            let first = diags.into_iter().find(|d| d.severity == Severity::Error);
            let reason = first.map_or_else(String::new, |d| format!("{}: {}", d.path, d.message));
            return Err(unreadable(reason));
        };
        case.id.occurrence = occurrence;
        Ok(Arc::new(case))
    }
}

/// Passes diagnostics on up to a limit: each line is checked on its own, and a file may have any number of them.
#[derive(Default)]
struct Told {
    found: Vec<Diagnostic>,
    n_errors: usize,
    n_others: usize,
}

impl Told {
    fn pass_on(&mut self, diags: &mut Vec<Diagnostic>) {
        for mut diagnostic in self.found.drain(..) {
            let n = match diagnostic.severity {
                Severity::Error => &mut self.n_errors,
                Severity::Warning | Severity::Note => &mut self.n_others,
            };
            *n += 1;
            if *n > MAX_TOLD + 1 {
                continue;
            }
            if *n == MAX_TOLD + 1 {
                diagnostic.code = "too-many-mistakes";
                diagnostic.message =
                    format!("more than {MAX_TOLD} mistakes; the rest are not listed");
                diagnostic.hint = None;
            }
            diags.push(diagnostic);
        }
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "the parts of a load, which the two callers hold apart"
)]
fn read_line(
    shown: &str,
    number: u32,
    bytes: Vec<u8>,
    index: usize,
    reader: &mut CaseReader,
    world: &World<'_>,
    vars: &mut Vars<'_>,
    diags: &mut Vec<Diagnostic>,
) -> Option<CasePlan> {
    let path = format!("test_cases[{index}]");
    let before = diags.len();
    let parsed = Source::decode(shown, bytes, Dialect::Json).map_err(|mut diagnostic| {
        if let Some(place) = &mut diagnostic.place {
            place.line = number;
        }
        diags.push(*diagnostic);
    });
    let document = parsed.ok().and_then(|mut source| {
        source.first_line = number;
        yaml::parse(source, vars, diags)
    });
    for diagnostic in &mut diags[before..] {
        if diagnostic.path == "yaml" {
            diagnostic.path.clone_from(&path);
        }
        diagnostic.case.get_or_insert_with(|| path.clone());
    }
    let document = document?;
    let root = document.root()?;
    let mut cx = Cx::new(diags);
    cx.at("test_cases", |cx| {
        cx.at(index, |cx| reader.read(index, root, cx, world))
    })
}

/// Two keys never share one in practice, so that the keys themselves need not be kept.
fn wide_digest(key: &str) -> u128 {
    let hash = Sha256::digest(key.as_bytes());
    hash.iter().take(16).fold(0, |n, b| n << 8 | u128::from(*b))
}
