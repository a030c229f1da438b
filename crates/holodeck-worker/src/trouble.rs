//! What can go wrong with a call, in words.

use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Signal;

use crate::framing::MESSAGE_LIMIT;

/// Lines of stderr that a message repeats.
const LAST_LINES: usize = 3;
/// Longest line of stderr that a message repeats, in characters.
const LAST_LINE_LENGTH: usize = 300;

/// What a worker printed during a call, each cut at 64 KiB.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// Its stdout.
    pub stdout: String,
    /// Its stderr.
    pub stderr: String,
}

impl Output {
    /// The last lines of stderr that are not blank, in one line; empty where there are none.
    pub fn last_words(&self) -> String {
        let mut lines: Vec<String> = self
            .stderr
            .lines()
            .rev()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .take(LAST_LINES)
            .map(|line| line.chars().take(LAST_LINE_LENGTH).collect())
            .collect();
        lines.reverse();
        lines.join(" / ")
    }
}

/// A call without an answer.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{trouble}")]
pub struct CallError {
    /// What happened.
    pub trouble: Trouble,
    /// What was printed until then.
    pub output: Output,
}

/// Why a call has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// No worker could be started.
    #[error("{program} did not start: {why}")]
    NotStarted {
        /// The program, as it was given.
        program: String,
        /// What the system or the program said, in one line.
        why: String,
    },
    /// The worker's process ended during the call.
    #[error("crashed: {0}")]
    Crashed(Ended),
    /// The deadline passed; the worker was ended.
    #[error("no answer within {} ms", .after.as_millis())]
    TimedOut {
        /// The deadline.
        after: Duration,
    },
    /// The worker wrote something that is not a message, or closed its pipe; it was ended.
    #[error("{what}")]
    Garbled {
        /// What came instead, in one line.
        what: String,
    },
    /// A message is longer than [`MESSAGE_LIMIT`].
    #[error("{direction} is longer than {} MiB", MESSAGE_LIMIT >> 20)]
    TooLong {
        /// Which of the two.
        direction: Direction,
    },
    /// The pool was closed before the call began.
    #[error("the workers are closed")]
    Closed,
}

/// Which way a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the worker.
    Request,
    /// From the worker, which was ended.
    Answer,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Request => "the request",
            Self::Answer => "the answer",
        })
    }
}

/// How a process ended: `signal 11 (SIGSEGV)`, `exited with status 3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// With this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
}

impl From<ExitStatus> for Ended {
    fn from(status: ExitStatus) -> Self {
        match status.signal() {
            Some(signal) => Self::Signal(signal),
            None => Self::Status(status.code().unwrap_or_default()),
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "exited with status {status}"),
            Self::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "signal {signal} ({name})"),
                None => write!(f, "signal {signal}"),
            },
        }
    }
}

/// How a process ended, as the trouble with its call.
pub(crate) fn ended(status: io::Result<ExitStatus>) -> Trouble {
    match status {
        Ok(status) => Trouble::Crashed(Ended::from(status)),
        Err(error) => Trouble::Garbled {
            what: format!("its end can't be told: {error}"),
        },
    }
}

fn signal_name(number: i32) -> Option<&'static str> {
    const NAMES: &[(Signal, &str)] = &[
        (Signal::HUP, "SIGHUP"),
        (Signal::INT, "SIGINT"),
        (Signal::QUIT, "SIGQUIT"),
        (Signal::ILL, "SIGILL"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::USR1, "SIGUSR1"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::USR2, "SIGUSR2"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::ALARM, "SIGALRM"),
        (Signal::TERM, "SIGTERM"),
        (Signal::XCPU, "SIGXCPU"),
        (Signal::XFSZ, "SIGXFSZ"),
        (Signal::SYS, "SIGSYS"),
    ];
    NAMES
        .iter()
        .find(|(signal, _)| signal.as_raw() == number)
        .map(|(_, name)| *name)
}
