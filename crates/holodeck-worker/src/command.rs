//! How a worker is started, and what it says first.

use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::time::Duration;

/// The variable that tells a worker the number of the descriptor it reads requests from.
pub const READ_FROM: &str = "HOLODECK_WORKER_IN";

/// The variable that tells a worker the number of the descriptor it writes answers to.
pub const WRITE_TO: &str = "HOLODECK_WORKER_OUT";

/// The variable that marks a worker and all processes it starts. Its value is of one worker only.
pub const MARKER: &str = "HOLODECK_WORKER_ID";

/// A value for [`MARKER`], or the beginning of some, that nobody else has.
pub(crate) fn fresh_mark() -> String {
    let random = RandomState::new().hash_one(std::process::id());
    format!("{}-{random:016x}-", std::process::id())
}

/// What to start.
#[derive(Debug, Clone)]
pub struct WorkerCommand {
    /// A path, or a name to be looked up in `PATH`.
    pub program: PathBuf,
    /// The arguments after the program's name.
    pub args: Vec<OsString>,
    /// Variables on top of the inherited environment.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory; `None` is that of this process.
    pub folder: Option<PathBuf>,
    /// Bytes that the worker gets before the first request, a program for an interpreter for example.
    pub preamble: Vec<u8>,
    /// How long a worker may take from its start to its hello. Default: 30 s.
    pub start_deadline: Duration,
}

impl WorkerCommand {
    /// A command of no arguments.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            folder: None,
            preamble: Vec::new(),
            start_deadline: Duration::from_secs(30),
        }
    }
}

/// What a worker's first line must say: `{"<protocol>": <version>, ..}`.
#[derive(Debug, Clone, Copy)]
pub struct Hello {
    /// The key that names the protocol.
    pub protocol: &'static str,
    /// The only version of it that is understood here.
    pub version: u64,
}
