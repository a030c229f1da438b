//! Python's `re` (3.11) by translation: own parser of its syntax, then `regex` (linear) or `fancy-regex` (rule M4).

/// Steps that the backtracking engine may take before an assertion fails with "regex gave up".
pub const STEP_LIMIT: usize = 1_000_000;

/// A pattern that Python's `re` refuses, or that this program can't run faithfully.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", .position.map(|p| format!(" at position {p}")).unwrap_or_default())]
pub struct RegexError {
    /// The cause in CPython's words.
    pub message: String,
    /// Position in characters of the author's pattern, where known.
    pub position: Option<usize>,
}

/// The engine gave up after [`STEP_LIMIT`] steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("regex gave up after {steps} steps")]
pub struct GaveUp {
    /// The limit that was hit.
    pub steps: usize,
}

/// A compiled Python regular expression.
#[derive(Clone, Debug)]
pub struct PyRegex {
    pattern: Box<str>,
}

impl PyRegex {
    /// Parses and checks a pattern. Engines are built at first use and shared.
    pub fn new(pattern: &str) -> Result<Self, RegexError> {
        let _ = pattern;
        todo!()
    }
    /// The author's text.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }
    /// `re.fullmatch(pattern, text) is not None`
    pub fn full_match(&self, text: &str) -> Result<bool, GaveUp> {
        let _ = text;
        todo!()
    }
    /// `re.search(pattern, text)`: the byte range of group 1 where the pattern has a group (`None` if it took no part), else of the whole match.
    pub fn search(&self, text: &str) -> Result<Option<std::ops::Range<usize>>, GaveUp> {
        let _ = text;
        todo!()
    }
}
