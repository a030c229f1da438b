//! Files written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::exit::Exit;
use crate::screen::Screen;

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {source}", .path.display())]
pub(crate) struct WriteError {
    path: PathBuf,
    source: io::Error,
}

/// Writes `path` through a temporary file beside it, synced and renamed; its folders are made. What is no regular file
/// (`/dev/stdout`, a pipe) is written straight.
pub(crate) fn whole(
    path: &Path,
    render: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let written = if is_special(path) {
        straight(path, render)
    } else {
        by_rename(path, render)
    };
    written.map_err(|source| WriteError {
        path: path.to_owned(),
        source,
    })
}

/// Whether `path` could be written, as far as that can be told beforehand: so that no agent is called for a report that has no place.
pub(crate) fn probe(path: &Path) -> Result<(), WriteError> {
    let probed = if path.is_dir() {
        Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "it is a directory",
        ))
    } else if is_special(path) {
        Ok(())
    } else {
        folder_of(path).and_then(new_file_in).map(drop)
    };
    probed.map_err(|source| WriteError {
        path: path.to_owned(),
        source,
    })
}

/// Writes files that are not there yet, their folders too. Where one is there, nothing is written, and `help` is told.
pub(crate) fn new_files(
    dir: &Path,
    files: &[(String, String)],
    help: &str,
    screen: &Screen,
) -> Result<(), Exit> {
    let names = files.iter().map(|(name, _)| name.as_str());
    let there: Vec<&str> = names.filter(|name| dir.join(name).exists()).collect();
    if !there.is_empty() {
        screen.say(&format!(
            "error: `{}` already has {}; nothing was written.\nhelp: {help}",
            dir.display(),
            there.join(" and ")
        ));
        return Err(Exit::Usage);
    }
    for (name, text) in files {
        let path = dir.join(name);
        let write_new = || {
            fs::create_dir_all(path.parent().unwrap_or(dir))?;
            File::create_new(&path)?.write_all(text.as_bytes())
        };
        write_new().map_err(|source| {
            let path = path.clone();
            screen.say(&format!("error: {}", WriteError { path, source }));
            Exit::NotCarriedOut
        })?;
    }
    Ok(())
}

fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir())
}

fn straight(path: &Path, render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(File::options().write(true).open(path)?);
    render(&mut file)?;
    file.flush()
}

fn by_rename(path: &Path, render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let path = followed(path);
    let folder = folder_of(&path)?;
    let file = new_file_in(folder)?;
    // Through the file itself, whose errors do not speak of the temporary name.
    let mut out = BufWriter::with_capacity(1 << 16, file.as_file());
    render(&mut out)?;
    out.flush()?;
    drop(out);
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|e| e.error)?;
    // The rename itself must survive a crash; a folder that can't be opened for that (odd file systems) is no reason to fail.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Where a link leads, so that it stays a link to the new content; also one to a file that is yet to be.
fn followed(path: &Path) -> PathBuf {
    let at_end = |_| match fs::read_link(path) {
        Ok(target) => path.with_file_name("").join(target),
        Err(_) => path.to_owned(),
    };
    fs::canonicalize(path).unwrap_or_else(at_end)
}

fn new_file_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".holodeck-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The kind says it; the rest speaks of a name that nobody gave.
    let made = builder.tempfile_in(folder);
    made.map_err(|error| error.kind().into())
}

fn folder_of(path: &Path) -> io::Result<&Path> {
    let folder = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    match fs::create_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let what = format!("`{}` is no folder", folder.display());
            Err(io::Error::new(io::ErrorKind::NotADirectory, what))
        }
        made => made.map(|()| folder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_when_rendering_fails() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b.json");
        let failed = whole(&path, |_| Err(io::Error::other("no")));
        let told = failed.unwrap_err().to_string();
        assert!(
            told.contains("b.json") && !told.contains(".holodeck-"),
            "{told}"
        );
        assert_eq!(fs::read_dir(dir.path().join("a")).unwrap().count(), 0);
        whole(&path, |w| w.write_all(b"1")).unwrap();
        assert!(whole(&path, |_| Err(io::Error::other("no"))).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"1");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_even_to_a_file_that_is_yet_to_be() {
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink("target", &link).unwrap();
        for content in [b"1", b"2"] {
            whole(&link, |w| w.write_all(content)).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read(dir.path().join("target")).unwrap(), content);
        }
    }

    #[test]
    fn a_directory_is_no_place_for_a_report() {
        let dir = tempfile::tempdir().unwrap();
        assert!(
            probe(dir.path())
                .unwrap_err()
                .to_string()
                .contains("is a directory")
        );
    }
}
