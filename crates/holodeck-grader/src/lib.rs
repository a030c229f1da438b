//! Graders: functions of your own that judge one turn of a conversation with an agent.
//!
//! A grader in Rust is a `cdylib` with this crate as its dependency and one line that exports its functions:
//!
//! ```
//! use holodeck_grader::{GraderContext, GraderResult, export_graders};
//!
//! /// A turn passes where the reply names its source.
//! fn names_source(context: &GraderContext) -> bool {
//!     context.agent_response.contains("Source:")
//! }
//!
//! /// The share of the calls that the turn's own key `allowed_calls` permits.
//! fn thrift(context: &GraderContext) -> Result<GraderResult, String> {
//!     let allowed = context.turn_config.get("allowed_calls").ok_or("no `allowed_calls`")?;
//!     let allowed: f64 = allowed.text().parse().map_err(|_| "`allowed_calls` is no number")?;
//!     let made = context.tool_invocations.len() as f64;
//!     let result = GraderResult::new((allowed / made.max(1.0)).clamp(0.0, 1.0));
//!     Ok(result.with_passed(made <= allowed).with_reason(format!("{made} calls")))
//! }
//!
//! export_graders! { names_source, thrift }
//!
//! let mut context = GraderContext::new("What was the revenue?", "$206,588. Source: 10-K, page 40");
//! assert!(names_source(&context));
//! assert_eq!(thrift(&context).unwrap_err(), "no `allowed_calls`");
//! context.turn_config.insert("allowed_calls", 2_u64.into());
//! assert_eq!(thrift(&context).unwrap().passed, Some(true));
//! ```
//!
//! ```toml
//! [lib]
//! crate-type = ["cdylib"]
//! ```
//!
//! In agent.yaml it is `{type: code, grader: "my_graders:names_source"}` where `libmy_graders.so` (or `.dylib`) lies beside the
//! file or in a folder of `execution.grader_path`. `Err` and a panic fail the metric with their message; neither hurts the run.
//! Graders run with the rights of the user who starts the test.
//!
//! This crate finds, loads and starts nothing: that is `holodeck-grader-host`. Authors in C read `grader.h`; [`abi`] is the same
//! in Rust.

pub mod abi;
mod context;
mod export;
mod grader;
mod result;

pub use context::{GraderContext, PreviousTurn, ToolInvocation};
#[doc(hidden)]
pub use export::{Export, IntoGrade, Plugin, table};
pub use grader::{Graded, Grader, GraderError};
pub use holodeck_value as value;
pub use holodeck_value::{Number, Object, Value};
pub use result::{BadResult, GraderResult};
