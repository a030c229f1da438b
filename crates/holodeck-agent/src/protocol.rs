//! What is said between holodeck and an agent of the author's own, over a program's pipes or over HTTP: version 1.
//!
//! `docs/reference/agent-protocol.md` tells it in words and `schemas/agent-protocol.schema.json` as a schema ([`schema`]).

mod reply;
mod schema;

use std::path::{Path, PathBuf};

use holodeck_model::plan::FileInput;
use holodeck_run::ports::TurnInput;
use serde::Serialize;

pub(crate) use reply::{Answer, answer};
pub use schema::schema;

/// The version that is spoken here.
pub(crate) const VERSION: u32 = 1;

/// Longest message either way, in bytes.
pub(crate) const MESSAGE_LIMIT: usize = holodeck_worker::MESSAGE_LIMIT;

/// One conversation: writes what is said in it.
#[derive(Debug)]
pub(crate) struct Conversation {
    session: String,
    test_case: String,
    /// Where relative paths of files start.
    folder: PathBuf,
    last_id: u64,
}

/// A turn that was said and not yet answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenTurn {
    pub(crate) id: u64,
    pub(crate) turn_index: usize,
}

impl OpenTurn {
    /// Whether an answer to `id` and `turn_index` is one to this turn.
    pub(crate) fn is_of(&self, id: u64, turn_index: u64) -> bool {
        self.id == id && u64::try_from(self.turn_index) == Ok(turn_index)
    }
}

#[derive(Serialize)]
struct Message<'a> {
    holodeck_agent: u32,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    session: &'a str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    turn: Option<Said<'a>>,
}

#[derive(Serialize)]
struct Said<'a> {
    test_case: &'a str,
    turn_index: usize,
    input: &'a str,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<&'a [u64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sheet: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<&'a str>,
}

impl Conversation {
    /// A new one, known to the agent by a random id.
    pub(crate) fn new(test_case: String, folder: &Path) -> Self {
        Self {
            session: uuid::Uuid::new_v4().to_string(),
            test_case,
            folder: folder.to_owned(),
            last_id: 0,
        }
    }

    /// A turn, and its message.
    ///
    /// # Errors
    /// In words, where it would be too long.
    pub(crate) fn turn(&mut self, input: TurnInput<'_>) -> Result<(OpenTurn, String), String> {
        self.last_id += 1;
        let files = input.files.iter().map(|file| self.file(file)).collect();
        let message = self.message(
            "turn",
            Some(self.last_id),
            Some(Said {
                test_case: &self.test_case,
                turn_index: input.index,
                input: input.input,
                files,
            }),
        );
        if message.len() > MESSAGE_LIMIT {
            let limit = MESSAGE_LIMIT >> 20;
            return Err(format!("the turn's message is longer than {limit} MiB"));
        }
        let open = OpenTurn {
            id: self.last_id,
            turn_index: input.index,
        };
        Ok((open, message))
    }

    /// That a turn's answer is no longer waited for.
    pub(crate) fn cancel(&self, turn: OpenTurn) -> String {
        self.message("cancel", Some(turn.id), None)
    }

    /// That there will be no more.
    pub(crate) fn close(&self) -> String {
        self.message("close", None, None)
    }

    fn message(&self, kind: &'static str, id: Option<u64>, turn: Option<Said<'_>>) -> String {
        let message = Message {
            holodeck_agent: VERSION,
            kind,
            id,
            session: &self.session,
            turn,
        };
        serde_json::to_string(&message).expect("strings and numbers are JSON")
    }

    fn file<'f>(&self, file: &'f FileInput) -> File<'f> {
        let full = |path: &String| {
            let path = self.folder.join(path);
            let full = std::path::absolute(&path).unwrap_or(path);
            full.to_string_lossy().into_owned()
        };
        File {
            path: file.path.as_ref().map(full),
            url: file.url.as_deref(),
            kind: &file.kind,
            mime: mime(file),
            description: file.description.as_deref(),
            pages: file.pages.as_deref(),
            sheet: file.sheet.as_deref(),
            range: file.range.as_deref(),
        }
    }
}

/// The usual media type of a file, by its ending; `None` where that says nothing.
fn mime(file: &FileInput) -> Option<&'static str> {
    let named = file.path.as_deref().or(file.url.as_deref())?;
    let named = named.split(['?', '#']).next()?;
    let ending = Path::new(named).extension()?.to_str()?;
    Some(match ending.to_ascii_lowercase().as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        "pdf" => "application/pdf",
        "txt" => "text/plain",
        "md" => "text/markdown",
        "csv" => "text/csv",
        "json" => "application/json",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xls" => "application/vnd.ms-excel",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "doc" => "application/msword",
        "pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "ppt" => "application/vnd.ms-powerpoint",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
