//! From `module.path:function` to a grader, each reference once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use holodeck_grader::Grader;
use holodeck_worker::{Pool, Trouble};
use tokio::sync::OnceCell;

use crate::native::LoadError;
use crate::protocol::{Answer, Failure, Request};
use crate::python::{self, Interpreter};
use crate::remote::{Remote, with_last_words};
use crate::{native, one_line};

/// How long a worker may take to find a grader.
const DEADLINE: Duration = Duration::from_secs(30);

/// Why there is no grader of a reference. In one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// It is not `module.path:function`.
    #[error("`{reference}` is not of the form `module.path:function`")]
    NotAReference {
        /// As it was given.
        reference: String,
    },
    /// A native library and a Python module compete.
    #[error("`{reference}` may be {} or {}: rename one of them", .native.display(), .python.display())]
    Both {
        /// As it was given.
        reference: String,
        /// The one.
        native: PathBuf,
        /// The other.
        python: PathBuf,
    },
    /// A native library is there and can't be used.
    #[error("`{reference}`: {problem}")]
    Native {
        /// As it was given.
        reference: String,
        /// What the linker or the library says.
        problem: String,
    },
    /// Python has no such grader, or failed at it.
    #[error("`{reference}`: {problem} ({python}; looked for in {})", listed(.folders))]
    Python {
        /// As it was given.
        reference: String,
        /// The exception, with its type.
        problem: String,
        /// The interpreter, its version, and where its name came from.
        python: String,
        /// What was put first on the import path.
        folders: Vec<PathBuf>,
    },
    /// No native library is there, and no Python to import with.
    #[error("`{reference}`: no native library in {}, and no Python: {problem} (from {source_of}; set `execution.python` to another)", listed(.folders))]
    NoPython {
        /// As it was given.
        reference: String,
        /// What the start of the interpreter came to.
        problem: String,
        /// Where the interpreter's name came from.
        source_of: &'static str,
        /// Where native libraries were looked for.
        folders: Vec<PathBuf>,
    },
}

fn listed(folders: &[PathBuf]) -> String {
    let folders: Vec<String> = folders.iter().map(|p| p.display().to_string()).collect();
    folders.join(", ")
}

/// What a host looks for graders with.
#[derive(Debug)]
pub(crate) struct Resolver {
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) interpreter: Interpreter,
    pub(crate) python: Arc<Pool>,
    pub(crate) native: Native,
    resolved: Mutex<HashMap<String, Arc<OnceCell<Resolved>>>>,
}

/// What calls native graders.
#[derive(Debug)]
pub(crate) enum Native {
    /// They are not looked for.
    Off,
    Workers(Arc<Pool>),
    InProcess,
}

type Resolved = Result<Arc<dyn Grader>, ResolveError>;

impl Resolver {
    pub(crate) fn new(
        folders: Vec<PathBuf>,
        interpreter: Interpreter,
        python: Pool,
        native: Native,
    ) -> Self {
        Self {
            folders,
            interpreter,
            python: Arc::new(python),
            native,
            resolved: Mutex::default(),
        }
    }

    /// Finds a grader; the second time it only remembers.
    pub(crate) async fn resolve(&self, reference: &str) -> Result<Arc<dyn Grader>, ResolveError> {
        let cell = {
            let mut resolved = self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(resolved.entry(reference.to_owned()).or_default())
        };
        cell.get_or_init(|| self.find(reference)).await.clone()
    }

    async fn find(&self, reference: &str) -> Resolved {
        let Some(module) = module_of(reference) else {
            return Err(ResolveError::NotAReference {
                reference: reference.to_owned(),
            });
        };
        let mut not_graders = Vec::new();
        for folder in &self.folders {
            let library = self
                .native_in(folder, module, reference, &mut not_graders)
                .await;
            let source = python::candidate(folder, module);
            match (library, source) {
                (Some((native, _)), Some(python)) => {
                    return Err(ResolveError::Both {
                        reference: reference.to_owned(),
                        native,
                        python,
                    });
                }
                (Some((_, resolved)), None) => return resolved,
                (None, Some(_)) => break,
                (None, None) => {}
            }
        }
        self.python_grader(reference, &not_graders).await
    }

