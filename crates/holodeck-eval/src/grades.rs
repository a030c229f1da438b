//! Answers of code graders, which somebody else has called.

use std::collections::BTreeMap;
use std::time::Duration;

use holodeck_grader::Graded;

/// One grader's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Grade {
    /// The answer, or why there is none.
    pub graded: Graded,
    /// How long the call took.
    pub took: Duration,
}

/// The answers of a turn's code graders, by the metric's position among the turn's metrics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grades(BTreeMap<usize, Grade>);

impl Grades {
    /// The answer for the metric at a position.
    pub fn get(&self, at: usize) -> Option<&Grade> {
        self.0.get(&at)
    }
}

impl FromIterator<(usize, Grade)> for Grades {
    fn from_iter<I: IntoIterator<Item = (usize, Grade)>>(grades: I) -> Self {
        Self(grades.into_iter().collect())
    }
}
