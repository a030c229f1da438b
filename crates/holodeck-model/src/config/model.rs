//! The model and the declared tools.

use std::collections::BTreeSet;
use std::fmt;

use holodeck_value::Number;

use super::layers;
use crate::shape::{Checked, Record};

/// Who answers, what config.yaml's `providers` and the provider's usual variables give filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// `openai`, `azure_openai`, `anthropic`, `ollama`, `scripted`, `command` or `http`.
    pub provider: String,
    /// The model; for `scripted` the file with the replies.
    pub name: Option<String>,
    /// Address of the service.
    pub endpoint: Option<String>,
    /// The variable that gave the address, where no file did.
    pub endpoint_variable: Option<&'static str>,
    /// What proves who asks.
    pub api_key: Option<Secret>,
    /// The variable that the provider's key usually stands in.
    pub key_variable: Option<&'static str>,
    /// Version of the service's interface.
    pub api_version: Option<String>,
    /// Randomness, the default included.
    pub temperature: Option<Number>,
    /// Whether a file says so.
    pub is_temperature_given: bool,
    /// Most tokens of a reply, the default included.
    pub max_tokens: Option<u64>,
    /// Nucleus sampling.
    pub top_p: Option<Number>,
    /// Program and arguments of a `command` agent.
    pub command: Vec<String>,
}

/// A text that is shown to nobody.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The text itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(crate::mask::MASK)
    }
}

/// The variables that usually hold a provider's key and address.
fn usual_variables(provider: &str) -> (Option<&'static str>, Option<&'static str>) {
    match provider {
        "openai" => (Some("OPENAI_API_KEY"), Some("OPENAI_BASE_URL")),
        "azure_openai" => (Some("AZURE_OPENAI_API_KEY"), Some(AZURE_ENDPOINT)),
        "anthropic" => (Some("ANTHROPIC_API_KEY"), Some("ANTHROPIC_BASE_URL")),
        "ollama" => (None, Some("OLLAMA_HOST")),
        _ => (None, None),
    }
}

/// The variable that spares an `azure_openai` file its `endpoint`.
pub(super) const AZURE_ENDPOINT: &str = "AZURE_OPENAI_ENDPOINT";

impl Model {
    /// Reads `model`, then the config files' entries for its provider in order, then the environment. An empty variable gives nothing.
    pub(super) fn read(
        record: &Record<'_>,
        configs: &[&Record<'_>],
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let provider = record.text("provider").unwrap_or_default();
        let lent = configs
            .iter()
            .filter_map(|config| layers::provider(config, provider));
        let sources: Vec<&Record<'_>> = std::iter::once(record).chain(lent).collect();
        let text = |key: &str| sources.iter().find_map(|r| r.text(key)).map(str::to_owned);
        let given = |key: &str| {
            let number = |r: &&Record<'_>| r.get(key)?.as_number().cloned();
            sources.iter().find_map(number)
        };
        let number = |key: &str| given(key).or_else(|| record.number(key));
        let set = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let (key_variable, endpoint_variable) = usual_variables(provider);
        let endpoint = text("endpoint");
        let from_variable = match endpoint {
            Some(_) => None,
            None => endpoint_variable.and_then(|name| Some((name, set(name)?))),
        };
        Self {
            provider: provider.to_owned(),
            name: text("name"),
            endpoint_variable: from_variable.as_ref().map(|(name, _)| *name),
            endpoint: endpoint.or(from_variable.map(|(_, value)| value)),
            // White space around a key, a line break above all, is none of it.
            api_key: text("api_key")
                .filter(|key| !key.trim().is_empty())
                .or_else(|| set(key_variable?))
                .map(|key| Secret(key.trim().to_owned())),
            key_variable,
            api_version: text("api_version"),
            is_temperature_given: given("temperature").is_some(),
            temperature: number("temperature"),
            max_tokens: number("max_tokens").and_then(|n| n.as_u64()),
            top_p: number("top_p"),
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
