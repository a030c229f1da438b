//! `cargo xtask codegen`: files that are written from the code and committed, so that they can't go stale.

use crate::workspace::{Result, complain, root, say};

/// What to do with a file that is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Write it.
    Write,
    /// Complain.
    Check,
}

/// `cargo xtask codegen [--check]`
pub(crate) fn run(mode: Mode) -> Result<()> {
    let mut n_stale = 0;
    for (path, text) in files()? {
        let place = root().join(&path);
        if std::fs::read_to_string(&place).is_ok_and(|there| there == text) {
            continue;
        }
        n_stale += 1;
        match mode {
            Mode::Check => complain(&format!("{path} is not what the code says")),
            Mode::Write => {
                if let Some(folder) = place.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                std::fs::write(&place, text)?;
                say(&format!("wrote {path}"));
            }
        }
    }
    if mode == Mode::Check && n_stale > 0 {
        return Err(
            format!("{n_stale} generated files are stale: run `cargo xtask codegen`").into(),
        );
    }
    Ok(())
}

/// Every generated file: path from the root, and what it must hold.
fn files() -> Result<Vec<(String, String)>> {
    Ok(Vec::new())
}
