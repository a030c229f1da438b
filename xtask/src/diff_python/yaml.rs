//! What PyYAML makes of scalars, against the internal reader: the vectors of `yaml_scalar.jsonl`, scalars made of pieces, and, where the data sets lie beside the repository, oddities found in the wild.

use std::path::Path;

use holodeck_model::yaml::{
    Dialect, Node, NodeKind, Source, Vars, parse,
    resolve::{Plain, Reading},
};
use serde_json::json;

use super::{Python, Rng, Tally};
use crate::workspace::{Result, complain, outside_data, root};

const N_TEXTS: usize = 20_000;

/// Pieces of which scalars and near misses of every kind are made.
const PIECES: &[&str] = &[
    "0", "1", "7", "8", "12", "59", "60", "00", "2009", "_", "_", ".", ".", ":", ":", "-", "-",
    "+", "e", "E", "e+", "E-", "0x", "0X", "0b", "0o", "a", "F", "yes", "No", "on", "OFF", "true",
    "False", "null", "~", "Null", "y", "n", "inf", "nan", "NaN", "INF", "T", "t", "Z", " ", "=",
    "<<", "%", "\u{661}", "\u{e9}", "-12-31", "10:00:00", "",
];

/// Random and collected scalars to both sides.
pub(crate) fn run(python: &Python) -> Result<Tally> {
    if !python.has("yaml") {
        complain("this Python has no PyYAML: no YAML was compared");
        return Ok(Tally::new("PyYAML's scalars"));
    }
    let mut documents = collected(&root().join("tests/conformance/yaml_scalar.jsonl"))?;
    match outside_data() {
        Some(data) => documents.extend(collected(
            &data.join("yaml_wild/yaml_scalar_oddities.jsonl"),
        )?),
        None => complain(
            "the data sets are not beside the repository: oddities found in the wild are left out",
        ),
    }
    let mut rng = Rng::new(11);
    documents.extend((0..N_TEXTS).map(|_| {
        let text: String = (0..=rng.below(5)).map(|_| rng.pick(PIECES)).collect();
        format!("v: {}", text.trim())
    }));
    let questions: Vec<String> = documents
        .iter()
        .map(|yaml| json!({ "yaml": yaml }).to_string())
        .collect();
    let mut tally = Tally::new("PyYAML's scalars");
    for (document, answer) in documents
        .iter()
        .zip(python.ask("yaml_scalar.py", &questions)?)
    {
        let python: serde_json::Value = serde_json::from_str(&answer)?;
        match ours(document) {
            Ours::Reading(mut ours) => {
                if ours["type"] == "date" && python["type"] != "str" {
                    // Which date it is does not matter: no JSON value equals it. PyYAML raises for a 31st of February.
                    ours = python.clone();
                }
                tally.compare(document, &python.to_string(), &ours.to_string());
            }
            Ours::Refused(code) if python["raises"] == true => {
                let _ = code;
                tally.compare(document, "refuses", "refuses");
            }
            Ours::Refused(code) => tally.refuse(code),
        }
    }
    Ok(tally)
}

/// The scalars of a file, each as a document.
fn collected(path: &Path) -> Result<Vec<String>> {
    let mut documents = Vec::new();
    for line in std::fs::read_to_string(path)?.lines() {
        let line: serde_json::Value = serde_json::from_str(line)?;
        if let Some(yaml) = line["input"]["yaml"].as_str() {
            documents.push(yaml.to_owned());
        } else if let Some(scalar) = line["scalar"].as_str() {
            documents.push(format!("v: {}", scalar.replace("#empty", "")));
        }
    }
    Ok(documents)
}

enum Ours {
    Reading(serde_json::Value),
    Refused(&'static str),
}

fn ours(document: &str) -> Ours {
    let mut diags = Vec::new();
    let source = Source::new("v", document, Dialect::Yaml);
    let parsed = parse(source, &mut Vars::off(), &mut diags);
    let Some(document) = parsed else {
        return Ours::Refused(
            diags
                .first()
                .map_or("nothing", |diagnostic| diagnostic.code),
        );
    };
    let node = document
        .root()
        .and_then(|root| root.entry("v").or_else(|| root.entry("k")));
    match node {
        Some(node) => shown(node),
        None => Ours::Refused("no key"),
    }
}

fn shown(node: Node<'_>) -> Ours {
    let (kind, value) = match node.kind() {
        NodeKind::List => ("list", items(node.items())),
        NodeKind::Mapping => {
            let entries = node
                .written_entries()
                .map(|(key, value)| items([key, value].into_iter()));
            ("dict", entries.collect())
        }
        NodeKind::Null | NodeKind::Scalar => match scalar(node) {
            Some(shown) => shown,
            None => return Ours::Reading(json!({ "raises": true })),
        },
    };
    Ours::Reading(json!({ "type": kind, "value": value }))
}

fn items<'d>(nodes: impl Iterator<Item = Node<'d>>) -> serde_json::Value {
    nodes
        .map(|node| match shown(node) {
            Ours::Reading(reading) => reading["value"].clone(),
            Ours::Refused(code) => json!(code),
        })
        .collect()
}

/// PyYAML's reading, as its script writes it; `None` where it raises.
fn scalar(node: Node<'_>) -> Option<(&'static str, serde_json::Value)> {
    let (Plain::Same(reading) | Plain::Differs(reading, _)) = node.plain();
    let bits = |float: f64| json!(format!("{:016x}", float.to_bits()));
    Some(match reading {
        Reading::Null => ("NoneType", json!(null)),
        Reading::Bool(b) => ("bool", json!(b)),
        Reading::Integer(digits) => ("int", json!(digits)),
        Reading::Float(numeral) => ("float", bits(numeral.as_str().parse().ok()?)),
        Reading::NotFinite("NaN") => ("float", json!("nan")),
        Reading::NotFinite(word) => (
            "float",
            bits(if word.starts_with('-') {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            }),
        ),
        Reading::Date => ("date", json!(null)),
        Reading::String => ("str", json!(node.text())),
        Reading::Merge | Reading::Default | Reading::Unreadable => return None,
    })
}
