//! `cargo xtask dist`: the program as it is released.
//!
//! A panic must unwind in it: a broken case is caught and reported while the others go on.

use crate::workspace::{Result, build_holodeck, root, say};

/// `cargo xtask dist`
pub(crate) fn run() -> Result<()> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml"))?;
    let aborts = |line: &str| {
        let line: String = line.split_whitespace().collect();
        line.starts_with("panic=\"abort\"")
    };
    if manifest.lines().any(aborts) {
        return Err("a profile in Cargo.toml aborts on panic: one bad case would end the whole run; take `panic = \"abort\"` out".into());
    }
    let program = build_holodeck("dist")?;
    let bytes = std::fs::metadata(&program)?.len();
    let shown = program.strip_prefix(root()).unwrap_or(&program).display();
    say(&format!("{shown}: {bytes} bytes"));
    Ok(())
}
