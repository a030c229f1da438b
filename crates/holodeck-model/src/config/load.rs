//! From the path of agent.yaml to a checked [`Config`].

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use holodeck_value::Value;
use sha2::{Digest as _, Sha256};

use super::advice::Advice;
use super::case_files::{cases, parse_as};
use super::cases::{CaseReader, Inherited};
use super::metrics::{MetricList, MetricReader};
use super::needs::{Asked, own_needs};
use super::snapshot::snapshot;
use super::{Config, Environment, Model, Overrides, Settings, instructions, layers, model};
use crate::diagnostic::{self, Diagnostic, Severity};
use crate::files::{FileKind, Files};
use crate::graders::Graders;
use crate::mask::Masker;
use crate::shape::check::{World, check_object};
use crate::shape::{AGENT, Record, peek, sounds_secret};
use crate::slug::hex;
use crate::yaml::{self, Cx, Dialect, Document, Node, Source, Vars};

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
/// Secrets in diagnostics are masked (rule L10a). Nothing is kept of the parsed files.
pub fn read(
    root: &Path,
    files: &Arc<dyn Files>,
    env: &dyn Fn(&str) -> Option<String>,
    options: &Options,
) -> Loaded {
    let mut found = Found::default();
    let config = load(root, files, env, options, &mut found);
    let Found {
        secrets,
        mut graders,
        diags: mut diagnostics,
        mut later,
    } = found;
    diagnostics.append(&mut later);
    graders.masker = Masker::new(secrets.into_inner());
    for diagnostic in &mut diagnostics {
        graders.masker.diagnostic(diagnostic);
    }
    diagnostic::sort(&mut diagnostics);
    let fine = diagnostics.iter().all(|d| d.severity != Severity::Error);
    Loaded {
        config: config.filter(|_| fine),
        graders,
        diagnostics,
    }
}

/// What came of a load.
#[derive(Debug)]
pub struct Loaded {
    /// There when no diagnostic is an error.
    pub config: Option<Config>,
    /// The graders that are named, whatever mistakes there are: looking for them is the caller's, as it takes processes.
    pub graders: Graders,
    /// In file order.
    pub diagnostics: Vec<Diagnostic>,
}

/// What the parts of a load share.
pub(super) struct Loading<'l> {
    /// agent.yaml as its author would name it.
    pub(super) name: &'l str,
    pub(super) folder: &'l Path,
    pub(super) files: &'l Arc<dyn Files>,
    /// Of agent.yaml and its test cases, byte for byte.
    pub(super) digest: RefCell<Sha256>,
}

/// What a load hands back whether or not there is a configuration in the end.
#[derive(Default)]
struct Found {
    /// Known as soon as they are met.
    secrets: RefCell<BTreeSet<String>>,
    graders: Graders,
    /// Of agent.yaml and its test cases.
    diags: Vec<Diagnostic>,
    /// Of the files around it.
    later: Vec<Diagnostic>,
}

