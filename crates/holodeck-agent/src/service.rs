//! Model services: from what a configuration says of a model to a backend that asks it.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use holodeck_model::config::{Config, Model as ModelConfig, Secret};
use holodeck_model::plan::CasePlan;
use holodeck_run::ports::{Backend, OpenError, Session};
use holodeck_value::Number;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use tokio::time::{Instant, timeout};

use crate::chat::Chat;
use crate::conversation::{Model, ModelBackend, Sampling, Wire};
use crate::http::{Checks, Http, Limits, Patience, Target, shown};
use crate::messages::Messages;
use crate::tools::Tools;

const ANTHROPIC: &str = "anthropic";
/// Azure's interface where `api_version` says nothing.
const AZURE_VERSION: &str = "2024-10-21";

/// A model service.
pub struct ModelService {
    backend: ModelBackend,
    name: String,
}

impl fmt::Debug for ModelService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ModelService").field(&self.name).finish()
    }
}

/// A model that can't be asked as things are configured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAsked {
    /// No key, and the service wants one.
    #[error("there is no API key for `{provider}`")]
    NoKey {
        /// The provider.
        provider: String,
        /// The variable that it usually stands in.
        variable: &'static str,
    },
    /// A key that no header can carry.
    #[error("the API key holds a line break or another character that no HTTP header can carry")]
    BadKey,
    /// The address is none.
    #[error("{from} `{endpoint}` is not an address: write `https://HOST/PATH`")]
    BadEndpoint {
        /// Where it stands.
        from: String,
        /// As given, without secrets.
        endpoint: String,
    },
    /// Another provider.
    #[error("`{0}` is no model service")]
    NoService(String),
    /// No TLS.
    #[error("no secure connection can be made: {0}")]
    NoClient(String),
}

impl NotAsked {
    /// Where in agent.yaml it belongs.
    pub fn path(&self) -> &'static str {
        match self {
            Self::NoKey { .. } | Self::BadKey => "model.api_key",
            Self::BadEndpoint { .. } => "model.endpoint",
            Self::NoService(_) | Self::NoClient(_) => "model.provider",
        }
    }
    /// What helps.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoKey { variable, .. } => Some(format!(
                "set {variable}; `--agent scripted:FILE` plays replies from a file instead"
            )),
            _ => None,
        }
    }
}

impl ModelService {
    /// The service that a configuration names, with the tools that its model may call. Sends nothing.
    pub fn new(config: &Config, tools: Box<dyn Tools>) -> Result<Self, NotAsked> {
        Self::with_patience(config, tools, Patience::default())
    }

    pub(crate) fn with_patience(
        config: &Config,
        tools: Box<dyn Tools>,
        patience: Patience,
    ) -> Result<Self, NotAsked> {
        let model = config.model();
        let base = base(model)?;
        let target = target(model, &base)?;
        let instructions = config.instructions().map(|i| i.text.as_str());
        let sampling = Sampling {
            temperature: model.temperature.clone().unwrap_or(Number::from(0_u64)),
            is_temperature_given: model.is_temperature_given,
            max_tokens: model.max_tokens.unwrap_or(1000),
            top_p: model.top_p.clone(),
            response_format: config.response_format().cloned(),
        };
        let name = model.name.clone().unwrap_or_default();
        let wire: Box<dyn Wire> = if model.provider == ANTHROPIC {
            Box::new(Messages::new(&name, instructions, sampling))
        } else {
            Box::new(Chat::new(&name, instructions, sampling))
        };
        let settings = config.settings();
        let setting = |key: &str| {
            let n = settings.integer(key)?;
            Some(usize::try_from(n).unwrap_or(usize::MAX))
        };
        let limits = Limits {
            // More seats than a semaphore has would be no limit anyway.
            concurrent_requests: setting("max_concurrent_requests").map(|n| n.min(1 << 20)),
            requests_per_minute: setting("max_requests_per_minute"),
        };
        let http = Http::new(limits, patience).map_err(NotAsked::NoClient)?;
        Ok(Self {
            name: format!("{} {name} at {}", model.provider, shown(&base)),
            backend: ModelBackend {
                model: Arc::new(Model {
                    wire,
                    http: Arc::new(http),
                    target,
                    llm_timeout: settings.llm_timeout(),
                    max_tool_rounds: settings.integer("max_tool_rounds").unwrap_or(25),
                }),
                tools,
            },
        })
    }

    /// Sends one tiny request, as a turn is sent but without tools; what the model said, or why nothing came of it. Takes no longer than a turn may.
    pub async fn probe(&self) -> Result<String, String> {
        let model = &self.backend.model;
        let history = [model.wire.user("Reply with the word OK.")];
        let asking = model.ask(&history, "", Instant::now() + model.llm_timeout);
        match timeout(model.llm_timeout, asking).await {
            Ok(Ok(reply)) => reply.cut.map_or(Ok(reply.text), Err),
            Ok(Err(fault)) => Err(fault.message()),
            Err(_) => Err(format!(
                "no answer within {:?} (`llm_timeout`)",
                model.llm_timeout
            )),
        }
    }

