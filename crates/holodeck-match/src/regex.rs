//! Python's `re` (3.11, Unicode 14) by translation (rule M4): an own parser of its syntax, then one of two engines.
//!
//! `parse` and its friends read a pattern into `ast`, with CPython's error messages; `ir` works the flags in, so that
//! only sets of characters are left. `linear` runs that on the `regex` crate where it can express it; `backtrack` runs
//! the rest (look-around, back references, conditions, atomic groups), within a step limit. Nothing can fail after
//! [`PyRegex::new`]: what the linear engine declines, the other takes. What is refused: docs/reference/regex.md.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use backtrack::Mode;
use linear::Declined;

mod alphabet;
mod ast;
mod backtrack;
mod charset;
mod escape;
mod flags;
mod fold;
mod group;
mod ir;
mod lexer;
mod linear;
mod look_behind;
mod memory;
mod parse;
mod program;
mod set;
mod start;
mod tables;

#[cfg(test)]
mod tests;

/// Steps that the backtracking engine may take before an assertion fails with "regex gave up".
/// For a text beyond 62,500 bytes the limit is 16 steps a byte.
pub const STEP_LIMIT: usize = 1_000_000;

/// Bytes of text, and steps, up to which the backtracking engine is asked first.
const SHORT_TEXT: usize = 4_096;
const SHORT_STEPS: usize = 1_000;

/// A pattern that Python's `re` refuses, or that this program can't run faithfully.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", .position.map(|p| format!(" at position {p}")).unwrap_or_default())]
pub struct RegexError {
    /// The cause in CPython's words.
    pub message: String,
    /// Position in characters of the author's pattern, where known.
    pub position: Option<usize>,
}

impl RegexError {
    fn at(message: impl Into<String>, position: usize) -> Self {
        Self {
            message: message.into(),
            position: Some(position),
        }
    }
}

/// The engine gave up after [`STEP_LIMIT`] steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("regex gave up after {steps} steps")]
pub struct GaveUp {
    /// The limit that was hit.
    pub steps: usize,
}

/// What a search found, in bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The whole match.
    pub whole: Range<usize>,
    /// Group 1, `None` if it took no part; the whole match where the pattern has no group.
    pub picked: Option<Range<usize>>,
}

/// A checked Python regular expression. Clones share what is built at first use.
#[derive(Clone, Debug)]
pub struct PyRegex {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    pattern: Box<str>,
    program: OnceLock<program::Program>,
    linear: OnceLock<Option<linear::Linear>>,
}

impl PyRegex {
    /// Parses and checks a pattern. Engines are built at first use and shared.
    pub fn new(pattern: &str) -> Result<Self, RegexError> {
        parse::parse(pattern)?;
        Ok(Self {
            shared: Arc::new(Shared {
                pattern: pattern.into(),
                program: OnceLock::new(),
                linear: OnceLock::new(),
            }),
        })
    }

    /// The author's text.
    pub fn pattern(&self) -> &str {
        &self.shared.pattern
    }

    /// `re.fullmatch(pattern, text) is not None`
    pub fn full_match(&self, text: &str) -> Result<bool, GaveUp> {
        if let Ok(found) = self.try_shortly(text, Mode::Full) {
            return Ok(found.is_some());
        }
        if let Some(linear) = self.linear()
            && let Ok(matches) = linear.full_match(text)
        {
            return Ok(matches);
        }
        let found = self.backtrack(text, Mode::Full)?;
        Ok(found.is_some())
    }

    /// `re.search(pattern, text)`
    pub fn search(&self, text: &str) -> Result<Option<Found>, GaveUp> {
        let in_chars = if let Ok(found) = self.try_shortly(text, Mode::First) {
            found
        } else if let Some(Ok(found)) = self.linear().map(|linear| linear.search(text)) {
            found
        } else {
            self.backtrack(text, Mode::First)?
        };
        Ok(in_chars.map(|found| Found {
            whole: byte_range(text, &found.whole),
            picked: found.picked.map(|picked| byte_range(text, &picked)),
        }))
    }

    /// Building the linear engine takes longer, and more memory, than most matches take the other one: that has the first go.
    fn try_shortly(&self, text: &str, mode: Mode) -> Result<Option<Found>, Declined> {
        if text.len() > SHORT_TEXT || self.shared.linear.get().is_some() {
            return Err(Declined);
        }
        backtrack::run(self.program(), text, mode, SHORT_STEPS).map_err(|_| Declined)
    }

    fn backtrack(&self, text: &str, mode: Mode) -> Result<Option<Found>, GaveUp> {
        backtrack::run(self.program(), text, mode, backtrack::limit_for(text))
    }

    fn linear(&self) -> Option<&linear::Linear> {
        self.shared
            .linear
            .get_or_init(|| linear::Linear::new(&self.ir()))
            .as_ref()
    }

    fn program(&self) -> &program::Program {
        self.shared
            .program
            .get_or_init(|| program::assemble(&self.ir()))
    }

    /// The pattern is read anew rather than kept: most of a large suite's are used once.
    fn ir(&self) -> ir::Ir {
        let parsed = parse::parse(&self.shared.pattern);
        ir::lower(&parsed.expect("`new` has read the same text"))
    }
}

/// A range of characters as one of bytes.
fn byte_range(text: &str, chars: &Range<usize>) -> Range<usize> {
    let mut starts = text.char_indices().map(|(at, _)| at);
    let start = starts.clone().nth(chars.start).unwrap_or(text.len());
    let end = starts.nth(chars.end).unwrap_or(text.len());
    start..end
}
