//! Who answers: the agents that holodeck can hold conversations with.
//!
//! Knows no assertions and no reports. Start reading at [`AgentSpec`], then [`Scripted`], [`CommandAgent`], [`HttpAgent`] and [`ModelService`].

mod chat;
mod command;
mod conversation;
mod endpoint;
mod http;
mod lenient;
mod messages;
pub mod protocol;
mod scripted;
mod service;
mod spec;
#[cfg(test)]
mod test_server;
pub mod tools;

pub use command::CommandAgent;
pub use endpoint::{BadEndpoint, HttpAgent};
pub use scripted::Scripted;
pub use service::{ModelService, NotAsked};
pub use spec::{AgentSpec, BadAgentSpec};
