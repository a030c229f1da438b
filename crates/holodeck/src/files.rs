//! The real file system, for the loader.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use holodeck_model::files::{FileKind, Files};

/// No file that is read whole may be larger: what is larger was not meant.
const MOST_BYTES: u64 = 2 << 30;
/// The same for pipes and devices, which may never end.
const MOST_BYTES_OF_A_PIPE: u64 = 64 << 20;

/// Reads what is on disk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        let kind = file.metadata()?;
        if kind.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let most = if kind.is_file() {
            MOST_BYTES
        } else {
            MOST_BYTES_OF_A_PIPE
        };
        let mut bytes = Vec::new();
        file.by_ref().take(most).read_to_end(&mut bytes)?;
        if bytes.len() as u64 == most {
            let reason = format!("it is larger than {} MiB", most >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
        }
        Ok(bytes)
    }

    fn read_range(&self, path: &Path, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = vec![0; len];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        let kind = fs::metadata(path)?;
        Ok(if kind.is_file() {
            FileKind::File
        } else if kind.is_dir() {
            FileKind::Directory
        } else {
            FileKind::Other
        })
    }

    fn size(&self, path: &Path) -> io::Result<u64> {
        Ok(fs::metadata(path)?.len())
    }
}