    /// Provider, model and address in words, without secrets.
    pub fn name(&self) -> &str {
        &self.name
    }
}

#[async_trait]
impl Backend for ModelService {
    async fn open(&self, case: &CasePlan) -> Result<Box<dyn Session>, OpenError> {
        self.backend.open(case).await
    }
}

/// Where the address comes from.
fn origin(model: &ModelConfig) -> String {
    let variable = model.endpoint_variable.map(|name| format!("`{name}`"));
    variable.unwrap_or_else(|| "`model.endpoint`".to_owned())
}

/// The address that the paths of the interface start at.
fn base(model: &ModelConfig) -> Result<Url, NotAsked> {
    let usual = match model.provider.as_str() {
        "openai" => "https://api.openai.com/v1",
        ANTHROPIC => "https://api.anthropic.com",
        "ollama" => "http://localhost:11434/v1",
        // A file without one is refused when it is loaded.
        "azure_openai" => "",
        other => return Err(NotAsked::NoService(other.to_owned())),
    };
    let given = model.endpoint.as_deref().unwrap_or(usual).trim();
    let is_ollama = model.provider == "ollama";
    // `OLLAMA_HOST` is usually a bare host.
    let given = if is_ollama && !given.contains("://") {
        format!("http://{}", given.replacen("0.0.0.0", "127.0.0.1", 1))
    } else {
        given.to_owned()
    };
    let parsed = Url::parse(&given).ok();
    let is_address = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    let Some(mut url) = parsed.filter(is_address) else {
        let from = origin(model);
        // What is no address can't be told from a secret inside it.
        let endpoint = given.rsplit('@').next().unwrap_or_default().to_owned();
        return Err(NotAsked::BadEndpoint { from, endpoint });
    };
    if is_ollama {
        if url.port().is_none() && url.scheme() == "http" && model.endpoint_variable.is_some() {
            // It can be set, as the address has a host.
            let _ = url.set_port(Some(11434));
        }
        if url.path() == "/" {
            url.set_path("/v1");
        }
    }
    Ok(url)
}

/// Whether an address is on this machine.
fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let ip = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    ip.map_or(host == "localhost" || host.ends_with(".localhost"), |ip| {
        ip.is_loopback() || ip.is_unspecified()
    })
}

fn target(model: &ModelConfig, base: &Url) -> Result<Target, NotAsked> {
    let is_azure = model.provider == "azure_openai";
    let is_anthropic = model.provider == ANTHROPIC;
    let mut url = base.clone();
    let path = base.path().trim_end_matches('/');
    let path = if path.ends_with("/chat/completions") || path.ends_with("/messages") {
        path.to_owned()
    } else if is_anthropic {
        let version = if path.ends_with("/v1") { "" } else { "/v1" };
        format!("{path}{version}/messages")
    } else if is_azure && !path.contains("/openai/") {
        let deployment = model.name.as_deref().unwrap_or_default();
        url.set_path(path);
        let segments = ["openai", "deployments", deployment, "chat", "completions"];
        if let Ok(mut inner) = url.path_segments_mut() {
            inner.pop_if_empty().extend(segments);
        }
        url.path().to_owned()
    } else {
        format!("{path}/chat/completions")
    };
    url.set_path(&path);
    let has_version = url.query_pairs().any(|(key, _)| key == "api-version");
    let wants_version = is_azure && !path.contains("/openai/v1/");
    if !has_version && (wants_version || model.api_version.is_some() && is_azure) {
        let version = model.api_version.as_deref().unwrap_or(AZURE_VERSION);
        url.query_pairs_mut().append_pair("api-version", version);
    }
    let key = key(model, base)?;
    let header = key
        .as_deref()
        .map(|key| header(&model.provider, key))
        .transpose()?;
    let checks = Checks {
        endpoint: origin(model),
        key: match model.key_variable {
            Some(variable) => format!("`{variable}` or `model.api_key`"),
            None => "`model.api_key`".to_owned(),
        },
    };
    let target = Target::new(url, header, key, checks);
    Ok(if is_anthropic {
        target.with("anthropic-version", "2023-06-01")
    } else {
        target
    })
}

/// The key, where there is one; a service on this machine may do without.
fn key(model: &ModelConfig, base: &Url) -> Result<Option<String>, NotAsked> {
    let key = model.api_key.as_ref().map(Secret::expose);
    match (key, model.key_variable) {
        (Some(key), _) => Ok(Some(key.to_owned())),
        (None, Some(variable)) if !is_here(base) => Err(NotAsked::NoKey {
            provider: model.provider.clone(),
            variable,
        }),
        (None, _) => Ok(None),
    }
}

fn header(provider: &str, key: &str) -> Result<(HeaderName, HeaderValue), NotAsked> {
    let (name, value) = match provider {
        "azure_openai" => (HeaderName::from_static("api-key"), key.to_owned()),
        ANTHROPIC => (HeaderName::from_static("x-api-key"), key.to_owned()),
        _ => (AUTHORIZATION, format!("Bearer {key}")),
    };
    let value = HeaderValue::try_from(value).map_err(|_| NotAsked::BadKey)?;
    Ok((name, value))
}

#[cfg(test)]
mod tests;
