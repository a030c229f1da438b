//! The messages between host and worker, one JSON object a line. The same for every language.

use std::path::PathBuf;

use holodeck_grader::{GraderError, GraderResult};
use holodeck_worker::Hello;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// What a worker says first.
pub(crate) const HELLO: Hello = Hello {
    protocol: "holodeck_grader",
    version: 1,
};

/// What a worker is asked. A worker that was started anew has resolved nothing yet, so each request says where to look.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request<'a> {
    /// Repeated by the answer. A pool puts it in.
    #[serde(skip_serializing)]
    pub(crate) id: u64,
    /// Find this grader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) resolve: Option<String>,
    /// Call this grader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) grade: Option<String>,
    /// Where a grader is looked for, in order.
    #[serde(default)]
    pub(crate) folders: Vec<PathBuf>,
    /// What the grader is told, with `grade`.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) context: Option<&'a RawValue>,
}

/// What a worker answers: one of the four.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) id: u64,
    /// The grader was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ok: Option<bool>,
    /// The grader judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) result: Option<GraderResult>,
    /// What the grader answered is no result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bad_result: Option<String>,
    /// The grader was not found, or raised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Failure>,
}

/// An error on its way.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Failure {
    /// The exception's type, or one of the kinds of a [`LoadError`](crate::native::LoadError).
    #[serde(default)]
    pub(crate) kind: String,
    /// What it says.
    pub(crate) message: String,
    /// Where it happened.
    #[serde(default)]
    pub(crate) trace: Option<String>,
}

impl Answer {
    pub(crate) fn found(id: u64) -> Self {
        Self {
            id,
            ok: Some(true),
            ..Self::default()
        }
    }
    pub(crate) fn failed(id: u64, kind: &str, message: &dyn std::fmt::Display) -> Self {
        let failure = Failure {
            kind: kind.to_owned(),
            message: message.to_string(),
            trace: None,
        };
        Self {
            id,
            error: Some(failure),
            ..Self::default()
        }
    }
    pub(crate) fn graded(id: u64, graded: Result<GraderResult, GraderError>) -> Self {
        match graded {
            Ok(result) => Self {
                id,
                result: Some(result),
                ..Self::default()
            },
            Err(GraderError::BadResult { message }) => Self::bad_result(id, message),
            Err(GraderError::Raised {
                kind,
                message,
                trace,
            }) => Self {
                id,
                error: Some(Failure {
                    kind,
                    message,
                    trace,
                }),
                ..Self::default()
            },
            Err(other) => Self::failed(id, "error", &other),
        }
    }
    pub(crate) fn bad_result(id: u64, message: String) -> Self {
        Self {
            id,
            bad_result: Some(message),
            ..Self::default()
        }
    }
}