    /// The file in `folder` that is a library of graders named `module`, and the grader in it, if it works. What is said of files that
    /// are none goes to `not_graders`.
    async fn native_in(
        &self,
        folder: &Path,
        module: &str,
        reference: &str,
        not_graders: &mut Vec<String>,
    ) -> Option<(PathBuf, Resolved)> {
        let file = native::candidates(folder, module).into_iter().next()?;
        let folders = vec![folder.to_owned()];
        let found = match &self.native {
            Native::Off => return None,
            Native::InProcess => Ok(load(module, reference, &folders)),
            Native::Workers(pool) => match ask(pool, reference, &folders).await {
                Ok(answer) => Ok(answer.map(|finding| remote(pool, reference, folders, finding))),
                Err(problem) => Err(problem),
            },
        };
        let problem = match found {
            Ok(Ok(grader)) => return Some((file, Ok(grader))),
            Ok(Err(failure)) if failure.kind == LoadError::NO_LIBRARY => {
                not_graders.push(one_line(&failure.message));
                return None;
            }
            Ok(Err(failure)) => one_line(&failure.message),
            Err(problem) => format!("{}: {problem}", file.display()),
        };
        let error = ResolveError::Native {
            reference: reference.to_owned(),
            problem,
        };
        Some((file, Err(error)))
    }

    async fn python_grader(&self, reference: &str, not_graders: &[String]) -> Resolved {
        let mut problem = match ask(&self.python, reference, &self.folders).await {
            Ok(Ok(finding)) => {
                let folders = self.folders.clone();
                return Ok(remote(&self.python, reference, folders, finding));
            }
            Ok(Err(failure)) => one_line(&format!("{}: {}", failure.kind, failure.message)),
            Err(problem) => problem,
        };
        // Whose author meant it as a library of graders should hear why it is none.
        for told in not_graders {
            problem.push_str("; ");
            problem.push_str(told);
        }
        let reference = reference.to_owned();
        let folders = self.folders.clone();
        Err(match self.python.hello() {
            Some(hello) => ResolveError::Python {
                reference,
                problem,
                python: self.interpreter.described(hello),
                folders,
            },
            None => ResolveError::NoPython {
                reference,
                problem,
                source_of: self.interpreter.source,
                folders,
            },
        })
    }
}

/// A grader of a library in this process.
fn load(module: &str, reference: &str, folders: &[PathBuf]) -> Result<Arc<dyn Grader>, Failure> {
    let function = &reference[module.len() + 1..];
    native::find(folders, module)
        .and_then(|library| library.grader(function))
        .map_err(|error| Failure {
            kind: error.kind().to_owned(),
            message: error.to_string(),
            trace: None,
        })
}

fn remote(
    pool: &Arc<Pool>,
    reference: &str,
    folders: Vec<PathBuf>,
    finding: String,
) -> Arc<dyn Grader> {
    Arc::new(Remote {
        finding,
        pool: Arc::clone(pool),
        reference: reference.to_owned(),
        folders,
    })
}

/// Whether a worker finds a grader: the request that found it, what it answered instead, or in one line why it did not answer.
async fn ask(
    pool: &Pool,
    reference: &str,
    folders: &[PathBuf],
) -> Result<Result<String, Failure>, String> {
    let request = Request {
        id: 0,
        resolve: Some(reference.to_owned()),
        grade: None,
        folders: folders.to_vec(),
        context: None,
    };
    let request = serde_json::to_string(&request).map_err(|error| error.to_string())?;
    let answer = match pool.call(&request, DEADLINE).await {
        Ok(answer) => answer,
        Err(error) => {
            let problem = match &error.trouble {
                Trouble::TimedOut { after } => {
                    format!("its import does not end within {} s", after.as_secs())
                }
                Trouble::NotStarted { .. } => error.to_string(),
                Trouble::Crashed(ended) => {
                    format!(
                        "its import crashed: {}",
                        with_last_words(*ended, &error.output)
                    )
                }
                _ => format!("its import: {error}"),
            };
            return Err(one_line(&problem));
        }
    };
    let answer: Answer = serde_json::from_str(&answer.body)
        .map_err(|error| format!("the worker's answer can't be read: {error}"))?;
    Ok(answer.error.map_or(Ok(request), Err))
}

/// The module of a reference of the form `^[\w.]+:\w+$`.
fn module_of(reference: &str) -> Option<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (module, function) = reference.split_once(':')?;
    let is_reference = !module.is_empty()
        && module.chars().all(|c| is_word(c) || c == '.')
        && !function.is_empty()
        && function.chars().all(is_word);
    is_reference.then_some(module)
}
