//! Who answers: chosen here from `--agent` and agent.yaml, and nowhere else.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use holodeck_agent::tools::NoTools;
use holodeck_agent::{
    AgentSpec, BadEndpoint, CommandAgent, HttpAgent, ModelService, NotAsked, Scripted,
};
use holodeck_model::config::{Config, Secret};
use holodeck_model::diagnostic::Diagnostic;
use holodeck_model::mask::Masker;
use holodeck_run::ports::Backend;

use crate::load::disk;

/// Who answers.
pub(crate) struct Agent {
    pub(crate) backend: Arc<dyn Backend>,
    /// In words, without secrets.
    pub(crate) name: String,
    /// The same as `backend`, where it is a model service: `check --live` asks it.
    pub(crate) service: Option<Arc<ModelService>>,
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Agent").field(&self.name).finish()
    }
}

/// The agent that `--agent` names, else the one of agent.yaml. `None` where it has mistakes, which `diagnostics` tell, or where nobody here can be asked,
/// which the configuration's needs tell.
pub(crate) fn choose(
    spec: Option<AgentSpec>,
    config: Option<&Config>,
    agent_yaml: &Path,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Agent> {
    // Files of turns are relative to agent.yaml, whoever answers.
    let folder = agent_yaml.parent().unwrap_or(Path::new(""));
    let masker = || config.map(Config::masker).unwrap_or_default();
    match spec {
        Some(AgentSpec::Scripted(file)) => scripted(&file, diagnostics),
        Some(AgentSpec::Command(words)) => Some(command(words, PathBuf::new(), folder, masker())),
        Some(AgentSpec::Http(url)) => http(&url, None, (folder, masker()), diagnostics),
        None => {
            let config = config?;
            let model = config.model();
            match model.provider.as_str() {
                "command" => Some(command(
                    model.command.clone(),
                    folder.to_owned(),
                    folder,
                    masker(),
                )),
                "http" => {
                    let key = model.api_key.as_ref().map(Secret::expose);
                    http(
                        model.endpoint.as_deref()?,
                        key,
                        (folder, masker()),
                        diagnostics,
                    )
                }
                "scripted" => scripted(&config.scripted_file()?, diagnostics),
                _ => live(config, diagnostics),
            }
        }
    }
}

/// The code of the mistake that is none for `check`, which asks for no keys (rule L1).
pub(crate) const NO_KEY: &str = "no-api-key";
/// The code of a model that can't be asked as its settings are, which `check` notes and `test` refuses.
pub(crate) const NOT_ASKED: &str = "model-not-asked";

fn live(config: &Config, diagnostics: &mut Vec<Diagnostic>) -> Option<Agent> {
    match ModelService::new(config, Box::new(NoTools)) {
        Ok(service) => {
            let service = Arc::new(service);
            Some(Agent {
                name: service.name().to_owned(),
                backend: Arc::clone(&service) as Arc<dyn Backend>,
                service: Some(service),
            })
        }
        // The configuration's needs tell of it.
        Err(NotAsked::NoService(_)) => None,
        Err(error) => {
            let code = match error {
                NotAsked::NoKey { .. } => NO_KEY,
                _ => NOT_ASKED,
            };
            let mut diagnostic = Diagnostic::error(code, error.to_string());
            error.path().clone_into(&mut diagnostic.path);
            diagnostic.hint = error.hint();
            diagnostics.push(diagnostic);
            None
        }
    }
}

fn scripted(file: &Path, diagnostics: &mut Vec<Diagnostic>) -> Option<Agent> {
    let name = file.display().to_string();
    let loaded = Scripted::load(file, &name, disk());
    let backend = loaded.map_err(|found| diagnostics.extend(found)).ok()?;
    Some(Agent {
        backend: Arc::new(backend),
        name: format!("scripted:{name}"),
        service: None,
    })
}

fn command(words: Vec<String>, folder: PathBuf, files_in: &Path, masker: Masker) -> Agent {
    let name = format!("command:{}", words.join(" "));
    Agent {
        backend: Arc::new(CommandAgent::new(
            words,
            folder,
            files_in.to_owned(),
            masker,
        )),
        name,
        service: None,
    }
}

fn http(
    endpoint: &str,
    key: Option<&str>,
    (files_in, masker): (&Path, Masker),
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Agent> {
    match HttpAgent::new(endpoint, key, files_in.to_owned(), masker) {
        Ok(agent) => Some(Agent {
            name: format!("http:{}", agent.shown()),
            service: None,
            backend: Arc::new(agent),
        }),
        Err(error) => {
            let (code, path) = match error {
                BadEndpoint::NoClient(_) => ("no-connection", "model.provider"),
                BadEndpoint::BadKey => ("bad-key", "model.api_key"),
                BadEndpoint::NoAddress { .. } | BadEndpoint::Credentials => {
                    ("bad-endpoint", "model.endpoint")
                }
            };
            let mut diagnostic = Diagnostic::error(code, error.to_string());
            path.clone_into(&mut diagnostic.path);
            diagnostics.push(diagnostic);
            None
        }
    }
}
