//! What a grader answers, and what is no answer.

use std::fmt;

use holodeck_value::{Number, Object, Value, json};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A grader's judgement of one turn. `true` and `false` are scores 1 and 0 with that verdict; an `f64` is a score without one.
///
/// As JSON: `{"score": 0.5, "passed": null, "reason": null, "details": null}`, all but `score` optional, other keys refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
#[non_exhaustive]
pub struct GraderResult {
    /// 0 to 1.
    pub score: f64,
    /// The verdict; where there is none, the score decides (see [`GraderResult::passes`]).
    #[serde(default)]
    pub passed: Option<bool>,
    /// Why, in words for the report.
    #[serde(default)]
    pub reason: Option<String>,
    /// Whatever else the report should carry.
    #[serde(default)]
    pub details: Option<Object>,
}

impl GraderResult {
    /// A score without a verdict.
    pub fn new(score: f64) -> Self {
        Self {
            score,
            passed: None,
            reason: None,
            details: None,
        }
    }
    /// The same with a verdict, whatever score and threshold say.
    #[must_use]
    pub fn with_passed(self, passed: bool) -> Self {
        Self {
            passed: Some(passed),
            ..self
        }
    }
    /// The same with a reason.
    #[must_use]
    pub fn with_reason(self, reason: impl Into<String>) -> Self {
        Self {
            reason: Some(reason.into()),
            ..self
        }
    }
    /// The same with details.
    #[must_use]
    pub fn with_details(self, details: Object) -> Self {
        Self {
            details: Some(details),
            ..self
        }
    }

    /// Whether the turn passes: the verdict, else whether the score reaches the metric's threshold, or 0.5 where none is set.
    pub fn passes(&self, threshold: Option<f64>) -> bool {
        self.passed
            .unwrap_or_else(|| self.score >= threshold.unwrap_or(0.5))
    }

    /// The result if it is one: a score of 0 to 1, details that are JSON.
    pub fn check(self) -> Result<Self, BadResult> {
        if !(0.0..=1.0).contains(&self.score) {
            return Err(BadResult::new(format!(
                "score is {}, not between 0 and 1",
                self.score
            )));
        }
        if let Some(details) = &self.details {
            check_details(details)?;
        }
        Ok(self)
    }

    /// Reads a result from JSON, as [`GraderResult`] says, and checks it.
    pub fn from_json(json: &[u8]) -> Result<Self, BadResult> {
        serde_json::from_slice::<Self>(json)
            .map_err(|e| BadResult::new(format!("not a grader result: {e}")))?
            .check()
    }
}

impl Serialize for GraderResult {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for GraderResult {
    /// From a mapping only: a derived implementation would take `[1.0]` for a score.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Mapping;
        impl<'de> Visitor<'de> for Mapping {
            type Value = GraderResult;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a mapping with `score`")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<GraderResult, A::Error> {
                GraderResult::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_map(Mapping)
    }
}

/// Walks without recursion, since what a grader nests has no limit before this one.
fn check_details(details: &Object) -> Result<(), BadResult> {
    let mut open: Vec<(&Value, usize)> = details.iter().map(|(_, value)| (value, 2)).collect();
    while let Some((value, depth)) = open.pop() {
        if depth > json::MAX_DEPTH {
            return Err(BadResult::new(format!(
                "details nest deeper than {} levels",
                json::MAX_DEPTH
            )));
        }
        match value {
            Value::Number(number) if !is_json(number) => {
                return Err(BadResult::new(format!(
                    "details hold {}, which is not JSON",
                    number.lexeme()
                )));
            }
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(object) => open.extend(object.iter().map(|(_, v)| (v, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}

fn is_json(number: &Number) -> bool {
    number.lexeme().ends_with(|c: char| c.is_ascii_digit())
}

impl From<bool> for GraderResult {
    fn from(passed: bool) -> Self {
        Self::new(if passed { 1.0 } else { 0.0 }).with_passed(passed)
    }
}

impl From<f64> for GraderResult {
    fn from(score: f64) -> Self {
        Self::new(score)
    }
}

/// Why an answer is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadResult {
    message: String,
}

impl BadResult {
    /// With the reason in one line.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

impl fmt::Display for BadResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BadResult {}

#[cfg(test)]
mod tests;
