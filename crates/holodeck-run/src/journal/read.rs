//! Reads a journal back: its cases in file order whatever order they finished in, one at a time.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use holodeck_model::outcome::CaseOutcome;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{FirstLine, Footer, Header, VERSION};

/// A journal can't be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system would not.
    #[error("the journal `{}` can't be read: {cause}", .path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// It is something else.
    #[error("`{}` is not a journal: {reason}", .path.display())]
    NotAJournal {
        /// Which file.
        path: PathBuf,
        /// What gave it away.
        reason: String,
    },
    /// It was written by a holodeck of another time.
    #[error("the journal `{}` has version {version} of the format, and this holodeck reads version {VERSION}: use the holodeck that wrote it, or run again", .path.display())]
    OtherVersion {
        /// Which file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// A line other than a torn last one makes no sense.
    #[error("the journal `{}` is damaged at line {line}: {reason}", .path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// A last line that was never written to its end; whatever it was is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TornLine {
    /// Which line, from 1.
    pub line: usize,
    /// Bytes of it that are there.
    pub n_bytes: usize,
}

impl fmt::Display for TornLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the journal's last line ({}) is cut short after {} bytes: the run ended while writing it, and it is left out",
            self.line, self.n_bytes
        )
    }
}

/// A journal that was looked through once: every line is known to be whole JSON, and where each case stands.
#[derive(Debug)]
pub struct JournalReader {
    path: PathBuf,
    file: File,
    header: Header,
    footer: Option<Footer>,
    torn: Option<TornLine>,
    /// In file order of the cases.
    places: Vec<Place>,
}

/// Where a case stands in the journal.
#[derive(Clone, Copy, Debug)]
struct Place {
    index: usize,
    line: usize,
    offset: u64,
    len: usize,
}

impl JournalReader {
    /// Looks a journal through. Takes memory for the longest line and 32 bytes a case.
    ///
    /// # Errors
    ///
    /// See [`ReadError`]. A last line that was cut short is no error, see [`JournalReader::torn`].
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let open = || -> io::Result<File> {
            let file = File::open(path)?;
            if file.metadata()?.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok(file)
        };
        let io_error = |cause| ReadError::Io {
            path: path.to_owned(),
            cause,
        };
        let mut lines = Lines::new(BufReader::with_capacity(1 << 16, open().map_err(io_error)?));
        let header = match lines.next().map_err(io_error)? {
            Some(()) => read_header(path, &lines.text)?,
            None => {
                return Err(ReadError::NotAJournal {
                    path: path.to_owned(),
                    reason: "it is empty".to_owned(),
                });
            }
        };
        let mut places = Vec::new();
        let mut footer = None;
        let mut torn = None;
        while let Some(()) = lines.next().map_err(io_error)? {
            let read = serde_json::from_slice(&lines.text);
            match read {
                Ok(_) if footer.is_some() => {
                    return Err(damaged(path, lines.number, "nothing may follow the footer"));
                }
                Ok(Glimpse::Case(CaseGlimpse { index })) => places.push(Place {
                    index,
                    line: lines.number,
                    offset: lines.offset,
                    len: lines.text.len(),
                }),
                Ok(Glimpse::Footer(read)) => {
                    if read.n_finished != places.len() {
                        let (told, n) = (read.n_finished, places.len());
                        let reason = format!("it counts {told} finished cases, and {n} are here");
                        return Err(damaged(path, lines.number, reason));
                    }
                    footer = Some(read);
                }
                Err(_) if !lines.whole => {
                    torn = Some(TornLine {
                        line: lines.number,
                        n_bytes: lines.text.len(),
                    });
                }
                Err(error) => return Err(damaged(path, lines.number, in_line(&error))),
            }
        }
        places.sort_by_key(|place| place.index);
        Ok(Self {
            path: path.to_owned(),
            file: lines.source.into_inner(),
            header,
            footer,
            torn,
            places,
        })
    }

    /// What was known of the run at its start.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What was known of it at its end; `None` when it was killed or could not write.
    pub fn footer(&self) -> Option<&Footer> {
        self.footer.as_ref()
    }

    /// The last line, if it was cut short: to be told to the user as a warning.
    pub fn torn(&self) -> Option<TornLine> {
        self.torn
    }

    /// Number of finished cases.
    pub fn n_finished(&self) -> usize {
        self.places.len()
    }

    /// Cases that never ran to their end.
    pub fn n_not_run(&self) -> usize {
        self.header.n_cases.saturating_sub(self.places.len())
    }

    /// The finished cases in file order, read one by one. May be called again.
    pub fn cases(&mut self) -> Cases<'_> {
        Cases {
            path: &self.path,
            file: &self.file,
            places: self.places.iter(),
            text: Vec::new(),
        }
    }
}

