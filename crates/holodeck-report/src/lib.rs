//! Reports of a test run: a header and finished cases in, text out.
//!
//! Knows no files, clock, terminal or environment, and nothing of how a run or a verdict comes about: what a report says
//! of when and where is in the [`Header`], and whether colour makes sense in [`console::Style`].
//! Secrets are masked before cases come here. Start reading at [`Format`].
//!
//! # How to add a report format
//!
//! 1. Write `src/NAME.rs` with `pub fn write(header, summary, cases, out) -> io::Result<()>`, taking the cases one by one;
//!    numbers that a report shows come from [`Summary`] and [`rollup`], never from a sum of its own.
//! 2. Pass every text that an author or agent wrote through [`text`] or the format's own quoting.
//! 3. Add it to [`Format`]; the compiler names the places that want it.
//! 4. Add an `expect!` test of `sample::cases()` and one of hostile text, then run `cargo test -p holodeck-report`.

#![warn(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this crate is pure"
)]

pub mod console;
pub mod eval_run;
mod header;
pub mod json;
pub mod junit;
pub mod markdown;
mod mean;
pub mod rollup;
#[cfg(test)]
mod sample;
mod summary;
pub mod text;
pub mod wire;

use std::io;

use holodeck_model::outcome::CaseOutcome;

pub use header::{Header, Rerun};
pub use summary::{MetricSummary, Summary};

/// Finished cases in file order, one by one; an error is one of reading them and ends the report.
pub type Cases<'a> = &'a mut dyn Iterator<Item = io::Result<CaseOutcome>>;

/// A report that goes to a file. The one for people at a terminal is [`console`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The contract's JSON, field for field.
    Json,
    /// For a pull request or a wiki.
    Markdown,
    /// For CI servers.
    Junit,
}

impl Format {
    /// Writes a whole report. Memory does not grow with the number of cases, except for JUnit.
    ///
    /// # Errors
    /// Those of `cases` and of `out`; what was written until then is no report.
    pub fn write(
        self,
        header: &Header,
        summary: &Summary,
        cases: Cases<'_>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        match self {
            Self::Json => json::write(header, summary, cases, out),
            Self::Markdown => markdown::write(header, summary, cases, out),
            Self::Junit => junit::write(header, summary, cases, out),
        }
    }
}
