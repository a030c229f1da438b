//! config.yaml beside agent.yaml and in `~/.holodeck`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::diagnostic::{Diagnostic, Severity};
use crate::files::Files;
use crate::shape::check::{World, check_object};
use crate::shape::{Checked, PROJECT, Record, cut};
use crate::yaml::{self, Cx, Dialect, Document, Source, Vars};

/// The parsed config file of a folder, if it has one. Where both spellings are there, config.yml is read, as in the Python HoloDeck.
pub(super) fn parse(
    folder: &Path,
    files: &dyn Files,
    vars: &mut Vars<'_>,
    diags: &mut Vec<Diagnostic>,
) -> Option<Document> {
    let there: Vec<_> = ["config.yml", "config.yaml"]
        .into_iter()
        .map(|name| folder.join(name))
        .filter(|path| files.kind(path).is_ok())
        .collect();
    let path = there.first()?;
    if let Some(other) = there.get(1) {
        let mut diagnostic = Diagnostic::error(
            "two-configs",
            format!(
                "`{}` is not read: `{}` is there too and wins",
                other.display(),
                path.display()
            ),
        );
        diagnostic.severity = Severity::Warning;
        diagnostic.hint = Some("keep one of the two".to_owned());
        diags.push(diagnostic);
    }
    let name = path.display().to_string();
    match files.read(path) {
        Ok(bytes) => match Source::decode(name, bytes, Dialect::Yaml) {
            Ok(source) => yaml::parse(source, vars, diags),
            Err(diagnostic) => {
                diags.push(*diagnostic);
                None
            }
        },
        Err(error) => {
            diags.push(Diagnostic::error(
                "file-unreadable",
                format!("`{name}` can't be read: {error}"),
            ));
            None
        }
    }
}

/// Checks a parsed config file.
pub(super) fn check<'d>(
    document: &'d Document,
    world: &World<'_>,
    diags: &mut Vec<Diagnostic>,
) -> Option<Record<'d>> {
    let root = document.root()?;
    let mut cx = Cx::new(diags);
    let record = check_object(&PROJECT, root, &mut cx, world)?;
    if let Some(servers) = record.list("mcp_servers") {
        cx.at("mcp_servers", |cx| crate::shape::unique_names(servers, cx));
    }
    Some(record)
}

/// Which keys of a model the config files give, by provider: by the entry's key, and by its `provider`.
pub(super) fn providers(layers: &[&Record<'_>]) -> BTreeMap<String, BTreeSet<String>> {
    let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for layer in layers {
        let models = models(layer);
        let mut chosen: BTreeMap<&str, &Record<'_>> = BTreeMap::new();
        for (_, model) in &models {
            if let Some(provider) = model.text("provider") {
                chosen.entry(provider).or_insert(model);
            }
        }
        chosen.extend(models);
        for (provider, model) in chosen {
            let keys = model.shape().keys().filter(|key| model.get(key).is_some());
            let known = out.entry(provider.to_owned()).or_default();
            known.extend(keys.map(str::to_owned));
        }
    }
    out
}

/// A tool that names a database which no config file has.
pub(super) fn unknown_databases(
    agent: &Record<'_>,
    configs: &[&Record<'_>],
    diags: &mut Vec<Diagnostic>,
) {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for config in configs {
        if let Some(Checked::Map(entries)) = config.get("vectorstores") {
            known.extend(entries.iter().map(|(name, _)| *name));
        }
    }
    let mut cx = Cx::new(diags);
    for tool in agent.list("tools").unwrap_or_default() {
        let Some(tool) = tool.as_record() else {
            continue;
        };
        let Some(name) = tool.text("database").filter(|name| !known.contains(name)) else {
            continue;
        };
        let node = tool.node().entry("database").unwrap_or(tool.node());
        cx.at("tools", |cx| {
            let message = format!("no config.yaml has a vectorstore `{}`", cut(name));
            cx.warning(node, "unknown-database", message).hint =
                Some("define it under `vectorstores` in config.yaml".to_owned());
        });
    }
}

/// The entry for a provider in one config file.
pub(super) fn provider<'r, 'd>(layer: &'r Record<'d>, provider: &str) -> Option<&'r Record<'d>> {
    let models = models(layer);
    let by_key = models.iter().find(|(name, _)| *name == provider);
    let found = by_key.or_else(|| {
        models
            .iter()
            .find(|(_, model)| model.text("provider") == Some(provider))
    });
    found.map(|(_, model)| *model)
}

fn models<'r, 'd>(layer: &'r Record<'d>) -> Vec<(&'d str, &'r Record<'d>)> {
    match layer.get("providers") {
        Some(Checked::Map(entries)) => {
            let entries = entries.iter();
            entries
                .filter_map(|(name, model)| Some((*name, model.as_record()?)))
                .collect()
        }
        _ => Vec::new(),
    }
}
