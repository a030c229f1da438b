//! All text files: documents that must be there, vectors that nobody runs, paths of somebody's machine.

use super::tree::File;

/// What a newcomer looks for.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "COMPATIBILITY.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
];

/// First folders of paths that exist on one machine only.
const MACHINE_FOLDERS: &[&str] = &["work", "tmp", "root", "home"];

/// Complains about text files.
pub(super) fn check(files: &[File], complaints: &mut Vec<String>) {
    for document in DOCUMENTS {
        if files.iter().all(|file| file.path != *document) {
            complaints.push(format!("{document}: is missing"));
        }
    }
    for file in files {
        check_machine_paths(file, complaints);
    }
    check_vectors(files, complaints);
    check_differences(files, complaints);
}

fn check_machine_paths(file: &File, complaints: &mut Vec<String>) {
    for (i, line) in file.text.lines().enumerate() {
        let named = MACHINE_FOLDERS
            .iter()
            .map(|folder| format!("/{folder}/"))
            .find(|path| names_path(line, path));
        if let Some(path) = named {
            complaints.push(format!(
                "{}:{}: `{path}` is a path of one machine; write a relative one",
                file.path,
                i + 1
            ));
        }
    }
}

/// Whether `path` stands in `line` as the beginning of a path, not as a part of a longer one or of an address.
fn names_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        line[..at]
            .chars()
            .next_back()
            .is_none_or(|c| !c.is_alphanumeric() && !"._-~/}*".contains(c))
    })
}

fn check_vectors(files: &[File], complaints: &mut Vec<String>) {
    let vectors = files
        .iter()
        .filter_map(|file| file.path.strip_prefix("tests/conformance/"))
        .filter_map(|name| name.strip_suffix(".jsonl"));
    for area in vectors {
        let quoted = format!("\"{area}\"");
        let claimed = files
            .iter()
            .any(|file| file.path.starts_with("tests/vectors/") && file.text.contains(&quoted));
        if !claimed {
            complaints.push(format!(
                "tests/conformance/{area}.jsonl: no test runs it; claim it in tests/vectors/main.rs"
            ));
        }
    }
}

/// A vector marked as different from the Python HoloDeck must stand in the page that authors read.
fn check_differences(files: &[File], complaints: &mut Vec<String>) {
    let Some(page) = files.iter().find(|file| file.path == "COMPATIBILITY.md") else {
        return;
    };
    let vectors = files
        .iter()
        .filter(|file| file.path.starts_with("tests/conformance/"))
        .flat_map(|file| file.text.lines())
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|vector| vector["differs_from_python_holodeck"] == true);
    for vector in vectors {
        let id = vector["id"].as_str().unwrap_or_default();
        if !page.text.contains(&format!("`{id}`")) {
            complaints.push(format!(
                "COMPATIBILITY.md: does not name `{id}`, which differs from the Python HoloDeck"
            ));
        }
    }
}
