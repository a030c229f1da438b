//! Code graders: found before the run, called in it, their workers ended with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use holodeck_grader::Grader;
use holodeck_grader_host::{GraderHost, HostConfig};
use holodeck_model::Diagnostic;
use holodeck_model::graders::Graders as Named;
use holodeck_worker::WorkerCommand;
use tokio::task::JoinSet;

/// The hidden command that native graders run in.
pub(crate) const NATIVE_WORKER: &str = "grader-worker";

/// Graders that are looked for at once; each may need a process of its own.
const AT_ONCE: usize = 4;

/// The graders that were found, by reference.
#[derive(Debug, Default)]
pub(crate) struct Graders {
    /// None where no grader is named: nothing is started then.
    host: Option<Arc<GraderHost>>,
    found: BTreeMap<String, Arc<dyn Grader>>,
}

impl Graders {
    /// Looks for all that are named; an error for every place that names one which can't be had.
    pub(crate) async fn find(named: &Named) -> (Self, Vec<Diagnostic>) {
        let mut waiting = named.references().map(str::to_owned);
        if waiting.len() == 0 {
            return (Self::default(), Vec::new());
        }
        let host = Arc::new(host(&named.folders, named.python.as_deref()));
        let mut found = BTreeMap::new();
        let mut missing = Vec::new();
        let mut looking = JoinSet::new();
        loop {
            for reference in waiting.by_ref().take(AT_ONCE - looking.len()) {
                let host = Arc::clone(&host);
                looking.spawn(async move {
                    let grader = host.resolve(&reference).await;
                    (reference, grader)
                });
            }
            match looking.join_next().await {
                None => break,
                Some(Ok((reference, Ok(grader)))) => {
                    found.insert(reference, grader);
                }
                Some(Ok((reference, Err(error)))) => {
                    missing.extend(named.missing(&reference, &format!("grader {error}")));
                }
                Some(Err(broken)) => std::panic::resume_unwind(broken.into_panic()),
            }
        }
        let host = Some(host);
        (Self { host, found }, missing)
    }

    /// The grader of a reference.
    pub(crate) fn get(&self, reference: &str) -> Option<&Arc<dyn Grader>> {
        self.found.get(reference)
    }

    /// Ends the workers.
    pub(crate) async fn close(&self) {
        if let Some(host) = &self.host {
            host.close().await;
        }
    }
}

/// What finds graders in these folders, with this Python.
pub(crate) fn host(folders: &[PathBuf], python: Option<&Path>) -> GraderHost {
    // The folder of a bare `agent.yaml` is empty.
    let here = |folder: &PathBuf| {
        let is_here = folder.as_os_str().is_empty();
        if is_here { ".".into() } else { folder.clone() }
    };
    let mut config = HostConfig::new(folders.iter().map(here).collect());
    config.python = python.map(Path::to_owned);
    config.virtual_env = std::env::var_os("VIRTUAL_ENV").map(PathBuf::from);
    config.native_worker = std::env::current_exe().ok().map(|program| {
        let mut command = WorkerCommand::new(program);
        command.args = vec![NATIVE_WORKER.into()];
        command
    });
    GraderHost::new(config)
}
