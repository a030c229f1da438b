//! Agents that people wrote for the Python HoloDeck: exactly the refusals of `samples_expected.json`, each of which is true.
//! The files are not ours to keep; where they are not beside the repository, that is said and nothing is run.

use std::collections::BTreeMap;
use std::path::Path;

use holodeck_tests::program::{self, Folder};
use holodeck_tests::{outside_data, root};

type Refusals = BTreeMap<String, Vec<String>>;

#[test]
fn samples_are_refused_for_what_is_wrong_with_them_and_nothing_else() {
    let Some(samples) = outside_data("yaml_wild/holodeck-samples") else {
        return;
    };
    let expected = std::fs::read_to_string(root().join("tests/samples_expected.json")).unwrap();
    let mut expected: Refusals = serde_json::from_str(&expected).unwrap();
    for refusals in expected.values_mut() {
        refusals.sort();
    }
    let names = names(&samples);
    let seen: Refusals = names
        .iter()
        .filter(|name| name.ends_with("__agent.yaml"))
        .map(|name| (name.clone(), refusals(&samples, &names, name)))
        .collect();
    assert_eq!(
        seen,
        expected,
        "{}",
        serde_json::to_string_pretty(&seen).unwrap()
    );
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What `check` says of one agent with all that lies beside it, as `code path`. `a__b__c.yaml` is the file `c.yaml` of the folder `a/b`.
fn refusals(samples: &Path, names: &[String], agent: &str) -> Vec<String> {
    let folder = Folder::new();
    let prefix = agent.strip_suffix("agent.yaml").unwrap();
    let mut variables = Vec::new();
    for name in names {
        if let Some(path) = name.strip_prefix(prefix) {
            let text = std::fs::read_to_string(samples.join(name)).unwrap();
            variables.extend(named_variables(&text));
            folder.write(path.replace("__", "/"), text);
        }
    }
    let refused = check(&folder, &variables);
    let missing: Vec<&Refusal> = refused
        .iter()
        .filter(|r| r.code == "file-not-found")
        .collect();
    for refusal in &missing {
        let path = refusal.message.split('`').nth(1).unwrap();
        folder.write(path, "[]");
    }
    // What was hidden by a missing file would show now.
    let still: Vec<Refusal> = check(&folder, &variables);
    assert_eq!(
        still.len(),
        refused.len() - missing.len(),
        "{agent}: {still:?}"
    );
    let mut refusals: Vec<String> = refused
        .iter()
        .map(|r| format!("{} {}", r.code, r.path))
        .collect();
    refusals.sort();
    refusals
}

#[derive(Debug, serde::Deserialize)]
struct Refusal {
    code: String,
    path: String,
    message: String,
    severity: String,
}

fn check(folder: &Folder, variables: &[String]) -> Vec<Refusal> {
    let mut command = folder.command(["check", "agent.yaml", "--message-format", "json"]);
    command.envs(variables.iter().map(|name| (name, "set")));
    let run = program::run(&mut command);
    let mut all: BTreeMap<String, Vec<Refusal>> = serde_json::from_str(&run.stdout).unwrap();
    let mut refusals = all.remove("diagnostics").unwrap();
    refusals.retain(|refusal| refusal.severity == "error");
    run.must_exit(if refusals.is_empty() { 0 } else { 2 });
    refusals
}

fn named_variables(text: &str) -> Vec<String> {
    text.split("${")
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name.to_owned())
        .filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        .collect()
}
