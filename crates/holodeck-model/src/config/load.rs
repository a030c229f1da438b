//! From the path of agent.yaml to a checked [`Config`].

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use holodeck_value::{Object, Value};

use super::advice::Advice;
use super::cases::{CaseReader, Inherited};
use super::jsonl::{JsonlCases, JsonlFile};
use super::metrics::{MetricList, MetricReader};
use super::needs::not_yet;
use super::suite::{Cases, Held};
use super::{Config, Environment, Model, Overrides, Settings, instructions, layers, model};
use crate::diagnostic::{self, Diagnostic, Severity};
use crate::files::{FileKind, Files};
use crate::plan::CasePlan;
use crate::shape::check::{World, check_object};
use crate::shape::{AGENT, Checked, Record, sounds_secret};
use crate::yaml::{self, Cx, Dialect, Document, Mapping, Node, NodeKind, Source, Vars};

/// What a load needs to know of its surroundings.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where the program was started: its `.env` is read.
    pub working_folder: PathBuf,
    /// The user's home: `.holodeck` in it is looked into.
    pub home: Option<PathBuf>,
    /// What the command line says.
    pub overrides: Overrides,
}

/// Reads agent.yaml at `root` and all that belongs to it, and checks everything (rules L1 to L14).
///
/// A configuration is there when no diagnostic is an error. Diagnostics come in file order. Nothing is kept of the parsed files.
pub fn read(
    root: &Path,
    files: &Arc<dyn Files>,
    env: &dyn Fn(&str) -> Option<String>,
    options: &Options,
) -> (Option<Config>, Vec<Diagnostic>) {
    let mut diags = Vec::new();
    let config = load(root, files, env, options, &mut diags);
    diagnostic::sort(&mut diags);
    let fine = diags.iter().all(|d| d.severity != Severity::Error);
    (config.filter(|_| fine), diags)
}

/// What the parts of a load share.
pub(super) struct Loading<'l> {
    /// agent.yaml as its author would name it.
    pub(super) name: &'l str,
    pub(super) folder: &'l Path,
    pub(super) files: &'l Arc<dyn Files>,
}

