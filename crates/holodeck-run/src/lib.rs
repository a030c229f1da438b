//! Plays a plan to an agent: one session a case, turns in order, cases in parallel, everything finished in the journal.
//!
//! Does not know which metrics exist or how a report looks. Start reading at [`run`], then `case.rs`.

pub mod ports;

mod bounded;
mod case;
pub mod journal;
mod schedule;
mod session_health;
mod tally;

pub use journal::{Journal, JournalError, JournalReader};
pub use ports::Ports;
pub use schedule::run;
pub use tally::RunOutcome;

#[cfg(test)]
mod tests;
