//! agent.yaml read with every mistake placed, and the nouns that the rest of holodeck is written in:
//! config, plan, record, verdict, outcome, event.
//!
//! Knows no environment, clock, terminal or async, and not how a report looks. Start reading at [`config::read`].

#![warn(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this crate is pure"
)]

pub mod config;
pub mod diagnostic;
pub mod event;
pub mod files;
pub mod graders;
pub mod mask;
pub mod outcome;
pub mod plan;
pub mod record;
pub mod select;
pub mod shape;
pub mod slug;
pub mod verdict;
pub mod yaml;

pub use config::{Config, read};
pub use diagnostic::Diagnostic;
