//! Writes a journal: a line at once, unbuffered, so that a killed run loses only what had not finished (rule X9).

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use holodeck_model::outcome::CaseOutcome;
use serde::Serialize;

use super::sync::Syncer;
use super::{FirstLine, Footer, Header, Line, VERSION};

/// Takes the secrets out of a finished case (rule L10a), before anybody sees it.
pub type Mask = Box<dyn FnMut(&mut CaseOutcome) + Send>;

/// A journal could not be written.
#[derive(Debug, thiserror::Error)]
#[error("the journal `{}` can't be {doing}: {cause}", .path.display())]
pub struct JournalError {
    /// Which journal.
    pub path: PathBuf,
    /// `created`, `written` or `synced to disk`.
    pub doing: &'static str,
    /// What the system said.
    pub cause: io::Error,
}

/// A journal being written. What is appended is in the system's hands at once, and on disk within a second.
pub struct Journal {
    path: PathBuf,
    file: File,
    mask: Mask,
    syncer: Syncer,
    line: Vec<u8>,
    /// Bytes of whole lines.
    len: u64,
    broken: bool,
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal")
            .field("path", &self.path)
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

impl Journal {
    /// Creates the file, with its folder if need be, and writes the header.
    ///
    /// # Errors
    ///
    /// There is such a file already (a journal is never overwritten), or it can't be written.
    pub fn create(path: &Path, header: &Header, mask: Mask) -> Result<Self, JournalError> {
        let create = || {
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
            if let Some(folder) = folder {
                fs::create_dir_all(folder)?;
            }
            File::create_new(path)
        };
        let file = create().map_err(|cause| JournalError {
            path: path.to_owned(),
            doing: "created",
            cause,
        })?;
        let journal = Self::on(file, path, header, mask).inspect_err(|_| {
            let _ = fs::remove_file(path);
        })?;
        sync_folder(path);
        Ok(journal)
    }

    /// Writes to a file that is open already (a device, a pipe); `path` is for messages.
    ///
    /// # Errors
    ///
    /// The header can't be written.
    pub fn on(file: File, path: &Path, header: &Header, mask: Mask) -> Result<Self, JournalError> {
        let syncer = file.try_clone().and_then(Syncer::start);
        let syncer = syncer.map_err(|cause| JournalError {
            path: path.to_owned(),
            doing: "created",
            cause,
        })?;
        let mut journal = Self {
            path: path.to_owned(),
            file,
            mask,
            syncer,
            line: Vec::new(),
            len: 0,
            broken: false,
        };
        journal.write(&FirstLine {
            holodeck_journal: VERSION,
            header,
        })?;
        Ok(journal)
    }

    /// The path it was created with.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Masks a finished case in place, then writes it. It may be shown once this returned.
    ///
    /// # Errors
    ///
    /// It can't be written, or what was written before could not be synced. The journal takes nothing more then.
    pub fn append(&mut self, case: &mut CaseOutcome) -> Result<(), JournalError> {
        (self.mask)(case);
        self.write(&Line::Case(case))
    }

    /// Writes the footer and syncs everything to disk.
    ///
    /// # Errors
    ///
    /// It can't be written or synced.
    pub fn finish(&mut self, footer: &Footer) -> Result<(), JournalError> {
        self.write(&Line::Footer(footer))?;
        self.syncer
            .finish()
            .map_err(|cause| self.error("synced to disk", cause))
    }

    fn write<L: Serialize>(&mut self, line: &L) -> Result<(), JournalError> {
        if self.broken {
            let cause = io::Error::other("an earlier write failed");
            return Err(self.error("written", cause));
        }
        if let Some(cause) = self.syncer.take_error() {
            self.broken = true;
            return Err(self.error("synced to disk", cause));
        }
        let written = self.write_line(line);
        if let Err(cause) = written {
            self.broken = true;
            // A line that was cut short by a full disk is taken back; a reader would cope with it too.
            let _ = self.file.set_len(self.len);
            return Err(self.error("written", cause));
        }
        self.syncer.mark();
        Ok(())
    }

    fn write_line<L: Serialize>(&mut self, line: &L) -> io::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, line)?;
        self.line.push(b'\n');
        self.file.write_all(&self.line)?;
        self.len += self.line.len() as u64;
        self.line.shrink_to(1 << 20);
        Ok(())
    }

    fn error(&self, doing: &'static str, cause: io::Error) -> JournalError {
        JournalError {
            path: self.path.clone(),
            doing,
            cause,
        }
    }
}

/// Makes the new file's name survive a power cut. Not every system can; the run does not hang on it.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let folder = File::open(folder.unwrap_or(Path::new(".")));
    let _ = folder.and_then(|folder| folder.sync_all());
}
