//! `cargo xtask tidy`: what the compiler and clippy can't see. Also a test, so that `cargo test --workspace` finds it.
//!
//! To add a rule: a function that pushes complaints, each saying where and what to do, and a call in [`complaints`].

use crate::workspace::{Result, complain};

mod layers;
mod sources;
mod texts;
mod tree;

/// `cargo xtask tidy`
pub(crate) fn run() -> Result<()> {
    let complaints = complaints()?;
    for complaint in &complaints {
        complain(complaint);
    }
    match complaints.len() {
        0 => Ok(()),
        1 => Err("tidy: 1 complaint".into()),
        n => Err(format!("tidy: {n} complaints").into()),
    }
}

fn complaints() -> Result<Vec<String>> {
    let files = tree::read()?;
    let mut complaints = Vec::new();
    layers::check(&mut complaints)?;
    sources::check(&files, &mut complaints);
    texts::check(&files, &mut complaints);
    Ok(complaints)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_repository_is_tidy() {
        let complaints = super::complaints().unwrap();
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }
}
