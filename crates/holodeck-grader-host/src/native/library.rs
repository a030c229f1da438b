//! One opened library, and calls of its graders in this process.
//!
//! A library is code: opening it runs its initialisers, and nothing here protects the process from what it does.

#![expect(
    unsafe_code,
    reason = "code from elsewhere is loaded and called over a C ABI"
)]

use std::fmt::Write;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use holodeck_grader::abi::{self, Bytes, Table};
use holodeck_grader::{BadResult, Graded, Grader, GraderContext, GraderError, GraderResult};
use holodeck_worker::MESSAGE_LIMIT;
use libloading::os::unix::{Library as Handle, RTLD_LOCAL, RTLD_NOW, Symbol};
use serde::Deserialize;

use crate::protocol::Failure;

/// An opened library of graders. It stays loaded until the process ends.
#[derive(Clone, Debug)]
pub struct Library {
    path: Arc<Path>,
    functions: Functions,
    graders: Arc<[String]>,
}

/// Why a library can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// No file of a fitting name lies in the folders.
    #[error("no library `{module}` in {}", listed(.folders))]
    NoFile {
        /// As the reference names it.
        module: String,
        /// Where it was looked for.
        folders: Vec<PathBuf>,
    },
    /// These are libraries, but of no graders.
    #[error("{} does not export `{}`", listed(.paths), abi::SYMBOL)]
    NotGraders {
        /// The files.
        paths: Vec<PathBuf>,
    },
    /// The system's linker refused it.
    #[error("{}: {why}", .path.display())]
    Link {
        /// The file.
        path: PathBuf,
        /// In the linker's words.
        why: String,
    },
    /// It speaks another version of the ABI.
    #[error("{}: speaks version {found} of the graders' ABI, this program version {}: build it with a `holodeck-grader` of this program's time", .path.display(), abi::VERSION)]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// What it tells of itself can't be right.
    #[error("{}: {problem}", .path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// It has no grader of that name.
    #[error("{}: exports no grader `{function}`, only {}", .path.display(), names(.graders))]
    NoGrader {
        /// The file.
        path: PathBuf,
        /// What was asked for.
        function: String,
        /// What there is.
        graders: Vec<String>,
    },
}

impl LoadError {
    /// The [kind](LoadError::kind) of there being none.
    pub(crate) const NO_LIBRARY: &str = "NoLibrary";

    /// As a worker's answer names it.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::NoFile { .. } | Self::NotGraders { .. } => Self::NO_LIBRARY,
            Self::Link { .. } => "LinkError",
            Self::Version { .. } | Self::Malformed { .. } => "AbiError",
            Self::NoGrader { .. } => "NoGrader",
        }
    }
}

fn listed(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
    paths.join(", ")
}

fn names(graders: &[String]) -> String {
    graders.iter().fold(String::new(), |mut text, name| {
        let comma = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{comma}`{name}`");
        text
    })
}

/// The functions of a table, all there.
#[derive(Clone, Copy, Debug)]
struct Functions {
    describe: unsafe extern "C" fn(*mut Bytes) -> i32,
    call: unsafe extern "C" fn(*const u8, usize, *const u8, usize, *mut Bytes) -> i32,
    free: unsafe extern "C" fn(Bytes),
}

impl Library {
    /// Opens a library and asks for its graders.
    ///
    /// This runs code of the library: a wrong one can do anything to this process.
    pub fn open(path: &Path) -> Result<Self, LoadError> {
        // An absolute path, since the linker would look elsewhere for a bare name.
        let path = &std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let functions = functions(path, table(path)?)?;
        Ok(Self {
            path: path.as_path().into(),
            graders: graders(path, functions)?.into(),
            functions,
        })
    }

    /// The names of its graders.
    pub fn graders(&self) -> &[String] {
        &self.graders
    }

    /// One of its graders, to be called in this process.
    ///
    /// A call runs on the thread that awaits it: its deadline can't be kept, its output is not captured, and a grader that crashes
    /// takes the process with it.
    pub fn grader(&self, function: &str) -> Result<Arc<dyn Grader>, LoadError> {
        self.check_has(function)?;
        Ok(Arc::new(InProcess {
            library: self.clone(),
            function: function.to_owned(),
        }))
    }