/// The finished cases of a journal in file order. After an error it goes on with the next case.
#[derive(Debug)]
pub struct Cases<'a> {
    path: &'a Path,
    file: &'a File,
    places: std::slice::Iter<'a, Place>,
    text: Vec<u8>,
}

impl Iterator for Cases<'_> {
    type Item = Result<CaseOutcome, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let place = *self.places.next()?;
        Some(self.read(place))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl Cases<'_> {
    fn read(&mut self, place: Place) -> Result<CaseOutcome, ReadError> {
        let mut read = || {
            self.text.resize(place.len, 0);
            self.file.seek(SeekFrom::Start(place.offset))?;
            self.file.read_exact(&mut self.text)
        };
        read().map_err(|cause| ReadError::Io {
            path: self.path.to_owned(),
            cause,
        })?;
        let line = serde_json::from_slice::<CaseLine>(&self.text);
        line.map(|line| line.case)
            .map_err(|error| damaged(self.path, place.line, in_line(&error)))
    }
}

#[derive(Deserialize)]
struct CaseLine {
    case: CaseOutcome,
}

/// As much of a line as is needed to know where it belongs; the rest is only checked to be JSON.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Glimpse {
    Case(CaseGlimpse),
    Footer(Footer),
}

#[derive(Deserialize)]
struct CaseGlimpse {
    index: usize,
}

fn read_header(path: &Path, text: &[u8]) -> Result<Header, ReadError> {
    let glimpse = serde_json::from_slice::<FirstLine<IgnoredAny>>(text);
    let first = glimpse.map_err(|error| ReadError::NotAJournal {
        path: path.to_owned(),
        reason: format!(
            "its first line does not begin with `{{\"holodeck_journal\":` ({})",
            in_line(&error)
        ),
    })?;
    let version = first.holodeck_journal;
    if version != VERSION {
        return Err(ReadError::OtherVersion {
            path: path.to_owned(),
            version,
        });
    }
    let first = serde_json::from_slice::<FirstLine<Header>>(text);
    first
        .map(|first| first.header)
        .map_err(|error| damaged(path, 1, in_line(&error)))
}

/// The error without the reader's own line number, which is always 1.
fn in_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let (text, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
    format!("{text}, at byte {}", error.column())
}

fn damaged(path: &Path, line: usize, reason: impl fmt::Display) -> ReadError {
    ReadError::Damaged {
        path: path.to_owned(),
        line,
        reason: reason.to_string(),
    }
}

/// Lines of a file with their places; holds one at a time.
struct Lines<R> {
    source: R,
    /// The current line without its line break.
    text: Vec<u8>,
    /// Its number, from 1.
    number: usize,
    /// Where it begins.
    offset: u64,
    /// Whether it ended with a line break.
    whole: bool,
    next_offset: u64,
}

impl<R: BufRead> Lines<R> {
    fn new(source: R) -> Self {
        Self {
            source,
            text: Vec::new(),
            number: 0,
            offset: 0,
            whole: false,
            next_offset: 0,
        }
    }

    fn next(&mut self) -> io::Result<Option<()>> {
        self.text.clear();
        let n_read = self.source.read_until(b'\n', &mut self.text)?;
        self.offset = self.next_offset;
        self.next_offset += n_read as u64;
        self.number += 1;
        self.whole = self.text.pop_if(|byte| *byte == b'\n').is_some();
        Ok((n_read > 0).then_some(()))
    }
}
