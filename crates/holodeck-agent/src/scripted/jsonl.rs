//! A scripted JSONL file: where each case's line is, found in one pass that keeps no line; a line is read again when its case opens.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;

use holodeck_model::diagnostic::{Diagnostic, Place};
use holodeck_model::files::Files;
use holodeck_model::yaml::{Dialect, Source};

use super::decode::{self, OneCase};
use super::play::Script;

/// Bytes read at once.
const CHUNK: usize = 1 << 20;
/// Mistakes that are listed.
const MAX_MISTAKES: usize = 1000;
/// Bytes that a line may have.
const MAX_LINE: usize = 256 << 20;

/// Where a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// In bytes from the file's start.
    pub(super) offset: u64,
    /// In bytes.
    pub(super) len: usize,
    /// Its number, from 1.
    pub(super) number: u32,
    /// Of its bytes: tells a changed file.
    digest: u64,
}

/// Lines by case.
pub(super) type Index = BTreeMap<Box<str>, Line>;

/// Checks every line and notes where each case's is.
pub(super) fn index(files: &dyn Files, path: &Path, name: &str) -> Result<Index, Vec<Diagnostic>> {
    decode::check_is_file(files, path, name)?;
    let mut index = Index::new();
    let mut diags = Vec::new();
    let mut lines = 0usize;
    let read = for_each_line(files, path, |line, bytes| {
        lines += 1;
        if diags.len() > MAX_MISTAKES {
            return;
        }
        if diags.len() == MAX_MISTAKES {
            let more = format!("more than {MAX_MISTAKES} mistakes; the rest are not listed");
            diags.push(Diagnostic::error("too-many-mistakes", more));
            return;
        }
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
    });
    if let Err(error) = read {
        diags.push(decode::unreadable(name, &error.to_string()));
    } else if lines == 0 {
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
    let bytes = files
        .read_range(path, line.offset, line.len)
        .map_err(|error| format!("can't read line {} of `{name}` again: {error}", line.number))?;
    let changed = || {
        format!(
            "line {} of `{name}` has changed since it was checked",
            line.number
        )
    };
    if digest(&bytes) != line.digest {
        return Err(changed());
    }
    script(name, line, bytes).map_err(|_| changed())
}

fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

fn script(name: &str, line: Line, bytes: Vec<u8>) -> Result<OneCase, Vec<Diagnostic>> {
    let source = Source::decode(name, bytes, Dialect::Json).map_err(|mut diagnostic| {
        if let Some(place) = &mut diagnostic.place {
            place.line = line.number;
        }
        vec![*diagnostic]
    })?;
    decode::line(Source {
        first_line: line.number,
        ..source
    })
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

/// Calls `on_line` with every line that is not blank, its end and a byte order mark left out.
pub(super) fn for_each_line(
    files: &dyn Files,
    path: &Path,
    mut on_line: impl FnMut(Line, Vec<u8>),
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut start = 0u64;
    let mut offset = 0u64;
    let mut number = 1u32;
    loop {
        let chunk = read_up_to(files, path, offset, CHUNK)?;
        let at_end = chunk.is_empty();
        let mut rest = chunk.as_slice();
        while let Some(end) = rest.iter().position(|b| *b == b'\n') {
            line.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            let next = start + line.len() as u64 + 1;
            give(&mut on_line, std::mem::take(&mut line), start, number);
            start = next;
            number = number.saturating_add(1);
        }
        line.extend_from_slice(rest);
        if line.len() > MAX_LINE {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("line {number} is longer than {} MiB", MAX_LINE >> 20),
            ));
        }
        offset += chunk.len() as u64;
        if at_end {
            give(&mut on_line, line, start, number);
            return Ok(());
        }
    }
}

fn give(on_line: &mut impl FnMut(Line, Vec<u8>), mut bytes: Vec<u8>, start: u64, number: u32) {
    let mut offset = start;
    if start == 0 && bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
        offset = 3;
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return;
    }
    let line = Line {
        offset,
        len: bytes.len(),
        number,
        digest: digest(&bytes),
    };
    on_line(line, bytes);
}

/// At most `max` bytes from `offset` on; none at the end of the file, whose length [`Files`] does not tell.
fn read_up_to(files: &dyn Files, path: &Path, offset: u64, max: usize) -> io::Result<Vec<u8>> {
    let mut len = max;
    while len > 0 {
        match files.read_range(path, offset, len) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => len /= 2,
            done => return done,
        }
    }
    Ok(Vec::new())
}