    pub(crate) fn check_has(&self, function: &str) -> Result<(), LoadError> {
        if self.graders.iter().any(|name| name == function) {
            return Ok(());
        }
        Err(LoadError::NoGrader {
            path: self.path.to_path_buf(),
            function: function.to_owned(),
            graders: self.graders.to_vec(),
        })
    }

    /// Calls a grader with a context in JSON.
    pub(crate) fn call(&self, function: &str, context: &[u8]) -> Result<GraderResult, GraderError> {
        let mut out = Bytes::EMPTY;
        // SAFETY: by the ABI, `call` takes two texts that live for the call and a place to write to.
        let status = unsafe {
            (self.functions.call)(
                function.as_ptr(),
                function.len(),
                context.as_ptr(),
                context.len(),
                &raw mut out,
            )
        };
        let output = Output::new(out, self.functions);
        let output = output.bytes().map_err(BadResult::new)?;
        if output.len() > MESSAGE_LIMIT {
            let (n, limit) = (output.len(), MESSAGE_LIMIT >> 20);
            let message = format!("an answer of {n} bytes, over {limit} MiB");
            return Err(BadResult::new(message).into());
        }
        match status {
            abi::OK => Ok(GraderResult::from_json(output)?),
            abi::BAD_RESULT => Err(BadResult::new(failure(status, output).message).into()),
            status => {
                let failure = failure(status, output);
                Err(GraderError::Raised {
                    kind: failure.kind,
                    message: failure.message,
                    trace: failure.trace,
                })
            }
        }
    }
}

/// What a library tells of a failure: JSON as [`Failure`], or any text.
fn failure(status: i32, output: &[u8]) -> Failure {
    let told = serde_json::from_slice(output).unwrap_or_else(|_| Failure {
        kind: String::new(),
        message: String::from_utf8_lossy(output).into_owned(),
        trace: None,
    });
    if !told.kind.is_empty() {
        return told;
    }
    let kind = match status {
        abi::RAISED | abi::UNKNOWN => "error".to_owned(),
        abi::PANICKED => "panic".to_owned(),
        other => format!("status {other}"),
    };
    Failure { kind, ..told }
}

/// A grader that is called in this process.
#[derive(Debug)]
struct InProcess {
    library: Library,
    function: String,
}

impl Grader for InProcess {
    fn grade<'a>(
        &'a self,
        context: &'a GraderContext,
        _deadline: Duration,
    ) -> Pin<Box<dyn Future<Output = Graded> + Send + 'a>> {
        Box::pin(async move {
            let context = serde_json::to_vec(context).expect("string keys only");
            self.library.call(&self.function, &context).into()
        })
    }
}

