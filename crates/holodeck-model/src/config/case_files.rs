//! Where test cases come from: agent.yaml itself, or the file that `test_cases_file` names (rule L11).

use std::io;

use sha2::Digest as _;

use super::cases::CaseReader;
use super::jsonl::{JsonlCases, JsonlFile};
use super::load::Loading;
use super::suite::{Cases, Held};
use crate::diagnostic::Diagnostic;
use crate::plan::CasePlan;
use crate::shape::check::World;
use crate::shape::{Checked, Record, peek};
use crate::yaml::{self, Cx, Dialect, Document, Node, NodeKind, Source, Vars};

/// The test cases that agent.yaml holds or names; what is wrong with them is reported.
pub(super) fn cases(
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
    let node = peek(root)?.get("test_cases_file")?;
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
            digest: &loading.digest,
        };
        return match JsonlCases::check(file, reader, world, vars, diags) {
            Ok(cases) => Some(Cases(Held::Jsonl(Box::new(cases)))),
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
    loading.digest.borrow_mut().update(&bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Some(Cases::new(Vec::new()));
    }
    let document = parse_as("test_cases_file", shown, bytes, dialect, vars, diags)?;
    let Some(root) = document.root() else {
        return Some(Cases::new(Vec::new()));
    };
    let nodes = list_of_cases(root, diags)?;
    Some(Cases::new(in_list(&nodes, reader, world, diags)))
}

/// Parses a file that a field of agent.yaml names; what is wrong with all of it is reported under that field.
pub(super) fn parse_as(
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
