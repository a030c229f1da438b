//! The fuzzy comparison (rule M3).

use holodeck_value::Value;

/// A prepared fuzzy expectation.
#[derive(Clone, Debug)]
pub struct Fuzzy {
    expected: Box<str>,
}

impl Fuzzy {
    /// Prepares the author's text.
    pub fn new(expected: &str) -> Self {
        Self {
            expected: expected.into(),
        }
    }
    /// The author's text.
    pub fn expected(&self) -> &str {
        &self.expected
    }
    /// Whether `actual` is the same but for case, white space, separators and number form.
    pub fn matches(&self, actual: &Value) -> bool {
        let _ = actual;
        todo!()
    }
}
