//! A large file line by line: read once in chunks, then any line again by itself, so that none need be kept.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;

use super::Files;

/// Bytes asked of the file at once.
const CHUNK: usize = 1 << 20;
/// Bytes allowed in one line.
const MAX_LINE: usize = 64 << 20;

/// Where a line of a file stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    offset: u64,
    len: u32,
    number: u32,
    /// Of its bytes: tells a changed file.
    digest: u64,
}

impl Line {
    /// Its number in the file, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Its bytes, without the line end; `None` where the file has changed.
    pub fn read_again(self, files: &dyn Files, path: &Path) -> io::Result<Option<Vec<u8>>> {
        match files.read_range(path, self.offset, self.len as usize) {
            Ok(bytes) => Ok(Some(bytes).filter(|bytes| digest(bytes) == self.digest)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// The lines of a file that are not blank, each with its bytes; the line end is left out, a byte order mark is not.
///
/// Ends at the first error; a line of over 64 MiB is one.
#[derive(Debug)]
pub struct Lines<'f> {
    files: &'f dyn Files,
    path: &'f Path,
    size: u64,
    buffer: Vec<u8>,
    /// Where the buffer's first byte stands in the file.
    offset: u64,
    /// What of the buffer has been given out.
    start: usize,
    /// What of the buffer is known to have no further line end.
    searched: usize,
    number: u32,
    failed: bool,
}

impl<'f> Lines<'f> {
    /// The lines of the file that is there now.
    pub fn open(files: &'f dyn Files, path: &'f Path) -> io::Result<Self> {
        Ok(Self {
            size: files.size(path)?,
            files,
            path,
            buffer: Vec::new(),
            offset: 0,
            start: 0,
            searched: 0,
            number: 0,
            failed: false,
        })
    }

    fn advance(&mut self) -> io::Result<Option<(Line, Vec<u8>)>> {
        loop {
            let fresh = &self.buffer[self.searched..];
            let end = match fresh.iter().position(|b| *b == b'\n') {
                Some(at) => self.searched + at + 1,
                None if self.refill()? => continue,
                None => self.buffer.len(),
            };
            let start = std::mem::replace(&mut self.start, end);
            self.searched = end;
            if start == end {
                return Ok(None);
            }
            self.number = self.number.saturating_add(1);
            let bytes = &self.buffer[start..end];
            let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
            let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
            let offset = self.offset + start as u64;
            let text = match bytes.strip_prefix(b"\xef\xbb\xbf") {
                Some(rest) if offset == 0 => rest,
                _ => bytes,
            };
            if text.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let line = Line {
                offset,
                len: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
                number: self.number,
                digest: digest(bytes),
            };
            return Ok(Some((line, bytes.to_vec())));
        }
    }

    /// Reads on; `false` at the end of the file.
    fn refill(&mut self) -> io::Result<bool> {
        self.buffer.drain(..self.start);
        self.offset += self.start as u64;
        self.start = 0;
        self.searched = self.buffer.len();
        if self.buffer.len() > MAX_LINE {
            return Err(io::Error::other(format!(
                "line {} is longer than {} MiB",
                u64::from(self.number) + 1,
                MAX_LINE >> 20
            )));
        }
        let read = self.offset + self.buffer.len() as u64;
        let wanted = self.size.saturating_sub(read).min(CHUNK as u64);
        if wanted == 0 {
            return Ok(false);
        }
        let wanted = usize::try_from(wanted).unwrap_or(CHUNK);
        self.buffer
            .extend(self.files.read_range(self.path, read, wanted)?);
        Ok(true)
    }
}

impl Iterator for Lines<'_> {
    type Item = io::Result<(Line, Vec<u8>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.advance();
        self.failed = next.is_err();
        next.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::super::MemoryFiles;
    use super::*;

    fn lines(text: &str) -> Vec<(u32, String)> {
        let files: MemoryFiles = [("a", text)].into_iter().collect();
        let path = Path::new("a");
        let lines = Lines::open(&files, path).unwrap();
        lines
            .map(|line| {
                let (line, bytes) = line.unwrap();
                assert_eq!(
                    line.read_again(&files, path).unwrap().as_ref(),
                    Some(&bytes)
                );
                (line.number(), String::from_utf8(bytes).unwrap())
            })
            .collect()
    }

    #[test]
    fn blank_lines_and_line_ends_are_left_out() {
        let found = lines("\u{feff}\r\n\na é\r\n \n\tb\n\nc");
        let found: Vec<_> = found.iter().map(|(n, text)| (*n, text.as_str())).collect();
        assert_eq!(found, [(3, "a é"), (5, "\tb"), (7, "c")]);
        assert_eq!(lines(""), []);
    }

    #[test]
    fn line_over_several_chunks_is_whole() {
        let long = "x".repeat(3 * CHUNK + 5);
        let found = lines(&format!("a\n{long}\nb\n"));
        assert_eq!(found[1], (2, long));
        assert_eq!(found[2], (3, "b".to_owned()));
    }

    #[test]
    fn line_without_end_is_refused() {
        let files: MemoryFiles = [("a", "x".repeat(MAX_LINE + 2 * CHUNK))]
            .into_iter()
            .collect();
        let mut lines = Lines::open(&files, Path::new("a")).unwrap();
        let error = lines.next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "line 1 is longer than 64 MiB");
        assert!(lines.next().is_none());
    }

    #[test]
    fn changed_line_is_told() {
        let files: MemoryFiles = [("a", "one\ntwo")].into_iter().collect();
        let last = Lines::open(&files, Path::new("a")).unwrap().last();
        let (line, _) = last.unwrap().unwrap();
        for other in ["one\ntwi", "one\n"] {
            let files: MemoryFiles = [("a", other)].into_iter().collect();
            assert_eq!(line.read_again(&files, Path::new("a")).unwrap(), None);
        }
    }
}
