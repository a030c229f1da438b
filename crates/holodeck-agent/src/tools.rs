//! The tools that a model may call: the seam between the loop that feeds a model and what runs its calls.
//!
//! A session has a toolbox of its own, so that what a tool keeps in memory lasts through the conversation and no longer.

use async_trait::async_trait;
use holodeck_value::Value;

/// Where the toolboxes of sessions come from.
#[async_trait]
pub trait Tools: Send + Sync {
    /// Opens a toolbox for one session; says why where that can't be done. The future may be dropped.
    async fn open(&self) -> Result<Box<dyn Toolbox>, String>;
}

/// The tools of one session.
#[async_trait]
pub trait Toolbox: Send {
    /// What the model is offered, the same through the whole session.
    fn specs(&self) -> &[ToolSpec];
    /// Runs the calls of one reply, in parallel where it can; their results in the order of the calls. Only tools of [`Toolbox::specs`] are
    /// asked for, with a mapping as arguments. The future is dropped when the turn's time is up: what it had begun must end with it.
    async fn call(&mut self, calls: Vec<ToolCall>) -> Vec<ToolResult>;
    /// Ends the tools. Called once, when the session ends.
    async fn close(self: Box<Self>);
}

/// A tool as a model is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// Its name, as the model calls it.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its arguments: an object.
    pub parameters: serde_json::Value,
}

/// A call that a model asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The tool.
    pub name: String,
    /// Its arguments, exactly as the model wrote them.
    pub args: Value,
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    /// What it gave back; null where it failed.
    pub result: Value,
    /// Why it failed.
    pub error: Option<String>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

/// No tools at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTools;

#[async_trait]
impl Tools for NoTools {
    async fn open(&self) -> Result<Box<dyn Toolbox>, String> {
        Ok(Box::new(Self))
    }
}

#[async_trait]
impl Toolbox for NoTools {
    fn specs(&self) -> &[ToolSpec] {
        &[]
    }
    async fn call(&mut self, _: Vec<ToolCall>) -> Vec<ToolResult> {
        Vec::new()
    }
    async fn close(self: Box<Self>) {}
}
