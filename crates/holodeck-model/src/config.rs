//! agent.yaml and everything that belongs to it, read and checked: [`read`] is where to start.
//!
//! What fields there are stands in the tables of [`shape`](crate::shape); this module reads what fits them into the types of
//! [`plan`](mod@crate::plan). All mistakes of all files are reported in one pass (rules L1 to L3).

mod advice;
mod case_files;
mod cases;
mod dotenv;
mod environment;
mod instructions;
mod jsonl;
mod layers;
mod load;
mod metrics;
mod model;
mod needs;
mod overrides;
mod settings;
mod snapshot;
mod suite;

use std::collections::BTreeSet;
use std::path::PathBuf;

use holodeck_value::Value;

use crate::diagnostic::Diagnostic;
use crate::mask::Masker;

pub(crate) use environment::Environment;
pub use instructions::{Instructions, PromptVersion, instructions};
use load::Loading;
pub use load::{Loaded, Options, read};
pub use model::{Model, Secret, Tool};
pub use overrides::Overrides;
pub use settings::{Origin, Setting, Settings, variable};
pub use suite::Cases;

/// An agent and its test cases, without a mistake.
#[derive(Debug)]
pub struct Config {
    name: String,
    description: Option<String>,
    folder: PathBuf,
    model: Model,
    response_format: Option<Value>,
    instructions: Option<Instructions>,
    tools: Vec<Tool>,
    settings: Settings,
    snapshot: Value,
    digest: String,
    secrets: BTreeSet<String>,
    cases: std::sync::Arc<Cases>,
    needs: needs::Needs,
    inherited: Vec<metrics::Deferred>,
    /// Needs of the agent itself.
    own_needs: Vec<Diagnostic>,
    advice: Vec<Diagnostic>,
}

impl Config {
    /// What the agent is called.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// What it is for.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }
    /// The folder of agent.yaml, which its paths start at.
    pub fn folder(&self) -> &std::path::Path {
        &self.folder
    }
    /// Who answers, as the files say.
    pub fn model(&self) -> &Model {
        &self.model
    }
    /// JSON Schema that replies must follow.
    pub fn response_format(&self) -> Option<&Value> {
        self.response_format.as_ref()
    }
    /// The file with the replies, where `model` says that they are scripted.
    pub fn scripted_file(&self) -> Option<PathBuf> {
        let name = (self.model.provider == "scripted").then_some(self.model.name.as_ref()?)?;
        Some(self.folder.join(name))
    }
    /// What the agent is told first.
    pub fn instructions(&self) -> Option<&Instructions> {
        self.instructions.as_ref()
    }
    /// The declared tools, those of config.yaml included.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }
    /// Execution settings, each with its origin.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
    /// The agent as it was checked, defaults filled in, `execution` as it was resolved, secrets masked: the run file's `agent_config`.
    ///
    /// `test_cases` is left out: the run file holds what came of each, and a large suite would be in memory twice.
    pub fn snapshot(&self) -> &Value {
        &self.snapshot
    }
    /// SHA-256, in hex, of agent.yaml and its test cases as they were read.
    pub fn digest(&self) -> &str {
        &self.digest
    }
    /// Values that may not be written, recorded or printed (rule L10a).
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(String::as_str)
    }
    /// What takes them out.
    pub fn masker(&self) -> Masker {
        Masker::new(self.secrets.iter().cloned())
    }
    /// All test cases, in file order.
    pub fn cases(&self) -> &std::sync::Arc<Cases> {
        &self.cases
    }
    /// What is allowed and probably not meant, and interesting only to `check`: turns on which nothing is asserted (N7), ambiguous tool names (M5).
    pub fn advice(&self) -> &[Diagnostic] {
        &self.advice
    }
    /// What the selected test cases need that this version can't do.
    pub(crate) fn needs(&self, selected: impl Fn(u32) -> bool) -> Vec<Diagnostic> {
        let mut needs = self.own_needs.clone();
        needs.extend(self.needs.of(&self.inherited, selected));
        crate::diagnostic::sort(&mut needs);
        needs
    }
}

#[cfg(test)]
mod tests;
