//! Finds graders by reference (`module.path:function`) and runs them in processes of their own.
//!
//! A reference names a Python function, or a function of a dynamic library that speaks [`holodeck_grader::abi`]. Either runs in a
//! worker: whatever it does wrong costs its own call. Python needs no package; the worker brings `holodeck` along, so that
//! `from holodeck import GraderContext, GraderResult` works. A program that runs native graders starts [`native_worker_main`] in a
//! process of its own and names it in [`HostConfig::native_worker`]; at its own risk it may also load a library into itself with
//! [`native::Library`].
//!
//! Graders run with the rights of the user who starts them. Workers are for robustness and no sandbox.
//!
//! This crate knows no configuration, metrics or reports. Start reading at [`GraderHost::resolve`].
//!
//! # Example
//!
//! ```
//! use std::time::Duration;
//!
//! use holodeck_grader::GraderContext;
//! use holodeck_grader_host::{GraderHost, HostConfig};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # if !holodeck_tests::has_python() { return Ok(()); }
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let source = "def names_source(ctx):\n    return 'Source:' in ctx.agent_response\n";
//! std::fs::write(folder.join("checks.py"), source)?;
//!
//! let host = GraderHost::new(HostConfig::new(vec![folder.to_owned()]));
//! let grader = host.resolve("checks:names_source").await?;
//!
//! let context = GraderContext::new("What was the revenue?", "$206,588. Source: 10-K");
//! let graded = grader.grade(&context, Duration::from_secs(30)).await;
//! assert_eq!(graded.result?.passed, Some(true));
//! host.close().await;
//! # Ok(())
//! # }
//! ```

mod host;
pub mod native;
mod protocol;
mod python;
mod remote;
mod resolve;

pub use host::{GraderHost, HostConfig};
pub use native::native_worker_main;
pub use resolve::ResolveError;

/// A text with its line breaks and runs of spaces as one space each.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
