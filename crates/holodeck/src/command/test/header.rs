//! What is known of a run before its first case, for its journal and its reports; secrets masked (rule L10a).

use std::fmt::Write as _;
use std::path::Path;

use holodeck_model::config::Config;
use holodeck_model::plan::CaseSource as _;
use holodeck_report::wire::{EvalRunMetadata, PromptVersion};
use holodeck_run::journal::{Header, Settings};
use holodeck_value::{Object, Value};
use sha2::{Digest as _, Sha256};

use super::prepare::Prepared;
use crate::args::Test;
use crate::git;
use crate::run_folder::RunFolder;
use crate::stored::Told;

/// The journal's first line.
pub(super) fn journal_header(
    args: &Test,
    agent_yaml: &Path,
    prepared: &Prepared,
    folder: &RunFolder,
    started_at: String,
    told: &Told,
) -> Header {
    let settings = &prepared.plan.settings;
    let masked = |text: &str| prepared.masker.text(text).into_owned();
    Header {
        run_id: folder.id(),
        started_at,
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        agent: masked(prepared.config.name()),
        agent_config_path: masked(&agent_yaml.to_string_lossy()),
        agent_override: args.agent.as_deref().map(masked),
        plan_hash: plan_hash(args, &prepared.config),
        n_cases: prepared.plan.cases.len(),
        settings: Settings {
            llm_timeout_ms: u64::try_from(settings.llm_timeout.as_millis()).unwrap_or(u64::MAX),
            parallel_test_cases: settings.parallel_test_cases,
        },
        metadata: told.to_value(),
    }
}

/// Identifies what was planned: the files and which of their cases.
fn plan_hash(args: &Test, config: &Config) -> String {
    let mut hash = Sha256::new();
    hash.update(config.digest());
    for filter in &args.filter {
        hash.update([0]);
        hash.update(filter);
    }
    hash.update(format!("\n{:?}", args.limit));
    let mut hex = String::from("sha256:");
    for byte in hash.finalize() {
        // Writing to a string can't fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// What the reports show besides.
pub(super) fn told(args: &Test, agent_yaml: &Path, prepared: &Prepared) -> Told {
    let config = &prepared.config;
    let settings: Object = config
        .settings()
        .entries()
        .iter()
        .map(|s| (s.key.to_owned(), s.value.clone()))
        .collect();
    let mut environment = Object::new();
    environment.insert("execution_config", Value::Object(settings));
    let mut words = vec![
        "holodeck".to_owned(),
        "test".to_owned(),
        agent_yaml.display().to_string(),
    ];
    for (flag, value) in [
        ("--agent", args.agent.clone()),
        ("--timeout", args.timeout.map(|t| t.to_string())),
    ] {
        words.extend(value.into_iter().flat_map(|value| [flag.to_owned(), value]));
    }
    let mut told = Told {
        environment,
        answered_by: prepared.agent.name.clone(),
        rerun: words,
        case_names: case_names(config),
        eval_run: EvalRunMetadata {
            agent_config: config.snapshot().clone(),
            prompt_version: prompt_version(prepared),
            holodeck_version: env!("CARGO_PKG_VERSION").to_owned(),
            cli_args: std::env::args_os()
                .skip(1)
                .map(|a| a.to_string_lossy().into_owned())
                .collect(),
            git_commit: git::commit(Path::new(".")),
        },
    };
    told.mask(&prepared.masker);
    told
}

/// Names of all cases in the file, which a filter has to tell apart; none where that would be a long list.
fn case_names(config: &Config) -> Vec<String> {
    const MOST_BYTES: usize = 64 << 10;
    let cases = config.cases();
    let mut n_bytes = 0;
    let mut names = Vec::new();
    for i in 0..cases.len() {
        let name = cases
            .name(i)
            .map_or_else(|| format!("test_cases[{i}]"), str::to_owned);
        n_bytes += name.len();
        if n_bytes > MOST_BYTES {
            return Vec::new();
        }
        names.push(name);
    }
    names
}

/// Which instructions the agent had; one that brings its own says nothing of them.
fn prompt_version(prepared: &Prepared) -> PromptVersion {
    let none = PromptVersion {
        version: "none".to_owned(),
        author: None,
        description: None,
        tags: Vec::new(),
        source: "none".to_owned(),
        file_path: None,
        body_hash: String::new(),
        extra: Object::new(),
    };
    prepared
        .config
        .instructions()
        .map_or(none, |i| PromptVersion {
            version: i.version.version.clone(),
            author: i.version.author.clone(),
            description: i.version.description.clone(),
            tags: i.version.tags.clone(),
            source: i.version.source.to_owned(),
            file_path: i.version.file_path.clone(),
            body_hash: i.version.body_hash.clone(),
            extra: i.version.extra.clone(),
        })
}
