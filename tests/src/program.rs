//! The real program, built once, each run of it under a watchdog.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Longer than any run of a test takes; one that is not over by then hangs.
const LIMIT: Duration = Duration::from_mins(1);

/// The path of the program, built on the first call.
pub fn path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        cargo_build(&["--package", "holodeck"]);
        target().join(format!("debug/holodeck{}", std::env::consts::EXE_SUFFIX))
    })
}

/// Runs `cargo build` with these arguments, at the root.
pub fn cargo_build<S: AsRef<OsStr>>(args: &[S]) {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet"])
        .args(args)
        .current_dir(crate::root())
        .status()
        .expect("cargo starts");
    assert!(built.success(), "a program for the tests does not build");
}

/// Where cargo builds.
pub fn target() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        cargo_metadata::MetadataCommand::new()
            .current_dir(crate::root())
            .no_deps()
            .exec()
            .expect("cargo metadata")
            .target_directory
            .into_std_path_buf()
    })
}

/// A folder of a test's own, in which the program runs with a home of its own and no other variables.
#[derive(Debug)]
pub struct Folder {
    dir: TempDir,
}

/// What a run left.
#[derive(Debug)]
pub struct Run {
    /// Its exit code; `None` where a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
    /// How long it took.
    pub elapsed: Duration,
}

impl Folder {
    /// An empty one.
    pub fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let folder = Self { dir };
        std::fs::create_dir(folder.home()).expect("a home");
        folder
    }
    /// One with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }
    /// Where a file of it is.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.dir.path().join(name)
    }
    /// The home of its runs.
    pub fn home(&self) -> PathBuf {
        self.path("home")
    }
    /// Writes a file, its folders included.
    pub fn write(&self, name: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file is written");
    }
    /// The text of a file.
    pub fn read(&self, name: impl AsRef<Path>) -> String {
        let path = self.path(name);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }
    /// The JSON in a file.
    pub fn json(&self, name: impl AsRef<Path>) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).expect("valid JSON")
    }
    /// The program, ready to be started in this folder.
    pub fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(path());
        command
            .args(args)
            .current_dir(self.dir.path())
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .stdin(Stdio::null());
        command
    }
    /// Runs the program here.
    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Run {
        run(&mut self.command(args))
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}

impl Run {
    /// Fails unless it ended with `code` and no panic was seen.
    #[track_caller]
    pub fn must_exit(&self, code: i32) -> &Self {
        let all = format!("{}\n--- stderr\n{}", self.stdout, self.stderr);
        assert_eq!(self.code, Some(code), "--- stdout\n{all}");
        assert!(!all.contains("panicked at"), "--- stdout\n{all}");
        self
    }
    /// Fails unless stderr says `text`.
    #[track_caller]
    pub fn must_complain(&self, text: &str) -> &Self {
        assert!(
            self.stderr.contains(text),
            "`{text}` is not in:\n{}",
            self.stderr
        );
        self
    }
}

/// Starts a command, takes all it prints, and kills it when it hangs.
pub fn run(command: &mut Command) -> Run {
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    finish(child)
}

/// The end of a command that was started with `stdout` and `stderr` piped, or not at all.
pub fn finish(mut child: Child) -> Run {
    let begun = Instant::now();
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    let (status, stdout, stderr) = std::thread::scope(|scope| {
        let stdout = scope.spawn(|| drain(stdout));
        let stderr = scope.spawn(|| drain(stderr));
        let status = wait(&mut child, begun);
        (status, stdout.join(), stderr.join())
    });
    Run {
        code: status.code(),
        stdout: stdout.expect("reading ends"),
        stderr: stderr.expect("reading ends"),
        elapsed: begun.elapsed(),
    }
}

fn wait(child: &mut Child, begun: Instant) -> ExitStatus {
    loop {
        if let Some(status) = child.try_wait().expect("the program can be waited for") {
            return status;
        }
        if begun.elapsed() > LIMIT {
            child.kill().expect("the program can be killed");
            panic!("the program hangs: not over after {LIMIT:?}");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn drain(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes).expect("a pipe is read");
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
