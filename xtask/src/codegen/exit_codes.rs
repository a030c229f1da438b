//! docs/reference/exit-codes.md: the doc comments of the program's exit codes.

use super::GENERATED;
use crate::workspace::{Result, root};

const SOURCE: &str = "crates/holodeck/src/exit.rs";

pub(super) fn page() -> Result<String> {
    let source = std::fs::read_to_string(root().join(SOURCE))?;
    let lines = source.lines().map(str::trim);
    let mut codes: Vec<(u8, &str)> = lines
        .filter_map(|line| line.strip_prefix("/// ")?.split_once(": "))
        .filter_map(|(code, meaning)| Some((code.parse().ok()?, meaning)))
        .collect();
    if codes.is_empty() {
        return Err(format!("{SOURCE} has no doc comments like `/// 0: meaning.`").into());
    }
    let order: Vec<String> = codes.iter().map(|(code, _)| code.to_string()).collect();
    let order = order.join(", ");
    codes.sort_unstable();
    let mut page = format!("{GENERATED}\n# Exit codes\n\n| code | meaning |\n|---|---|\n");
    for (code, meaning) in codes {
        page += &row(code, meaning);
    }
    page += "\nWhere several apply, the first of this list is used: ";
    page += &order;
    page += ".\n";
    Ok(page)
}

fn row(code: u8, meaning: &str) -> String {
    format!("| {code} | {meaning} |\n")
}
