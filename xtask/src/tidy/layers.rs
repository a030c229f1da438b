//! Which crate may know which: the floors of ARCHITECTURE.md, and who may use the big libraries.

use cargo_metadata::{DependencyKind, MetadataCommand, Package};

use crate::workspace::{Result, root};

/// The floor of each crate. A crate may use those of lower floors.
const FLOORS: &[(&str, u8)] = &[
    ("holodeck-value", 0),
    ("holodeck-match", 1),
    ("holodeck-grader", 1),
    ("holodeck-model", 2),
    ("holodeck-worker", 2),
    ("holodeck-eval", 3),
    ("holodeck-run", 3),
    ("holodeck-report", 3),
    ("holodeck-agent", 3),
    ("holodeck-grader-host", 3),
    ("holodeck", 4),
    ("holodeck-tests", 5),
    ("hostile-native", 5),
    ("xtask", 5),
];

/// Arrows within a floor.
const SIDEWAYS: &[(&str, &str)] = &[("holodeck-agent", "holodeck-run")];

/// Libraries that change what a crate is, and the only crates that may use them.
const RESERVED: &[(&str, &[&str])] = &[
    (
        "tokio",
        &[
            "holodeck-run",
            "holodeck-agent",
            "holodeck-worker",
            "holodeck-grader-host",
            "holodeck",
        ],
    ),
    ("clap", &["holodeck"]),
    ("indicatif", &["holodeck"]),
    ("granit-parser", &["holodeck-model"]),
    ("regex", &["holodeck-match"]),
    ("bigdecimal", &["holodeck-value"]),
    ("quick-junit", &["holodeck-report"]),
    ("libloading", &["holodeck-grader-host"]),
    ("reqwest", &["holodeck-agent"]),
];

/// Complains about arrows that point up or sideways, and about libraries in the wrong crate. Tests may use anything.
pub(super) fn check(complaints: &mut Vec<String>) -> Result<()> {
    let metadata = MetadataCommand::new()
        .current_dir(root())
        .no_deps()
        .exec()?;
    for package in metadata.workspace_packages() {
        check_package(package, complaints);
    }
    Ok(())
}

fn check_package(package: &Package, complaints: &mut Vec<String>) {
    let name = package.name.as_str();
    let Some(floor) = floor(name) else {
        complaints.push(format!(
            "crate {name}: has no floor; give it one in xtask/src/tidy/layers.rs and in ARCHITECTURE.md"
        ));
        return;
    };
    let used = package
        .dependencies
        .iter()
        .filter(|d| d.kind != DependencyKind::Development)
        .map(|d| d.name.as_str());
    for other in used {
        let goes_down = self::floor(other).is_none_or(|other_floor| other_floor < floor);
        if !goes_down && !SIDEWAYS.contains(&(name, other)) {
            complaints.push(format!(
                "crate {name}: must not know {other} (arrows go down only, see ARCHITECTURE.md)"
            ));
        }
        let keepers = RESERVED.iter().find(|(library, _)| *library == other);
        if let Some((_, keepers)) = keepers
            && floor < 5
            && !keepers.contains(&name)
        {
            complaints.push(format!(
                "crate {name}: must not use {other}; {}",
                match keepers {
                    [] => "no crate may yet".to_owned(),
                    keepers => format!("only {} may", keepers.join(", ")),
                }
            ));
        }
    }
}

fn floor(name: &str) -> Option<u8> {
    FLOORS
        .iter()
        .find(|(crate_name, _)| *crate_name == name)
        .map(|(_, floor)| *floor)
}
