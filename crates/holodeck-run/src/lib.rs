//! Plays a plan to an agent: one session a case, turns in order, cases in parallel, everything finished in the journal.
//!
//! Does not know which metrics exist or how a report looks. Start reading at [`run`], then `case.rs`.
//!
//! An agent of your own is a [`ports::Backend`] and a [`ports::Session`]:
//!
//! ```
//! use async_trait::async_trait;
//! use holodeck_model::plan::CasePlan;
//! use holodeck_run::ports::{Backend, OpenError, Reply, Session, TurnInput};
//!
//! struct Echo;
//!
//! #[async_trait]
//! impl Backend for Echo {
//!     async fn open(&self, _: &CasePlan) -> Result<Box<dyn Session>, OpenError> {
//!         Ok(Box::new(Echo))
//!     }
//! }
//!
//! #[async_trait]
//! impl Session for Echo {
//!     async fn send(&mut self, turn: TurnInput<'_>) -> Reply {
//!         Reply { response: Some(turn.input.to_owned()), ..Reply::default() }
//!     }
//!     async fn close(self: Box<Self>) {}
//! }
//! ```

pub mod ports;

mod bounded;
mod case;
pub mod journal;
mod reach;
mod schedule;
mod session_health;
mod tally;

pub use journal::{Journal, JournalError, JournalReader};
pub use ports::Ports;
pub use schedule::run;
pub use tally::RunOutcome;

#[cfg(test)]
mod tests;
