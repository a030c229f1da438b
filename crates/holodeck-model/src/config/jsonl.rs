//! Test cases in a JSONL file, a case a line: checked once, then read case by case, so that memory holds little more than
//! where each begins (rule L11).

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::advice::Advice;
use super::cases::{CaseReader, Inherited};
use super::metrics::MetricReader;
use crate::diagnostic::{Diagnostic, Severity};
use crate::files::Files;
use crate::plan::{CasePlan, CaseUnreadable};
use crate::shape::check::World;
use crate::yaml::{self, Cx, Dialect, Source, Vars};

/// Bytes asked of the file at once.
const CHUNK: usize = 1 << 20;
/// Bytes allowed in one line.
const MAX_LINE: usize = 64 << 20;

/// Where a test case stands and what it is known by.
#[derive(Debug)]
struct Line {
    offset: u64,
    len: u32,
    number: u32,
    /// Of its bytes: tells a changed file.
    digest: u64,
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
    lines: Vec<Line>,
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
        let mut split = Lines::new(&file)?;
        while let Some((offset, number, bytes)) = split.next()? {
            let index = lines.len();
            let line = Line {
                offset,
                len: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
                number,
                digest: digest(&bytes),
                occurrence: 0,
                name: None,
            };
            let case = read_line(
                &file.shown,
                number,
                bytes,
                index,
                reader,
                world,
                vars,
                diags,
            );
            let occurrence = case.as_ref().map_or(0, |case| {
                let next = occurrences.entry(wide_digest(&case.id.key)).or_default();
                let occurrence = *next;
                *next += 1;
                occurrence
            });
            lines.push(Line {
                occurrence,
                name: case.and_then(|case| case.name).map(String::into_boxed_str),
                ..line
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
        let line = &self.lines[index];
        let changed = || unreadable(format!("`{}` has changed since it was checked", self.shown));
        let bytes = match self
            .files
            .read_range(&self.path, line.offset, line.len as usize)
        {
            Ok(bytes) if digest(&bytes) == line.digest => bytes,
            Ok(_) => return Err(changed()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(changed()),
            Err(error) => return Err(unreadable(format!("`{}`: {error}", self.shown))),
        };
        let lookup = |name: &str| self.variables.get(name).cloned();
        let providers = BTreeMap::new();
        let world = World::new(&*self.files, &self.folder, &providers);
        let mut diags = Vec::new();
        let metrics =
            std::mem::take(&mut *self.reader.lock().unwrap_or_else(PoisonError::into_inner));
        let mut reader = CaseReader::new(self.inherited.clone(), metrics, Advice::default());
        let vars = &mut Vars::new(&lookup);
        let case = read_line(
            &self.shown,
            line.number,
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
        case.id.occurrence = line.occurrence;
        Ok(Arc::new(case))
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
    let parsed =
        Source::decode(shown, bytes, Dialect::Json).map_err(|diagnostic| diags.push(*diagnostic));
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

fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Two keys never share one in practice, so that the keys themselves need not be kept.
fn wide_digest(key: &str) -> u128 {
    use sha2::{Digest, Sha256};
    let hash = Sha256::digest(key.as_bytes());
    hash.iter().take(16).fold(0, |n, b| n << 8 | u128::from(*b))
}

/// Lines of a file that is read in chunks; blank ones are passed over.
struct Lines<'f> {
    file: &'f JsonlFile<'f>,
    size: u64,
    buffer: Vec<u8>,
    /// Where the buffer's first byte stands in the file.
    offset: u64,
    /// What of the buffer has been given out.
    start: usize,
    number: u32,
}

impl<'f> Lines<'f> {
    fn new(file: &'f JsonlFile<'f>) -> io::Result<Self> {
        Ok(Self {
            size: file.files.size(&file.path)?,
            file,
            buffer: Vec::new(),
            offset: 0,
            start: 0,
            number: 0,
        })
    }

    /// The next line that is not blank: its offset, its number and its bytes without the line end.
    fn next(&mut self) -> io::Result<Option<(u64, u32, Vec<u8>)>> {
        loop {
            let pending = &self.buffer[self.start..];
            let end = match pending.iter().position(|b| *b == b'\n') {
                Some(end) => end + 1,
                None if self.refill()? => continue,
                None => pending_len(&self.buffer, self.start),
            };
            if end == 0 {
                return Ok(None);
            }
            self.number += 1;
            let range = self.start..self.start + end;
            self.start = range.end;
            let bytes = &self.buffer[range.clone()];
            let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
            let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
            let offset = self.offset + range.start as u64;
            let text = if offset == 0 {
                bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
            } else {
                bytes
            };
            if !text.iter().all(u8::is_ascii_whitespace) {
                return Ok(Some((offset, self.number, bytes.to_vec())));
            }
        }
    }

    /// Reads on; `false` at the end of the file.
    fn refill(&mut self) -> io::Result<bool> {
        self.buffer.drain(..self.start);
        self.offset += self.start as u64;
        self.start = 0;
        let read = self.offset + self.buffer.len() as u64;
        let wanted = self.size.saturating_sub(read).min(CHUNK as u64);
        if wanted == 0 {
            return Ok(false);
        }
        if self.buffer.len() > MAX_LINE {
            let number = self.number + 1;
            return Err(io::Error::other(format!(
                "line {number} is longer than {} MiB",
                MAX_LINE >> 20
            )));
        }
        let wanted = usize::try_from(wanted).unwrap_or(CHUNK);
        self.buffer
            .extend(self.file.files.read_range(&self.file.path, read, wanted)?);
        Ok(true)
    }
}

fn pending_len(buffer: &[u8], start: usize) -> usize {
    buffer.len() - start
}
