//! A grader as a harness sees it, in whatever language it is written.

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use crate::{BadResult, GraderContext, GraderResult};

/// Something that judges turns.
pub trait Grader: Send + Sync + fmt::Debug {
    /// Judges one turn. A grader that has not answered after `deadline` is given up with [`GraderError::TimedOut`], where the
    /// implementation can.
    fn grade<'a>(
        &'a self,
        context: &'a GraderContext,
        deadline: Duration,
    ) -> Pin<Box<dyn Future<Output = Graded> + Send + 'a>>;
}

/// What came of one call of a grader.
#[derive(Clone, Debug, PartialEq)]
pub struct Graded {
    /// The judgement, or why there is none. A result in here has passed [`GraderResult::check`].
    pub result: Result<GraderResult, GraderError>,
    /// What it printed to stdout meanwhile, cut at 64 KiB.
    pub stdout: String,
    /// What it printed to stderr meanwhile, cut at 64 KiB.
    pub stderr: String,
}

impl From<Result<GraderResult, GraderError>> for Graded {
    /// Of a grader that printed nothing.
    fn from(result: Result<GraderResult, GraderError>) -> Self {
        Self {
            result,
            stdout: String::new(),
            stderr: String::new(),
        }
    }
}

/// Why a grader gave no judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraderError {
    /// It raised an exception, panicked, or returned an error.
    Raised {
        /// The exception's type; `panic`; `error` for a returned error.
        kind: String,
        /// What it says.
        message: String,
        /// Where it happened, in lines.
        trace: Option<String>,
    },
    /// It answered with something that is no result.
    BadResult {
        /// What is wrong with it.
        message: String,
    },
    /// Its process died.
    Crashed {
        /// How: `signal 11 (SIGSEGV)`, `exited with status 3`, with the last lines it wrote to stderr.
        how: String,
    },
    /// It did not answer in time.
    TimedOut {
        /// The time it had, in milliseconds.
        after_ms: u64,
    },
    /// It was never called.
    NotRun {
        /// Why not.
        message: String,
    },
}

impl GraderError {
    /// Whether `fail_on_error` of the metric fails the case at once: the grader broke, rather than answered oddly.
    pub fn escalates(&self) -> bool {
        match self {
            Self::Raised { .. } | Self::Crashed { .. } | Self::TimedOut { .. } => true,
            Self::BadResult { .. } | Self::NotRun { .. } => false,
        }
    }
    /// Where it happened, in lines.
    pub fn trace(&self) -> Option<&str> {
        match self {
            Self::Raised { trace, .. } => trace.as_deref(),
            _ => None,
        }
    }
}

impl fmt::Display for GraderError {
    /// In one sentence, without the trace: `ValueError: no program`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Raised { kind, message, .. } if message.is_empty() => f.write_str(kind),
            Self::Raised { kind, message, .. } => write!(f, "{kind}: {message}"),
            Self::BadResult { message } => write!(f, "bad result: {message}"),
            Self::Crashed { how } => write!(f, "grader crashed: {how}"),
            Self::TimedOut { after_ms } => write!(f, "grader timed out after {after_ms} ms"),
            Self::NotRun { message } => write!(f, "grader not run: {message}"),
        }
    }
}

impl std::error::Error for GraderError {}

impl From<BadResult> for GraderError {
    fn from(bad: BadResult) -> Self {
        Self::BadResult {
            message: bad.to_string(),
        }
    }
}
