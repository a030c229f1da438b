//! The scripted agent: replies from a file, with no key and no network.
//!
//! A YAML or JSON file is kept as it was read. A JSONL file (a case a line, for large suites) is checked once, line by
//! line, and only the place of each line is kept; a case's line is read again when its session opens.
//!
//! The file's text is taken as it stands: `${NAME}` is not replaced, arguments and results keep their numerals.

mod decode;
mod fill;
mod jsonl;
mod play;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use holodeck_model::diagnostic::Diagnostic;
use holodeck_model::files::{Files, Line};
use holodeck_model::plan::CasePlan;
use holodeck_run::ports::{Backend, OpenError, Session};

use jsonl::Index;
use play::{Playing, Script, Turn, Turns};

/// An agent that says what a file tells it to.
#[derive(Debug)]
pub struct Scripted {
    /// The file as messages name it.
    name: String,
    scripts: Scripts,
    /// What cases that are not named play.
    default: Option<Arc<[Turn]>>,
}

#[derive(Debug)]
enum Scripts {
    InMemory(BTreeMap<String, Script>),
    InFile {
        files: Arc<dyn Files>,
        path: PathBuf,
        index: Index,
    },
}

impl Scripted {
    /// Reads and checks a scripted file; JSONL where `path` ends in `.jsonl`, JSON in `.json`, else YAML.
    /// `name` is what messages call the file. Every mistake is reported with its place.
    pub fn load(path: &Path, name: &str, files: Arc<dyn Files>) -> Result<Self, Vec<Diagnostic>> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("jsonl")) {
            let index = jsonl::index(&*files, path, name)?;
            return Ok(Self {
                name: name.to_owned(),
                scripts: Scripts::InFile {
                    files,
                    path: path.to_owned(),
                    index,
                },
                default: None,
            });
        }
        let (scripts, default) = decode::file(&*files, path, name)?;
        Ok(Self {
            name: name.to_owned(),
            scripts: Scripts::InMemory(scripts),
            default: default.map(Into::into),
        })
    }

    /// The script of a case, by its position (`#3` is the fourth case of the file) or its name.
    async fn script(&self, case: &CasePlan) -> Result<Option<Script>, OpenError> {
        let position = format!("#{}", case.index);
        let name = case.name.as_deref();
        match &self.scripts {
            Scripts::InMemory(scripts) => Ok(scripts
                .get(&position)
                .or_else(|| scripts.get(name?))
                .cloned()),
            Scripts::InFile { files, path, index } => {
                let line = index
                    .get(position.as_str())
                    .or_else(|| index.get(name?))
                    .copied();
                match line {
                    None => Ok(None),
                    Some(line) => self.read_again(files, path, line).await.map(Some),
                }
            }
        }
    }

    async fn read_again(
        &self,
        files: &Arc<dyn Files>,
        path: &Path,
        line: Line,
    ) -> Result<Script, OpenError> {
        let (files, path, name) = (Arc::clone(files), path.to_owned(), self.name.clone());
        let read =
            tokio::task::spawn_blocking(move || jsonl::read_again(&*files, &path, &name, line));
        match read.await {
            Ok(Ok(script)) => Ok(script),
            Ok(Err(why)) => Err(OpenError { message: why }),
            Err(stopped) => Err(OpenError {
                message: format!("reading `{}` was stopped: {stopped}", self.name),
            }),
        }
    }

    /// What is said on every turn of a case that has no script.
    fn missing(&self, case: &CasePlan) -> String {
        let key = match &case.name {
            Some(name) => format!("`{name}` or `#{}`", case.index),
            None => format!("`#{}`", case.index),
        };
        match &self.scripts {
            Scripts::InMemory(_) => format!(
                "`{}` has no script for this case: add {key} under `cases`, or a `default`",
                self.name
            ),
            Scripts::InFile { .. } => {
                format!(
                    "`{}` has no script for this case: add a line with `case` {key}",
                    self.name
                )
            }
        }
    }
}

#[async_trait]
impl Backend for Scripted {
    async fn open(&self, case: &CasePlan) -> Result<Box<dyn Session>, OpenError> {
        let turns = match (self.script(case).await?, &self.default) {
            (Some(Script::OpenError(message)), _) => return Err(OpenError { message }),
            (Some(Script::Turns(turns)), _) => Turns::Own(turns),
            (None, Some(turns)) => Turns::Default(Arc::clone(turns)),
            (None, None) => Turns::Missing(self.missing(case)),
        };
        Ok(Box::new(Playing {
            turns,
            file: self.name.clone(),
            case: case.label(),
        }))
    }
}

#[cfg(test)]
mod tests;
