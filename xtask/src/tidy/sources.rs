//! Rust files: how long, how they begin, what they are called, and nothing unfinished in them.

use super::tree::File;

/// Lines of code, tests not counted, at which a file must be split.
const CODE_LIMIT: usize = 600;
/// The same for a crate's front door.
const LIB_LIMIT: usize = 150;
/// The same for a program's front door.
const MAIN_LIMIT: usize = 120;
/// The same for a file of tests.
const TEST_LIMIT: usize = 1_000;

/// Files that may be longer, each with the reason.
const LONGER: &[(&str, &str)] = &[];

/// Names that say nothing.
const BANNED: &[&str] = &[
    "utils", "helpers", "common", "misc", "types", "imp", "core", "manager", "errors",
];

/// The one place that may name the YAML parser.
const YAML_PARSER: (&str, &str) = ("granit_parser", "crates/holodeck-model/src/yaml");

/// Where `unsafe` may stand: at the boundary to libraries of graders, on both sides.
const UNSAFE: &[&str] = &[
    "crates/holodeck-grader/src/abi.rs",
    "crates/holodeck-grader/src/export.rs",
    "crates/holodeck-grader-host/src/native/library.rs",
    "crates/holodeck-grader-host/src/native/worker.rs",
];

/// Complains about Rust files.
pub(super) fn check(files: &[File], complaints: &mut Vec<String>) {
    for file in files.iter().filter(|file| file.is_rust()) {
        check_name(file, complaints);
        check_opening(file, complaints);
        check_size(file, complaints);
        check_leftovers(file, complaints);
    }
}

fn check_name(file: &File, complaints: &mut Vec<String>) {
    let path = &file.path;
    for part in path.trim_end_matches(".rs").split('/') {
        if BANNED.contains(&part) {
            complaints.push(format!(
                "{path}: `{part}` says nothing; name it after the idea it owns"
            ));
        }
    }
    if file.name() == "mod.rs" {
        complaints.push(format!("{path}: write `folder.rs` beside `folder/`"));
    }
}

fn check_opening(file: &File, complaints: &mut Vec<String>) {
    if file.name() != "tests.rs" && !file.text.starts_with("//!") {
        complaints.push(format!(
            "{}: begins without `//!`: say what the file is for",
            file.path
        ));
    }
}

fn check_size(file: &File, complaints: &mut Vec<String>) {
    let limit = match file.name() {
        _ if file.is_test() => TEST_LIMIT,
        "lib.rs" => LIB_LIMIT,
        "main.rs" => MAIN_LIMIT,
        _ => CODE_LIMIT,
    };
    let n = code(file)
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count();
    let is_table = file
        .text
        .lines()
        .next()
        .is_some_and(|line| line.contains("A pure table"));
    let allowed = LONGER.iter().any(|(path, _)| *path == file.path);
    if n > limit && !is_table && !allowed {
        complaints.push(format!(
            "{}: {n} lines of code, {limit} is the limit: split it along an idea",
            file.path
        ));
    }
}

fn check_leftovers(file: &File, complaints: &mut Vec<String>) {
    let path = &file.path;
    let (parser, home) = YAML_PARSER;
    if !path.starts_with(home) && !path.starts_with("xtask/") && file.text.contains(parser) {
        complaints.push(format!("{path}: only {home} may name {parser}"));
    }
    if file.is_test() {
        return;
    }
    let may_be_unsafe = UNSAFE.contains(&path.as_str()) || path.starts_with("xtask/");
    for (i, line) in code(file).enumerate() {
        if !may_be_unsafe && line.contains("unsafe_code") {
            complaints.push(format!(
                "{path}:{}: `unsafe` stands only where libraries of graders are called; see UNSAFE in xtask/src/tidy/sources.rs",
                i + 1
            ));
        }
        let leftover = ["todo", "unimplemented", "dbg"]
            .into_iter()
            .find(|word| line.contains(&format!("{word}!(")));
        if let Some(word) = leftover
            && !line.starts_with("//")
        {
            complaints.push(format!("{path}:{}: `{word}!` is left in it", i + 1));
        }
    }
}

/// Its lines, trimmed, up to an inline module of tests.
fn code(file: &File) -> impl Iterator<Item = &str> {
    let end = file
        .text
        .find("#[cfg(test)]\nmod tests {")
        .unwrap_or(file.text.len());
    file.text[..end].lines().map(str::trim)
}
