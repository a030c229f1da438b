//! The text files of the repository.

use std::path::Path;

use crate::workspace::{Result, root};

/// Folders that are not ours or not committed.
const SKIPPED: &[&str] = &["target", ".git", "results", "__pycache__", ".holodeck"];

/// Endings of what is read as text.
const TEXT: &[&str] = &[
    "rs", "md", "toml", "yaml", "yml", "json", "jsonl", "py", "trycmd", "txt",
];

/// One file.
pub(super) struct File {
    /// From the root, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

impl File {
    /// The last part of its path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
    /// Whether it is Rust.
    pub(super) fn is_rust(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|e| e == "rs")
    }
    /// Whether it holds tests, or programs that only tests and benches run.
    pub(super) fn is_test(&self) -> bool {
        self.name() == "tests.rs"
            || self.path.starts_with("tests/")
            || self.path.contains("/tests/")
            || self.path.contains("/benches/")
    }
}

/// Every text file, sorted by path. A file that is not UTF-8 is a test's input and left out.
pub(super) fn read() -> Result<Vec<File>> {
    let mut files = Vec::new();
    read_folder(root(), "", &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn read_folder(folder: &Path, prefix: &str, files: &mut Vec<File>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() && !SKIPPED.contains(&name.as_str()) {
            read_folder(&entry.path(), &format!("{path}/"), files)?;
        }
        let is_text = name
            .rsplit_once('.')
            .is_some_and(|(_, ending)| TEXT.contains(&ending));
        if kind.is_file()
            && is_text
            && let Ok(text) = std::fs::read_to_string(entry.path())
        {
            files.push(File { path, text });
        }
    }
    Ok(())
}
