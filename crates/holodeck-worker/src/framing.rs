//! Messages on the pipes: one JSON object a line, with an `id`.

use std::io;

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;

use crate::trouble::{Direction, Trouble};

/// Longest message either way, in bytes: 64 MiB.
pub const MESSAGE_LIMIT: usize = 64 << 20;

/// Bytes asked for at once.
const CHUNK: usize = 64 << 10;
/// Room that an idle worker's buffer may keep.
const KEPT: usize = 1 << 20;
/// Characters of a wrong message that an error repeats.
const EXCERPT: usize = 80;

/// Why no message could be read.
#[derive(Debug)]
pub(crate) enum Unread {
    /// The other side closed its pipe, or broke it.
    HungUp,
    /// What came can't be a message.
    Bad(Trouble),
}

impl From<io::Error> for Unread {
    fn from(_: io::Error) -> Self {
        Self::HungUp
    }
}

/// A request's line: the object `body` with `id` as its first member.
///
/// # Errors
/// [`Trouble::TooLong`]; [`Trouble::Garbled`] where `body` is not an object.
pub(crate) fn request(id: u64, body: &str) -> Result<Vec<u8>, Trouble> {
    let Some(members) = body.trim_start().strip_prefix('{') else {
        return Err(Trouble::Garbled {
            what: "the request is not a JSON object".to_owned(),
        });
    };
    let comma = if members.trim_start().starts_with('}') {
        ""
    } else {
        ","
    };
    let mut line = format!("{{\"id\":{id}{comma}").into_bytes();
    if line.len() + members.len() > MESSAGE_LIMIT {
        return Err(Trouble::TooLong {
            direction: Direction::Request,
        });
    }
    // Line breaks of JSON stand between its tokens, where a space does as well.
    line.extend(members.bytes().map(|b| match b {
        b'\n' | b'\r' => b' ',
        b => b,
    }));
    line.push(b'\n');
    Ok(line)
}

/// Lines from a worker, as they come.
#[derive(Debug)]
pub(crate) struct Inbox {
    pipe: Receiver,
    bytes: Vec<u8>,
    /// How many of `bytes` are known to hold no line break.
    searched: usize,
}

impl Inbox {
    pub(crate) fn new(pipe: Receiver) -> Self {
        Self {
            pipe,
            bytes: Vec::new(),
            searched: 0,
        }
    }

    /// The answer to request `id`; answers to others are discarded.
    pub(crate) async fn answer(&mut self, id: u64) -> Result<String, Unread> {
        let wanted = id.to_string();
        loop {
            let line = self.line().await?;
            if id_of(&line)?.as_deref() == Some(&wanted) {
                return Ok(line);
            }
        }
    }

    /// The next line without its end. May be dropped and called again: nothing is lost.
    pub(crate) async fn line(&mut self) -> Result<String, Unread> {
        loop {
            let fresh = &self.bytes[self.searched..];
            if let Some(at) = fresh.iter().position(|b| *b == b'\n') {
                return self.take(self.searched + at);
            }
            self.searched = self.bytes.len();
            if self.searched > MESSAGE_LIMIT {
                return Err(Unread::Bad(Trouble::TooLong {
                    direction: Direction::Answer,
                }));
            }
            self.bytes.reserve(CHUNK);
            if self.pipe.read_buf(&mut self.bytes).await? == 0 {
                return Err(Unread::HungUp);
            }
        }
    }

    fn take(&mut self, end: usize) -> Result<String, Unread> {
        let rest = self.bytes.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.bytes, rest);
        self.searched = 0;
        if self.bytes.is_empty() && line.capacity() <= KEPT {
            self.bytes.reserve(line.capacity());
        }
        line.truncate(end);
        String::from_utf8(line).map_err(|e| {
            garbled(
                "the answer is not UTF-8",
                &String::from_utf8_lossy(e.as_bytes()),
            )
        })
    }
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
}

fn id_of(line: &str) -> Result<Option<String>, Unread> {
    match serde_json::from_str::<Envelope<'_>>(line) {
        // An array would pass for the members in order.
        Ok(envelope) if line.trim_start().starts_with('{') => {
            Ok(envelope.id.map(|id| id.get().to_owned()))
        }
        _ => Err(garbled("the answer is not a JSON object", line)),
    }
}

pub(crate) fn garbled(problem: &str, text: &str) -> Unread {
    Unread::Bad(Trouble::Garbled {
        what: format!("{problem}: {}", excerpt(text)),
    })
}

/// The beginning of a text in one line and in backticks, with everything that could upset a terminal escaped.
pub fn excerpt(text: &str) -> String {
    let mut kept: String = text
        .chars()
        .take(EXCERPT)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(EXCERPT).is_some() {
        kept.push_str("...");
    }
    format!("`{kept}`")
}
