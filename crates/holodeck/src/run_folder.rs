//! Where runs are kept: `results/<slug>/<run id>/journal.jsonl`, and beside the folder the run file `<run id>.json`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const JOURNAL: &str = "journal.jsonl";

/// The places of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunFolder {
    folder: PathBuf,
}

/// A run that can't be found.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotFound {
    #[error("there is nothing at `{}`", .0.display())]
    Nothing(PathBuf),
    #[error("`{}` has no journal beside it (`{}`): only a run of this program can be rendered again", .file.display(), .journal.display())]
    NoJournal { file: PathBuf, journal: PathBuf },
    #[error("there is no run in `{}`", .0.display())]
    NoRun(PathBuf),
    #[error("cannot read `{}`: {source}", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}

impl RunFolder {
    /// A folder for a run that starts now, named after its start; where two start in one microsecond, the second gets a suffix.
    pub(crate) fn create(results: &Path, slug: &str, started_at: &str) -> io::Result<Self> {
        let parent = results.join(slug);
        fs::create_dir_all(&parent)?;
        let stem = started_at.replace(':', "-");
        for n in 1.. {
            let id = if n == 1 {
                stem.clone()
            } else {
                format!("{stem}-{n}")
            };
            let folder = parent.join(id);
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(Self { folder }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && n < 1000 => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Takes the folder away again where nothing came into it.
    pub(crate) fn discard(&self) {
        let _ = fs::remove_dir(&self.folder);
    }

    /// What the run is called.
    pub(crate) fn id(&self) -> String {
        self.folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    /// Its journal.
    pub(crate) fn journal(&self) -> PathBuf {
        self.folder.join(JOURNAL)
    }

    /// Its run file.
    pub(crate) fn run_file(&self) -> PathBuf {
        let mut name = self.folder.file_name().unwrap_or_default().to_owned();
        name.push(".json");
        self.folder.with_file_name(name)
    }
}

/// The journal of the run meant by `path`: a journal, a run's folder, a run file, or a folder of runs, of one agent or of all (the newest of them).
pub(crate) fn find_journal(path: &Path) -> Result<PathBuf, NotFound> {
    let unreadable = |source| NotFound::Unreadable {
        path: path.to_owned(),
        source,
    };
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(NotFound::Nothing(path.to_owned()))
        }
        Err(error) => Err(unreadable(error)),
        Ok(kind) if kind.is_dir() => {
            if path.join(JOURNAL).is_file() {
                return Ok(path.join(JOURNAL));
            }
            let in_it = fs::read_dir(path).map_err(unreadable)?;
            let below = |entry: io::Result<fs::DirEntry>| entry.ok().map(|e| e.path());
            let runs = in_it.filter_map(below).flat_map(|folder| {
                // The runs of one agent, or those of all.
                let deeper = fs::read_dir(&folder).into_iter().flatten();
                deeper.filter_map(below).chain([folder])
            });
            let runs = runs.filter(|run| run.join(JOURNAL).is_file());
            // Run ids begin with their time, so the greatest is the newest.
            let newest = runs.max_by(|a, b| a.file_name().cmp(&b.file_name()));
            let newest = newest.ok_or_else(|| NotFound::NoRun(path.to_owned()))?;
            Ok(newest.join(JOURNAL))
        }
        Ok(_) if path.extension().is_some_and(|e| e == "json") => {
            let journal = path.with_extension("").join(JOURNAL);
            if journal.is_file() {
                Ok(journal)
            } else {
                Err(NotFound::NoJournal {
                    file: path.to_owned(),
                    journal,
                })
            }
        }
        Ok(_) => Ok(path.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_found_by_each_of_its_names() {
        let dir = tempfile::tempdir().unwrap();
        let old = RunFolder::create(dir.path(), "a", "2026-12-01T02:47:11.632825+00:00").unwrap();
        let new = RunFolder::create(dir.path(), "a", "2026-12-01T02:47:11.632825+00:00").unwrap();
        assert_ne!(old, new);
        for run in [&old, &new] {
            fs::write(run.journal(), "").unwrap();
            fs::write(run.run_file(), "").unwrap();
            assert_eq!(find_journal(&run.run_file()).unwrap(), run.journal());
            assert_eq!(find_journal(&run.folder).unwrap(), run.journal());
            assert_eq!(find_journal(&run.journal()).unwrap(), run.journal());
        }
        assert_eq!(find_journal(&dir.path().join("a")).unwrap(), new.journal());
        let newest =
            RunFolder::create(dir.path(), "0", "2026-12-02T02:47:11.632825+00:00").unwrap();
        fs::write(newest.journal(), "").unwrap();
        assert_eq!(find_journal(dir.path()).unwrap(), newest.journal());
        let empty = tempfile::tempdir().unwrap();
        assert!(matches!(
            find_journal(empty.path()),
            Err(NotFound::NoRun(_))
        ));
        assert!(matches!(
            find_journal(&dir.path().join("b")),
            Err(NotFound::Nothing(_))
        ));
    }
}
