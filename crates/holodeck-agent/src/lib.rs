//! Who answers: the agents that holodeck can hold conversations with. So far one, the scripted agent.
//!
//! Knows no assertions and no reports. Start reading at [`AgentSpec`], then [`Scripted`].

mod scripted;
mod spec;

pub use scripted::Scripted;
pub use spec::{AgentSpec, BadAgentSpec};
