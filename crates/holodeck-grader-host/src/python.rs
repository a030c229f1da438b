//! The Python worker: which interpreter, and the sources it is fed with.

use std::path::{Path, PathBuf};

use holodeck_worker::WorkerCommand;
use serde::Deserialize;

/// What an interpreter is started with: the smallest part, which reads the rest from its pipe.
const BOOTSTRAP: &str = include_str!("../python/bootstrap.py");

/// The rest, under the names that the bootstrap and the worker know.
const FILES: &[(&str, &str)] = &[
    ("worker.py", include_str!("../python/worker.py")),
    (
        "holodeck/__init__.py",
        include_str!("../python/holodeck/__init__.py"),
    ),
    (
        "holodeck/lib/__init__.py",
        include_str!("../python/holodeck/lib/__init__.py"),
    ),
    (
        "holodeck/lib/test_runner/__init__.py",
        include_str!("../python/holodeck/lib/test_runner/__init__.py"),
    ),
    (
        "holodeck/lib/test_runner/code_grader.py",
        include_str!("../python/holodeck/lib/test_runner/code_grader.py"),
    ),
];

/// An interpreter and why it was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Interpreter {
    pub(crate) program: PathBuf,
    pub(crate) source: &'static str,
}

impl Interpreter {
    /// `configured`, else that of the active virtual environment, else `.venv` in `folder`, else `python3` in `PATH`.
    pub(crate) fn choose(
        configured: Option<&Path>,
        virtual_env: Option<&Path>,
        folder: Option<&Path>,
    ) -> Self {
        if let Some(program) = configured {
            return Self {
                program: located(program, folder),
                source: "execution.python",
            };
        }
        let in_env = virtual_env
            .filter(|path| !path.as_os_str().is_empty())
            .map(|path| (path.join("bin/python"), "VIRTUAL_ENV"));
        let beside = folder.map(|path| (path.join(".venv/bin/python"), ".venv beside agent.yaml"));
        in_env
            .into_iter()
            .chain(beside)
            .find(|(program, _)| program.is_file())
            .map_or_else(
                || Self {
                    program: PathBuf::from("python3"),
                    source: "PATH",
                },
                |(program, source)| Self { program, source },
            )
    }

    /// For messages, after the `hello` of its worker: `Python 3.11.7, /usr/bin/python3, from PATH`.
    pub(crate) fn described(&self, hello: &str) -> String {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Hello {
            version: String,
            executable: Option<String>,
        }
        let Hello {
            version,
            executable,
        } = serde_json::from_str(hello).unwrap_or_default();
        let executable = executable.unwrap_or_else(|| self.program.display().to_string());
        format!("Python {version}, {executable}, from {}", self.source)
    }

    /// Starts the worker in it.
    pub(crate) fn command(&self) -> WorkerCommand {
        let mut command = WorkerCommand::new(&self.program);
        // UTF-8 whatever the locale says, and where it was when it crashed.
        let options = ["-X", "utf8", "-X", "faulthandler", "-c", BOOTSTRAP];
        command.args = options.into_iter().map(Into::into).collect();
        command.preamble = preamble();
        command
    }
}

/// A path with a folder in it is relative to agent.yaml's, a bare name is looked up in `PATH`.
fn located(program: &Path, folder: Option<&Path>) -> PathBuf {
    match folder {
        Some(folder) if program.components().count() > 1 => folder.join(program),
        _ => program.to_owned(),
    }
}

fn preamble() -> Vec<u8> {
    let mut bytes = Vec::new();
    for (path, text) in FILES {
        bytes.extend_from_slice(format!("{} {path}\n{text}", text.len()).as_bytes());
    }
    bytes.push(b'\n');
    bytes
}

/// The file or folder in `folder` that makes `module.path` importable from there; a folder without `__init__.py` does not count, since
/// anything may be one.
pub(crate) fn candidate(folder: &Path, module: &str) -> Option<PathBuf> {
    let stem = folder.join(module.replace('.', "/"));
    let module = PathBuf::from(format!("{}.py", stem.display()));
    [stem.join("__init__.py"), module]
        .into_iter()
        .find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_interpreter_that_is_there_is_taken() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let choose = |configured: Option<&str>, env: Option<&str>| {
            let env = env.map(|env| root.join(env));
            let chosen = Interpreter::choose(configured.map(Path::new), env.as_deref(), Some(root));
            let program = chosen.program.strip_prefix(root).unwrap_or(&chosen.program);
            (program.display().to_string(), chosen.source)
        };
        let put = |path: &str| {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), "").unwrap();
        };
        assert_eq!(choose(None, Some("env")), ("python3".to_owned(), "PATH"));
        put(".venv/bin/python");
        assert_eq!(
            choose(None, Some("env")),
            (".venv/bin/python".to_owned(), ".venv beside agent.yaml")
        );
        put("env/bin/python");
        assert_eq!(
            choose(None, Some("env")),
            ("env/bin/python".to_owned(), "VIRTUAL_ENV")
        );
        let named = choose(Some("python3.12"), Some("env"));
        assert_eq!(named, ("python3.12".to_owned(), "execution.python"));
        let below = choose(Some("tools/python"), None);
        assert_eq!(below, ("tools/python".to_owned(), "execution.python"));
    }
}