fn load(
    root: &Path,
    files: &Arc<dyn Files>,
    env: &dyn Fn(&str) -> Option<String>,
    options: &Options,
    diags: &mut Vec<Diagnostic>,
) -> Option<Config> {
    let folder = root.parent().unwrap_or(Path::new(""));
    let name = root.display().to_string();
    let loading = Loading {
        name: &name,
        folder,
        files,
    };
    let bytes = bytes(root, files, diags)?;
    let mut later = Vec::new();
    let user_folder = options.home.as_ref().map(|home| home.join(".holodeck"));
    let folders: Vec<PathBuf> = [
        Some(folder.to_path_buf()),
        Some(options.working_folder.clone()),
        user_folder.clone(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let environment = Environment::read(env, &folders, &**files, &mut later);
    let lookup = |name: &str| environment.lookup(name);
    let mut vars = Vars::new(&lookup);

    let source = Source::decode(name.clone(), bytes, Dialect::Yaml).map_err(|d| diags.push(*d));
    let document = source
        .ok()
        .and_then(|source| yaml::parse(source, &mut vars, diags));
    let project = layers::parse(folder, &**files, &mut vars, &mut later);
    let user =
        user_folder.and_then(|folder| layers::parse(&folder, &**files, &mut vars, &mut later));
    let no_providers = BTreeMap::new();
    let world = World::new(&**files, folder, &no_providers);
    let configs: Vec<(&Document, Record<'_>)> = [&project, &user]
        .into_iter()
        .flatten()
        .filter_map(|document| Some((document, layers::check(document, &world, &mut later)?)))
        .collect();
    let mut secrets = world.secrets.into_inner();
    let config_records: Vec<&Record<'_>> = configs.iter().map(|(_, record)| record).collect();
    let providers = layers::providers(&config_records);
    let mut world = World::new(&**files, folder, &providers);
    world.agent_replaced = options.overrides.agent_replaced;
    diags.append(&mut later);

    let root_node = document.as_ref()?.root();
    let Some(root_node) = root_node else {
        diags.push(Diagnostic::error(
            "empty-file",
            format!("`{name}` is empty"),
        ));
        return None;
    };
    let record = check_object(&AGENT, root_node, &mut Cx::new(diags), &world)?;
    let mut exec: Vec<(&str, &Record<'_>)> = Vec::new();
    exec.extend(
        record
            .record("execution")
            .map(|layer| (name.as_str(), layer)),
    );
    for (document, config) in &configs {
        let layer = config.record("execution");
        exec.extend(layer.map(|layer| (document.source().name.as_str(), layer)));
    }
    let settings = Settings::resolve(&options.overrides, &exec, &environment, diags);
    let tools = model::tools(&record, &config_records);
    let mut metrics = MetricReader::default();
    let inherited = Inherited {
        metrics: agent_metrics(&record, &mut metrics),
        on_turn_failure: settings.on_turn_failure(),
    };
    let deferred = inherited.metrics.deferred.clone();
    let advice = Advice::new(tools.iter().map(|t| t.name.clone()).collect());
    let mut reader = CaseReader::new(inherited, metrics, advice);
    let held = cases(
        &record,
        root_node,
        &loading,
        &mut reader,
        &world,
        &mut vars,
        diags,
    );
    let (warnings, quiet) = reader.advice.into_diagnostics();
    diags.extend(warnings);

    let told = record
        .record("instructions")
        .and_then(|r| instructions::read(r, &loading, diags));
    response_format(&record, root_node, &loading, diags);
    let model = record
        .record("model")
        .map(|m| Model::read(m, &config_records))
        .unwrap_or_default();
    secrets.extend(world.secrets.into_inner());
    secrets.extend(
        vars.used
            .iter()
            .filter(|(name, _)| sounds_secret(name))
            .map(|(_, value)| value.clone()),
    );
    secrets.extend(
        settings
            .texts("secrets")
            .into_iter()
            .filter_map(|name| environment.lookup(name)),
    );
    Some(Config {
        own_needs: own_needs(&options.overrides, &model, &settings, root_node, &exec),
        name: record.text("name").unwrap_or_default().to_owned(),
        description: record.text("description").map(str::to_owned),
        folder: folder.to_path_buf(),
        model,
        instructions: told,
        tools,
        snapshot: snapshot(&record, &settings),
        settings,
        secrets,
        cases: Arc::new(held?),
        needs: reader.needs,
        inherited: deferred,
        advice: quiet,
    })
}

/// agent.yaml's bytes, or why there are none.
fn bytes(root: &Path, files: &Arc<dyn Files>, diags: &mut Vec<Diagnostic>) -> Option<Vec<u8>> {
    let shown = root.display();
    let (code, problem, hint) = match files.kind(root) {
        Ok(FileKind::Directory) => (
            "not-a-file",
            format!("`{shown}` is a folder, not a file"),
            Some(format!(
                "name the file in it: {}",
                root.join("agent.yaml").display()
            )),
        ),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (
            "file-not-found",
            format!("there is no file `{shown}`"),
            Some("`holodeck init` writes a first one".to_owned()),
        ),
        Err(error) => (
            "file-unreadable",
            format!("`{shown}` can't be read: {error}"),
            None,
        ),
        Ok(_) => match files.read(root) {
            Ok(bytes) => return Some(bytes),
            Err(error) => (
                "file-unreadable",
                format!("`{shown}` can't be read: {error}"),
                None,
            ),
        },
    };
    let mut diagnostic = Diagnostic::error(code, problem);
    diagnostic.hint = hint;
    diags.push(diagnostic);
    None
}

fn agent_metrics(record: &Record<'_>, reader: &mut MetricReader) -> MetricList {
    let list = record.record("evaluations").and_then(|e| e.list("metrics"));
    reader.read(list.unwrap_or_default())
}

/// A mapping looked at again: its mistakes have been reported.
fn looked_at_again(node: Node<'_>) -> Option<Mapping<'_>> {
    Cx::new(&mut Vec::new()).mapping(node)
}

fn cases(
    record: &Record<'_>,
    root: Node<'_>,
    loading: &Loading<'_>,
    reader: &mut CaseReader,
    world: &World<'_>,
    vars: &mut Vars<'_>,
    diags: &mut Vec<Diagnostic>,
) -> Option<Cases> {
    if let Some(Checked::Cases(nodes)) = record.get("test_cases") {
        return Some(Cases::new(in_list(nodes, reader, world, diags)));
    }
    let Some(path) = record.text("test_cases_file") else {
        return Some(Cases::new(Vec::new()));
    };
    let node = looked_at_again(root)?.get("test_cases_file")?;
    let full = loading.folder.join(path);
    let shown = full.display().to_string();
    let refuse = |error: &io::Error, diags: &mut Vec<Diagnostic>| {
        let mut cx = Cx::new(diags);
        cx.at("test_cases_file", |cx| {
            crate::shape::unreachable_file(path, error, node, cx);
        });
    };
    let extension = full
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default()
        .to_ascii_lowercase();
    if matches!(extension.as_str(), "jsonl" | "ndjson") {
        let file = JsonlFile {
            files: loading.files,
            path: full,
            shown,
        };
        return match JsonlCases::check(file, reader, world, vars, diags) {
            Ok(cases) => Some(Cases(Held::Jsonl(cases))),
            Err(error) => {
                refuse(&error, diags);
                None
            }
        };
    }
    let dialect = if extension == "json" {
        Dialect::Json
    } else {
        Dialect::Yaml
    };
    let bytes = loading
        .files
        .read(&full)
        .map_err(|error| refuse(&error, diags))
        .ok()?;
    let document = parse_as("test_cases_file", shown, bytes, dialect, vars, diags)?;
    let Some(root) = document.root() else {
        return Some(Cases::new(Vec::new()));
    };
    let nodes = list_of_cases(root, diags)?;
    Some(Cases::new(in_list(&nodes, reader, world, diags)))
}

/// Parses a file that a field of agent.yaml names; what is wrong with all of it is reported under that field.
fn parse_as(
    field: &'static str,
    shown: String,
    bytes: Vec<u8>,
    dialect: Dialect,
    vars: &mut Vars<'_>,
    diags: &mut Vec<Diagnostic>,
) -> Option<Document> {
    let before = diags.len();
    let source = Source::decode(shown, bytes, dialect).map_err(|d| diags.push(*d));
    let document = source
        .ok()
        .and_then(|source| yaml::parse(source, vars, diags));
    for diagnostic in &mut diags[before..] {
        if diagnostic.path == "yaml" {
            field.clone_into(&mut diagnostic.path);
        }
    }
    document
}

/// The test cases of a file: a list, or a mapping with `test_cases`.
fn list_of_cases<'d>(root: Node<'d>, diags: &mut Vec<Diagnostic>) -> Option<Vec<Node<'d>>> {
    let mut cx = Cx::new(diags);
    if root.kind() == NodeKind::Mapping {
        let mapping = cx.mapping(root)?;
        if let Some(list) = mapping.get("test_cases") {
            cx.unknown_keys(&mapping, &["test_cases"]);
            if list.is_null() {
                return Some(Vec::new());
            }
            return cx.at("test_cases", |cx| cx.list(list));
        }
    }
    if root.kind() == NodeKind::List {
        return cx.list(root);
    }
    cx.at("test_cases_file", |cx| {
        cx.wrong_type(
            root,
            "a list of test cases, or a mapping with the key `test_cases`",
        );
    });
    None
}

fn in_list(
    nodes: &[Node<'_>],
    reader: &mut CaseReader,
    world: &World<'_>,
    diags: &mut Vec<Diagnostic>,
) -> Vec<CasePlan> {
    let mut cx = Cx::new(diags);
    cx.at("test_cases", |cx| {
        let nodes = nodes.iter().enumerate();
        let cases = nodes.filter_map(|(i, node)| cx.at(i, |cx| reader.read(i, *node, cx, world)));
        cases.collect()
    })
}

/// A `response_format` that is a file must hold JSON.
fn response_format(
    record: &Record<'_>,
    root: Node<'_>,
    loading: &Loading<'_>,
    diags: &mut Vec<Diagnostic>,
) {
    let Some(path) = record.text("response_format") else {
        return;
    };
    let full = loading.folder.join(path);
    let shown = full.display().to_string();
    match loading.files.read(&full) {
        Ok(bytes) => {
            let mut found = Vec::new();
            let nothing = |_: &str| None;
            parse_as(
                "response_format",
                shown,
                bytes,
                Dialect::Json,
                &mut Vars::new(&nothing),
                &mut found,
            );
            found.retain(|d| d.code != "unset-variable");
            diags.append(&mut found);
        }
        Err(error) => {
            let node = looked_at_again(root)
                .and_then(|m| m.get("response_format"))
                .unwrap_or(root);
            let mut cx = Cx::new(diags);
            cx.at("response_format", |cx| {
                crate::shape::unreachable_file(path, &error, node, cx);
            });
        }
    }
}

fn snapshot(record: &Record<'_>, settings: &Settings) -> Value {
    let execution: Object = settings
        .entries()
        .iter()
        .map(|s| (s.key.to_owned(), s.value.clone()))
        .collect();
    let mut value = record.to_value(true);
    if let Value::Object(object) = &mut value {
        object.insert("execution", Value::Object(execution));
    }
    value
}

/// What the agent itself needs that this version can't do: a live agent, repetitions, tools of its own.
fn own_needs(
    overrides: &Overrides,
    model: &Model,
    settings: &Settings,
    root: Node<'_>,
    execution: &[(&str, &Record<'_>)],
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let scripted = overrides.agent_replaced || model.provider == "scripted";
    if !scripted {
        let mut diagnostic = not_yet(&format!(
            "this version does not ask live agents, and the provider is `{}`",
            model.provider
        ));
        "model.provider".clone_into(&mut diagnostic.path);
        let node = looked_at_again(root).and_then(|m| m.get("model"));
        diagnostic.place = node.map(|node| node.entry("provider").unwrap_or(node).place());
        diagnostic.hint = Some(
            "`--agent scripted:FILE` plays replies from a file, with no key and no network"
                .to_owned(),
        );
        out.push(diagnostic);
    }
    let place = |key: &str| {
        let layer = execution.iter().find(|(_, layer)| layer.get(key).is_some());
        layer.map(|(_, layer)| layer.node().entry(key).unwrap_or(layer.node()).place())
    };
    if settings.integer("repeat").is_some_and(|n| n > 1) {
        let mut diagnostic =
            not_yet("`repeat` asks for more than this version does: it plays each test case once");
        "execution.repeat".clone_into(&mut diagnostic.path);
        diagnostic.place = place("repeat");
        out.push(diagnostic);
    }
    let overridden = settings.get("tool_overrides").map(|s| &s.value);
    if matches!(overridden, Some(Value::Object(tools)) if !tools.is_empty()) {
        let mut diagnostic =
            not_yet("`tool_overrides` has no effect: this version does not start tools");
        "execution.tool_overrides".clone_into(&mut diagnostic.path);
        diagnostic.place = place("tool_overrides");
        if scripted {
            diagnostic.severity = Severity::Warning;
        }
        out.push(diagnostic);
    }
    out
}
