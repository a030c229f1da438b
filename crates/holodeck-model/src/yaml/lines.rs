//! Byte offsets to lines and columns, on demand: a document keeps offsets only.

use std::ops::Range;

use super::Source;
use crate::diagnostic::Place;

/// Bytes between two counts of characters.
const BLOCK: usize = 1024;
/// Characters kept on either side of a spot in a long line.
const WINDOW: usize = 120;

/// Where the lines of a text start, and how many characters come before each block of it, so that a column in a line of many megabytes costs no more than any other.
#[derive(Debug)]
pub(super) struct Lines {
    starts: Vec<u32>,
    chars: Vec<u32>,
}

impl Lines {
    pub(super) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (i, byte) in bytes.iter().enumerate() {
            let ends = match byte {
                b'\n' => true,
                b'\r' => bytes.get(i + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends {
                starts.push(small(i + 1));
            }
        }
        let mut chars = Vec::with_capacity(bytes.len() / BLOCK + 1);
        let mut count = 0;
        for block in bytes.chunks(BLOCK) {
            chars.push(small(count));
            count += characters(block);
        }
        chars.push(small(count));
        Self { starts, chars }
    }

    /// The place of `range`, which is cut to the line it starts in.
    pub(super) fn place(&self, source: &Source, range: Range<usize>) -> Place {
        let text = &*source.text;
        let start = floor(text, range.start);
        let line = self.starts.partition_point(|s| *s as usize <= start) - 1;
        let line_start = self.starts[line] as usize;
        let next = self
            .starts
            .get(line + 1)
            .map_or(text.len(), |s| *s as usize);
        let line_end = line_start + text[line_start..next].trim_end_matches(['\n', '\r']).len();
        let start = start.min(line_end);
        let end = floor(text, range.end).clamp(start, line_end);
        let column = self.before(text, start) - self.before(text, line_start);
        let (excerpt, column_in_excerpt) = excerpt(text, line_start..line_end, start);
        Place {
            file: source.name.clone(),
            line: source.first_line.saturating_add(small(line)),
            column: small(column + 1),
            width: small(self.before(text, end) - self.before(text, start)).max(1),
            excerpt,
            column_in_excerpt: small(column_in_excerpt),
        }
    }

    fn before(&self, text: &str, offset: usize) -> usize {
        let block = offset / BLOCK;
        self.chars[block] as usize + characters(&text.as_bytes()[block * BLOCK..offset])
    }
}

/// The line, or a window of it around `at`, and the column of `at` in that.
fn excerpt(text: &str, line: Range<usize>, at: usize) -> (String, usize) {
    let before = &text[line.start..at];
    let after = &text[at..line.end];
    let from = before
        .char_indices()
        .rev()
        .nth(WINDOW)
        .map(|(i, c)| i + c.len_utf8());
    let to = after.char_indices().nth(WINDOW * 2).map(|(i, _)| i);
    let mut out = String::new();
    if from.is_some() {
        out.push('…');
    }
    out += &before[from.unwrap_or(0)..];
    let column = out.chars().count() + 1;
    out += &after[..to.unwrap_or(after.len())];
    if to.is_some() {
        out.push('…');
    }
    (out, column)
}

fn floor(text: &str, offset: usize) -> usize {
    text.floor_char_boundary(offset.min(text.len()))
}

/// Characters that start in `bytes`.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| (**b & 0xc0) != 0x80).count()
}

fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
