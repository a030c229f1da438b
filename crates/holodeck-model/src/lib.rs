//! agent.yaml read with every mistake placed, and the nouns that the rest of holodeck is written in:
//! config, plan, record, verdict, outcome, event.
//!
//! Knows no environment, clock, terminal or async, and not how a report looks. Start reading at [`plan`].

#![warn(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this crate is pure"
)]

pub mod diagnostic;
pub mod event;
pub mod files;
pub mod outcome;
pub mod plan;
pub mod record;
pub mod verdict;
pub mod yaml;

pub use diagnostic::Diagnostic;
