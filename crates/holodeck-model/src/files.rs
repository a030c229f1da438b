//! What the loader reads through: the binary gives the real files, tests and embedders a map.

mod lines;

use std::{
    collections::BTreeMap,
    fmt::Debug,
    io,
    path::{Component, Path, PathBuf},
};

pub use lines::{Line, Lines};

/// What stands under a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A device, a pipe, a socket.
    Other,
}

/// Read access to files. Paths are as the loader makes them: relative ones are the implementor's to anchor.
pub trait Files: Send + Sync + Debug {
    /// The whole file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Exactly `len` bytes from `offset` on; an error of kind `UnexpectedEof` where the file has fewer.
    fn read_range(&self, path: &Path, offset: u64, len: usize) -> io::Result<Vec<u8>>;
    /// What stands there; an error of kind `NotFound` where nothing does. Links are followed.
    fn kind(&self, path: &Path) -> io::Result<FileKind>;
    /// Length in bytes; an implementation that knows it without reading should say so.
    fn size(&self, path: &Path) -> io::Result<u64> {
        Ok(self.read(path)?.len() as u64)
    }
}

/// Files in memory. A folder exists where a file lies below it; `.` and `..` in paths are resolved by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFiles(BTreeMap<PathBuf, Vec<u8>>);

impl MemoryFiles {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a file there, in place of one that was.
    pub fn insert(&mut self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) {
        self.0.insert(by_name(path.as_ref()), bytes.into());
    }

    fn get(&self, path: &Path) -> io::Result<&[u8]> {
        match self.0.get(&by_name(path)) {
            Some(bytes) => Ok(bytes),
            None if self.kind(path)? == FileKind::Directory => {
                Err(io::Error::from(io::ErrorKind::IsADirectory))
            }
            None => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.get(path).map(<[u8]>::to_vec)
    }

    fn read_range(&self, path: &Path, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let bytes = self.get(path)?;
        usize::try_from(offset)
            .ok()
            .and_then(|start| bytes.get(start..start.checked_add(len)?))
            .map(<[u8]>::to_vec)
            .ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        let path = by_name(path);
        if self.0.contains_key(&path) {
            return Ok(FileKind::File);
        }
        let mut after = self.0.range(path.clone()..);
        if after
            .next()
            .is_some_and(|(file, _)| file.starts_with(&path))
        {
            return Ok(FileKind::Directory);
        }
        Err(io::Error::from(io::ErrorKind::NotFound))
    }

    fn size(&self, path: &Path) -> io::Result<u64> {
        Ok(self.get(path)?.len() as u64)
    }
}

impl<P: AsRef<Path>, B: Into<Vec<u8>>> FromIterator<(P, B)> for MemoryFiles {
    fn from_iter<T: IntoIterator<Item = (P, B)>>(files: T) -> Self {
        let mut all = Self::new();
        for (path, bytes) in files {
            all.insert(path, bytes);
        }
        all
    }
}

fn by_name(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_files_know_their_folders() {
        let files: MemoryFiles = [("a/b.txt", "hello"), ("a-c.txt", "")]
            .into_iter()
            .collect();
        assert_eq!(files.kind(Path::new("./a/")).unwrap(), FileKind::Directory);
        assert_eq!(
            files.kind(Path::new("x/../a/b.txt")).unwrap(),
            FileKind::File
        );
        let missing = files.kind(Path::new("a/b")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        let folder = files.read(Path::new("a")).unwrap_err();
        assert_eq!(folder.kind(), io::ErrorKind::IsADirectory);
    }

    #[test]
    fn a_range_past_the_end_is_an_error() {
        let files: MemoryFiles = [("a", "hello")].into_iter().collect();
        assert_eq!(files.read_range(Path::new("a"), 1, 3).unwrap(), b"ell");
        let past = files.read_range(Path::new("a"), 3, 3).unwrap_err();
        assert_eq!(past.kind(), io::ErrorKind::UnexpectedEof);
        assert!(files.read_range(Path::new("a"), u64::MAX, 3).is_err());
    }
}
