//! Calls into other processes: one process serves many calls, one after the other, as JSON lines over two pipes of its own.
//!
//! What a worker does wrong costs the call that it happens in and nothing else. A deadline ends the worker's process group and what
//! escaped from it, a crash is told with its signal and the last lines of stderr, what is printed is captured, and the next call finds
//! another worker. This crate does not know what the calls mean.
//!
//! Start reading at [`Pool::call`]. A [`Program`] is one process that is talked with in lines, over its stdin and stdout.
//!
//! # What a worker must do
//!
//! It finds the numbers of two inherited file descriptors in [`READ_FROM`] and [`WRITE_TO`]. After the bytes of
//! [`WorkerCommand::preamble`] it reads one JSON object a line and answers each with one object a line that carries the same `id`; an
//! answer with another `id` is discarded. Its first line, before any request, is its hello: an object with the key
//! [`Hello::protocol`] and the version as a number. It ends when its pipe ends. stdin is empty; stdout and stderr are captured.
//! Where the host dies, it should end too ([`end_with_the_host`]).
//! On Linux it should make itself a subreaper, so that whatever its calls leave behind stays below it in the tree of processes.
//!
//! # What is not caught
//!
//! When a worker is ended, its process group goes first, then every process below it in the tree, then every process that carries its
//! [`MARKER`] in the environment it was started with, until none is left. On Linux a process escapes all three only if it left the group
//! (`setsid`), was orphaned (a double fork), cleared its environment, and the worker had died before or is no subreaper. Elsewhere there
//! is the process group and no more. None of this is a sandbox: a worker has the rights of its user.
//!
//! # Example
//!
//! ```
//! use std::num::NonZeroUsize;
//! use std::time::Duration;
//!
//! use holodeck_worker::{Hello, Pool, WorkerCommand};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let script = r#"
//! echo '{"echo": 1}' >&4
//! while read -r line <&3; do echo "captured"; echo "$line" >&4; done
//! "#;
//! let mut command = WorkerCommand::new("sh");
//! command.args = vec!["-c".into(), script.into()];
//! let hello = Hello { protocol: "echo", version: 1 };
//! let pool = Pool::new(command, hello, NonZeroUsize::MIN);
//!
//! let answer = pool.call(r#"{"say":"hi"}"#, Duration::from_secs(5)).await?;
//! assert_eq!(answer.body, r#"{"id":1,"say":"hi"}"#);
//! assert_eq!(answer.output.stdout, "captured\n");
//! pool.close().await;
//! # Ok(())
//! # }
//! ```

mod capture;
mod command;
mod framing;
mod leftovers;
mod orphaned;
mod pool;
mod program;
mod tree;
mod trouble;
mod worker;

pub use command::{Hello, MARKER, READ_FROM, WRITE_TO, WorkerCommand};
pub use framing::{MESSAGE_LIMIT, excerpt};
pub use orphaned::end_with_the_host;
pub use pool::{Answer, Pool};
pub use program::Program;
pub use trouble::{CallError, Direction, Ended, Output, Trouble};