fn load(
    root: &Path,
    files: &Arc<dyn Files>,
    env: &dyn Fn(&str) -> Option<String>,
    options: &Options,
    found: &mut Found,
) -> Option<Config> {
    let Found {
        secrets,
        graders,
        diags,
        later,
    } = found;
    let folder = root.parent().unwrap_or(Path::new(""));
    let name = root.display().to_string();
    let loading = Loading {
        name: &name,
        folder,
        files,
        digest: RefCell::default(),
    };
    let bytes = bytes(root, files, diags)?;
    loading.digest.borrow_mut().update(&bytes);
    let user_folder = options.home.as_ref().map(|home| home.join(".holodeck"));
    let folders: Vec<PathBuf> = [
        Some(folder.to_path_buf()),
        Some(options.working_folder.clone()),
        user_folder.clone(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let environment = Environment::read(env, &folders, &**files, later);
    let lookup = |name: &str| {
        let value = environment.lookup(name);
        if sounds_secret(name) {
            secrets.borrow_mut().extend(value.clone());
        }
        value
    };
    let mut vars = Vars::new(&lookup);

    let source = Source::decode(name.clone(), bytes, Dialect::Yaml).map_err(|d| diags.push(*d));
    let document = source
        .ok()
        .and_then(|source| yaml::parse(source, &mut vars, diags));
    let project = layers::parse(folder, &**files, &mut vars, later);
    let user = user_folder.and_then(|folder| layers::parse(&folder, &**files, &mut vars, later));
    let no_providers = BTreeMap::new();
    let world = World::new(&**files, folder, &no_providers);
    let configs: Vec<(&Document, Record<'_>)> = [&project, &user]
        .into_iter()
        .flatten()
        .filter_map(|document| Some((document, layers::check(document, &world, later)?)))
        .collect();
    secrets.borrow_mut().extend(world.secrets.into_inner());
    let config_records: Vec<&Record<'_>> = configs.iter().map(|(_, record)| record).collect();
    let mut providers = layers::providers(&config_records);
    if environment.lookup(model::AZURE_ENDPOINT).is_some() {
        let lent = providers.entry("azure_openai".to_owned()).or_default();
        lent.insert("endpoint".to_owned());
    }
    let mut world = World::new(&**files, folder, &providers);
    world.agent_replaced = options.overrides.agent_replaced;

    let root_node = document.as_ref()?.root();
    let Some(root_node) = root_node else {
        diags.push(Diagnostic::error(
            "empty-file",
            format!("`{name}` is empty"),
        ));
        return None;
    };
    let record = check_object(&AGENT, root_node, &mut Cx::new(diags), &world);
    secrets.borrow_mut().extend(world.secrets.take());
    let record = record?;
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
    secrets.borrow_mut().extend(
        settings
            .texts("secrets")
            .into_iter()
            .filter_map(|name| environment.lookup(name)),
    );
    layers::unknown_databases(&record, &config_records, diags);
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
    let response_format = response_format(&record, root_node, &loading, diags);
    let model = record
        .record("model")
        .map(|m| Model::read(m, &config_records, &|name| environment.lookup(name)))
        .unwrap_or_default();
    *graders = world.graders.into_inner();
    graders.folders = grader_folders(folder, &settings);
    graders.python = settings.text("python").map(PathBuf::from);
    let key = model.api_key.as_ref().map(|key| key.expose().to_owned());
    secrets.borrow_mut().extend(key);
    secrets.borrow_mut().extend(world.secrets.into_inner());
    warn_of_unset_secrets(&settings, &environment, diags);
    let secrets = secrets.borrow().clone();
    let mut snapshot = snapshot(&record, &config_records, &settings);
    Masker::new(secrets.iter().cloned()).value(&mut snapshot);
    Some(Config {
        own_needs: own_needs(
            &Asked {
                overrides: &options.overrides,
                agent: &record,
                model: &model,
                tools: &tools,
            },
            &settings,
            root_node,
            &exec,
        ),
        name: record.text("name").unwrap_or_default().to_owned(),
        description: record.text("description").map(str::to_owned),
        folder: folder.to_path_buf(),
        model,
        response_format,
        instructions: told,
        tools,
        snapshot,
        digest: hex(&loading.digest.borrow().clone().finalize()),
        settings,
        secrets,
        cases: Arc::new(held?),
        needs: reader.needs,
        inherited: deferred,
        advice: quiet,
    })
}

fn grader_folders(folder: &Path, settings: &Settings) -> Vec<PathBuf> {
    let more = settings.texts("grader_path").into_iter();
    std::iter::once(folder.to_path_buf())
        .chain(more.map(|path| folder.join(path)))
        .collect()
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

/// The `response_format`; one that is a file must hold JSON.
fn response_format(
    record: &Record<'_>,
    root: Node<'_>,
    loading: &Loading<'_>,
    diags: &mut Vec<Diagnostic>,
) -> Option<Value> {
    let Some(path) = record.text("response_format") else {
        return Some(record.get("response_format")?.to_value(false));
    };
    let full = loading.folder.join(path);
    let shown = full.display().to_string();
    match loading.files.read(&full) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes.clone()).ok();
            let schema = text.and_then(|text| Value::from_json(&text).ok());
            let vars = &mut Vars::off();
            parse_as("response_format", shown, bytes, Dialect::Json, vars, diags);
            schema
        }
        Err(error) => {
            let node = peek(root)
                .and_then(|m| m.get("response_format"))
                .unwrap_or(root);
            let mut cx = Cx::new(diags);
            cx.at("response_format", |cx| {
                crate::shape::unreachable_file(path, &error, node, cx);
            });
            None
        }
    }
}

/// A name in `execution.secrets` that no variable has masks nothing, and may be a slip.
fn warn_of_unset_secrets(
    settings: &Settings,
    environment: &Environment<'_>,
    diags: &mut Vec<Diagnostic>,
) {
    for name in settings.texts("secrets") {
        if environment.lookup(name).is_none() {
            let message = format!("the variable `{name}` is not set, so there is nothing to mask");
            let mut diagnostic = Diagnostic::error("unset-secret", message);
            diagnostic.severity = Severity::Warning;
            "execution.secrets".clone_into(&mut diagnostic.path);
            diags.push(diagnostic);
        }
    }
}
