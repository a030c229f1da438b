//! Native graders: where their libraries lie, how they are called, and the worker that does it out of harm's way.

use std::path::{Path, PathBuf};

mod library;
mod worker;

pub use library::{Library, LoadError};
pub use worker::native_worker_main;

/// What a library's file may end in.
const ENDINGS: &[&str] = &["so", "dylib"];

/// The files in `folder` that may be the library of `module.path`: `module/path.so`, `module/libpath.so`, the same with `.dylib`.
/// A file of such a name may also be something else, a Python extension for example; [`Library::open`] tells.
pub fn candidates(folder: &Path, module: &str) -> Vec<PathBuf> {
    let parts: Vec<&str> = module.split('.').collect();
    let Some((stem, parents)) = parts.split_last() else {
        return Vec::new();
    };
    // `..a` and `a/b` are no module paths, and must not lead out of the folder.
    if parts
        .iter()
        .any(|p| p.is_empty() || p.contains(['/', '\\']))
    {
        return Vec::new();
    }
    let folder = parents
        .iter()
        .fold(folder.to_owned(), |path, part| path.join(part));
    ENDINGS
        .iter()
        .flat_map(|ending| [format!("{stem}.{ending}"), format!("lib{stem}.{ending}")])
        .map(|name| folder.join(name))
        .filter(|path| path.is_file())
        .collect()
}

/// Opens the library of `module.path` in the first of `folders` that has one.
pub fn find(folders: &[PathBuf], module: &str) -> Result<Library, LoadError> {
    let mut not_ours = Vec::new();
    for path in folders.iter().flat_map(|folder| candidates(folder, module)) {
        match Library::open(&path) {
            Err(LoadError::NotGraders { paths }) => not_ours.extend(paths),
            opened => return opened,
        }
    }
    if not_ours.is_empty() {
        return Err(LoadError::NoFile {
            module: module.to_owned(),
            folders: folders.to_vec(),
        });
    }
    Err(LoadError::NotGraders { paths: not_ours })
}

#[cfg(test)]
mod tests;
