//! The model and the declared tools, as far as this version needs them.

use std::collections::BTreeSet;

use super::layers;
use crate::shape::{Checked, Record};

/// Who answers, what config.yaml's `providers` give filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// `openai`, `azure_openai`, `anthropic`, `ollama`, `scripted`, `command` or `http`.
    pub provider: String,
    /// The model; for `scripted` the file with the replies.
    pub name: Option<String>,
    /// Address of the service.
    pub endpoint: Option<String>,
    /// Program and arguments of a `command` agent.
    pub command: Vec<String>,
}

impl Model {
    /// Reads `model`, then the config files' entries for its provider in order.
    pub(super) fn read(record: &Record<'_>, configs: &[&Record<'_>]) -> Self {
        let provider = record.text("provider").unwrap_or_default();
        let lent = configs
            .iter()
            .filter_map(|config| layers::provider(config, provider));
        let sources: Vec<&Record<'_>> = std::iter::once(record).chain(lent).collect();
        let text = |key: &str| sources.iter().find_map(|r| r.text(key)).map(str::to_owned);
        Self {
            provider: provider.to_owned(),
            name: text("name"),
            endpoint: text("endpoint"),
            command: sources
                .iter()
                .find_map(|r| r.texts("command"))
                .unwrap_or_default(),
        }
    }
}

/// A declared tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// `function`, `mcp`, `vectorstore`, `hierarchical_document` or `prompt`.
    pub kind: String,
    /// Its results are context for retrieval metrics.
    pub is_retrieval: bool,
}

/// The agent's tools, then those of the config files whose names are free.
pub(super) fn tools(agent: &Record<'_>, configs: &[&Record<'_>]) -> Vec<Tool> {
    let own = agent.list("tools").unwrap_or_default().iter();
    let shared = configs
        .iter()
        .flat_map(|config| config.list("mcp_servers").unwrap_or_default());
    let mut seen = BTreeSet::new();
    let all = own.chain(shared).filter_map(Checked::as_record);
    all.filter(|tool| seen.insert(tool.text("name")))
        .map(tool)
        .collect()
}

fn tool(record: &Record<'_>) -> Tool {
    let kind = record.text_or_default("type").unwrap_or_default();
    Tool {
        name: record.text("name").unwrap_or_default().to_owned(),
        is_retrieval: record.flag("is_retrieval")
            || matches!(kind, "vectorstore" | "hierarchical_document"),
        kind: kind.to_owned(),
    }
}
