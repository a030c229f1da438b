//! The front door: where graders are looked for, and the workers they run in.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use holodeck_grader::Grader;
use holodeck_worker::{Pool, WorkerCommand};

use crate::protocol::HELLO;
use crate::python::Interpreter;
use crate::resolve::{Native, ResolveError, Resolver};

/// Where graders are looked for and what runs them.
#[derive(Debug, Clone)]
pub struct HostConfig {
    /// The folders to look in, in order; the first is where a `.venv` may lie. Relative ones are relative to the current folder.
    pub folders: Vec<PathBuf>,
    /// The Python interpreter: a name to be looked up in `PATH`, or a path, relative to the first folder. Default: that of
    /// [`HostConfig::virtual_env`], else that of a `.venv` in the first folder, else `python3`.
    pub python: Option<PathBuf>,
    /// The active virtual environment, which is the value of `VIRTUAL_ENV`.
    pub virtual_env: Option<PathBuf>,
    /// A command that calls [`native_worker_main`](crate::native_worker_main). Without one, native graders are not looked for.
    pub native_worker: Option<WorkerCommand>,
    /// Load native libraries into this process instead. A call then takes microseconds, and nothing protects this process: see
    /// [`Library::grader`](crate::native::Library::grader). Default: false.
    pub native_in_process: bool,
    /// Most workers at once, for each language. Default: 32. Calls beyond that wait, and their deadlines with them.
    pub limit: NonZeroUsize,
}

impl HostConfig {
    /// Python graders in `folders`, with the defaults.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self {
            folders,
            python: None,
            virtual_env: None,
            native_worker: None,
            native_in_process: false,
            limit: NonZeroUsize::new(32).unwrap_or(NonZeroUsize::MIN),
        }
    }
}

/// Finds graders and runs them in workers, which start on first need. Needs a tokio runtime with time and IO.
#[derive(Debug)]
pub struct GraderHost {
    resolver: Resolver,
}

impl GraderHost {
    /// A host without workers.
    pub fn new(config: HostConfig) -> Self {
        let folders: Vec<PathBuf> = config
            .folders
            .into_iter()
            .map(|folder| std::path::absolute(&folder).unwrap_or(folder))
            .collect();
        let interpreter = Interpreter::choose(
            config.python.as_deref(),
            config.virtual_env.as_deref(),
            folders.first().map(PathBuf::as_path),
        );
        let python = Pool::new(interpreter.command(), HELLO, config.limit);
        let native = match config.native_worker {
            _ if config.native_in_process => Native::InProcess,
            Some(command) => Native::Workers(Arc::new(Pool::new(command, HELLO, config.limit))),
            None => Native::Off,
        };
        Self {
            resolver: Resolver::new(folders, interpreter, python, native),
        }
    }

    /// Finds a grader and imports or loads it. Each reference is looked for once; later calls give the same answer.
    ///
    /// In each folder, in order: a native library, `module/path.so` or `module/libpath.so` (`.dylib`), that exports our ABI; a Python
    /// module or package. Where no folder has either, Python's import has the last word.
    ///
    /// # Errors
    /// See [`ResolveError`].
    pub async fn resolve(&self, reference: &str) -> Result<Arc<dyn Grader>, ResolveError> {
        self.resolver.resolve(reference).await
    }

    /// Ends all workers and what they left behind. Calls that are being made end as usual; later ones are not run.
    pub async fn close(&self) {
        let native = async {
            if let Native::Workers(native) = &self.resolver.native {
                native.close().await;
            }
        };
        tokio::join!(self.resolver.python.close(), native);
    }
}
