//! A grader in a worker, as a [`Grader`].

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use holodeck_grader::{Graded, Grader, GraderContext, GraderError, GraderResult};
use holodeck_worker::{CallError, Direction, Ended, Output, Pool, Trouble};
use serde::Serialize;

use crate::protocol::Answer;

/// A grader that a worker of `pool` has found in `folders`.
#[derive(Debug)]
pub(crate) struct Remote {
    pub(crate) pool: Arc<Pool>,
    pub(crate) reference: String,
    pub(crate) folders: Vec<PathBuf>,
    /// The request to find it, which every worker answers before its first call.
    pub(crate) finding: String,
}

/// The request, with the context written straight into it.
#[derive(Serialize)]
struct Call<'a> {
    grade: &'a str,
    folders: &'a [PathBuf],
    context: &'a GraderContext,
}

impl Grader for Remote {
    fn grade<'a>(
        &'a self,
        context: &'a GraderContext,
        deadline: Duration,
    ) -> Pin<Box<dyn Future<Output = Graded> + Send + 'a>> {
        Box::pin(async move {
            let request = serde_json::to_string(&Call {
                grade: &self.reference,
                folders: &self.folders,
                context,
            });
            let request = match request {
                Ok(request) => request,
                Err(error) => return Err(not_run(&error)).into(),
            };
            let finding = Some(self.finding.as_str());
            match self.pool.call_prepared(finding, &request, deadline).await {
                Ok(answer) => Graded {
                    result: read(&answer.body),
                    stdout: answer.output.stdout,
                    stderr: answer.output.stderr,
                },
                Err(error) => Graded {
                    result: Err(told(&error)),
                    stdout: error.output.stdout,
                    stderr: error.output.stderr,
                },
            }
        })
    }
}

fn not_run(why: &dyn ToString) -> GraderError {
    GraderError::NotRun {
        message: why.to_string(),
    }
}

fn read(body: &str) -> Result<GraderResult, GraderError> {
    let bad_result = |message: String| GraderError::BadResult { message };
    let answer: Answer = serde_json::from_str(body)
        .map_err(|error| bad_result(format!("not a grader result: {error}")))?;
    if let Some(failure) = answer.error {
        return Err(GraderError::Raised {
            kind: failure.kind,
            message: failure.message,
            trace: failure.trace,
        });
    }
    if let Some(message) = answer.bad_result {
        return Err(bad_result(message));
    }
    let result = answer
        .result
        .ok_or_else(|| bad_result("the worker gave no result".to_owned()))?;
    Ok(result.check()?)
}

fn told(error: &CallError) -> GraderError {
    match &error.trouble {
        Trouble::Crashed(ended) => GraderError::Crashed {
            how: with_last_words(*ended, &error.output),
        },
        Trouble::TimedOut { after } => GraderError::TimedOut {
            after_ms: u64::try_from(after.as_millis()).unwrap_or(u64::MAX),
        },
        Trouble::Garbled { .. }
        | Trouble::TooLong {
            direction: Direction::Answer,
        } => GraderError::BadResult {
            message: error.to_string(),
        },
        Trouble::NotStarted { .. } | Trouble::TooLong { .. } | Trouble::Closed => not_run(error),
    }
}

/// How a worker ended, and what it wrote to stderr before: where a crash of Python's happened, or the last lines.
pub(crate) fn with_last_words(ended: Ended, output: &Output) -> String {
    let words = python_fault(&output.stderr).unwrap_or_else(|| output.last_words());
    if words.is_empty() {
        return ended.to_string();
    }
    format!("{ended}: {words}")
}

/// The innermost places of a report of `faulthandler`, which begins with them.
fn python_fault(stderr: &str) -> Option<String> {
    let (_, report) = stderr.rsplit_once("Fatal Python error: ")?;
    let mut lines = report.lines();
    let fault = format!("Fatal Python error: {}", lines.next()?);
    let places = lines
        .map(str::trim)
        .filter(|line| line.starts_with("File ") && !line.contains("<holodeck worker>"));
    let told: Vec<&str> = [fault.as_str()].into_iter().chain(places.take(2)).collect();
    Some(told.join(" / "))
}
