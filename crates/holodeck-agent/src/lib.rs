//! Who answers: the agents that holodeck can hold conversations with.
//!
//! Knows no assertions and no reports. Start reading at [`AgentSpec`], then [`Scripted`] and [`CommandAgent`].

mod command;
pub mod protocol;
mod scripted;
mod spec;
pub mod tools;

pub use command::CommandAgent;
pub use scripted::Scripted;
pub use spec::{AgentSpec, BadAgentSpec};
