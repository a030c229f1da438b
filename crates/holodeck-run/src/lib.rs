//! Plays a plan to an agent: one session a case, turns in order, cases in parallel, everything finished in the journal.
//!
//! Does not know which metrics exist or how a report looks. Start reading at [`run`].

pub mod ports;