/// Loads the library for good and asks for its table.
fn table(path: &Path) -> Result<*const Table, LoadError> {
    // SAFETY: loading runs the library's initialisers; that they are sound is the promise of whoever names it as grader.
    let handle = unsafe { Handle::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
    // Never unloaded: threads and thread-locals of a library may outlast any use of it.
    let handle = ManuallyDrop::new(handle.map_err(|error| not_loaded(path, &error))?);
    // SAFETY: by the ABI, a function of this name has this type.
    let entry: Result<Symbol<unsafe extern "C" fn() -> *const Table>, _> =
        unsafe { handle.get(abi::SYMBOL.as_bytes()) };
    let Ok(entry) = entry else {
        return Err(LoadError::NotGraders {
            paths: vec![path.to_owned()],
        });
    };
    // SAFETY: as above; it takes nothing.
    Ok(unsafe { entry() })
}

/// A library that does not load and does not name our symbol, a Python extension for example, is none of ours.
fn not_loaded(path: &Path, error: &libloading::Error) -> LoadError {
    const LIBRARY_MAGIC: &[&[u8]] = &[
        b"\x7fELF",
        b"\xcf\xfa\xed\xfe",
        b"\xce\xfa\xed\xfe",
        b"\xca\xfe\xba\xbe",
    ];
    let bytes = std::fs::read(path).unwrap_or_default();
    let is_library = LIBRARY_MAGIC.iter().any(|magic| bytes.starts_with(magic));
    let symbol = abi::SYMBOL.as_bytes();
    let names_symbol = || bytes.windows(symbol.len()).any(|window| window == symbol);
    if is_library && !names_symbol() {
        return LoadError::NotGraders {
            paths: vec![path.to_owned()],
        };
    }
    let why = match error {
        libloading::Error::DlOpen { source } => source.to_string(),
        other => other.to_string(),
    };
    // The linker begins with the path, as we do.
    let told = why.strip_prefix(&*path.to_string_lossy()).unwrap_or(&why);
    LoadError::Link {
        path: path.to_owned(),
        why: one_line(told.trim_start_matches([':', ' '])),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks version and size, and only then looks at the rest.
fn functions(path: &Path, table: *const Table) -> Result<Functions, LoadError> {
    let malformed = |problem: String| LoadError::Malformed {
        path: path.to_owned(),
        problem,
    };
    if table.is_null() || !table.is_aligned() {
        return Err(malformed(format!("`{}` gives no table", abi::SYMBOL)));
    }
    // SAFETY: by the ABI, every table of every version begins with these two; they are read without touching the rest.
    let (size, version) = unsafe {
        (
            (&raw const (*table).size).read(),
            (&raw const (*table).version).read(),
        )
    };
    if version != abi::VERSION {
        return Err(LoadError::Version {
            path: path.to_owned(),
            found: version,
        });
    }
    if size < size_of::<Table>() {
        let least = size_of::<Table>();
        return Err(malformed(format!(
            "its table of graders has {size} bytes, fewer than the {least} of this version"
        )));
    }
    // SAFETY: by the ABI, a table of this version and size is whole, and lives as long as the library, which is for good.
    let table = unsafe { &*table };
    match (table.describe, table.call, table.free) {
        (Some(describe), Some(call), Some(free)) => Ok(Functions {
            describe,
            call,
            free,
        }),
        _ => Err(malformed(
            "its table of graders lacks a function".to_owned(),
        )),
    }
}

/// The names that the library tells.
fn graders(path: &Path, functions: Functions) -> Result<Vec<String>, LoadError> {
    #[derive(Deserialize)]
    struct Description {
        graders: Vec<String>,
    }
    let mut out = Bytes::EMPTY;
    // SAFETY: by the ABI, `describe` takes a place to write to.
    let status = unsafe { (functions.describe)(&raw mut out) };
    let output = Output::new(out, functions);
    let told = output.bytes().and_then(|output| match status {
        abi::OK => serde_json::from_slice::<Description>(output)
            .map_err(|e| format!("its list of graders can't be read: {e}")),
        _ => Err(format!("it gives no list of graders: status {status}")),
    });
    match told {
        Ok(description) => Ok(description.graders),
        Err(problem) => Err(LoadError::Malformed {
            path: path.to_owned(),
            problem,
        }),
    }
}

/// What a library wrote; handed back when dropped.
struct Output {
    bytes: Bytes,
    free: unsafe extern "C" fn(Bytes),
}

impl Output {
    fn new(bytes: Bytes, functions: Functions) -> Self {
        Self {
            bytes,
            free: functions.free,
        }
    }

    fn bytes(&self) -> Result<&[u8], String> {
        let Bytes { data, len, .. } = self.bytes;
        match (data.is_null(), isize::try_from(len)) {
            (true, Ok(0)) => Ok(&[]),
            // SAFETY: by the ABI, the library wrote `len` bytes there, and keeps them until `free`.
            (false, Ok(_)) => Ok(unsafe { std::slice::from_raw_parts(data, len) }),
            _ => Err(format!("an answer of {len} bytes that are nowhere")),
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        let bytes = std::mem::replace(&mut self.bytes, Bytes::EMPTY);
        // SAFETY: by the ABI, what the library wrote goes back to it once.
        unsafe { (self.free)(bytes) };
    }
}
