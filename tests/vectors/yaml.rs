//! The YAML reader: plain scalars (L8) and `${NAME}` (L10).

use holodeck_model::diagnostic::Diagnostic;
use holodeck_model::yaml::resolve::{Plain, Reading};
use holodeck_model::yaml::{Cx, Dialect, Document, Node, Source, Vars, parse, substitute};
use holodeck_tests::vector::{Vector, field, same};
use holodeck_value::{Number, Value};

/// `{yaml}`, a mapping of one key `k`: PyYAML's reading of it, and what rule L8 makes of scalars that YAML 1.2 reads otherwise.
pub(crate) fn scalar(vector: &Vector) -> Result<(), String> {
    let (document, _) = load(vector.text("yaml"), &|_| None);
    let document = document.ok_or("it is not read at all")?;
    let node = document
        .root()
        .and_then(|root| root.entry("k"))
        .ok_or("there is no k")?;
    let (old, differs) = match node.plain() {
        Plain::Same(old) => (old, false),
        Plain::Differs(old, _) => (old, true),
    };
    check_reading(vector, node, &old)?;
    let literal = accepted(|cx| cx.value(node).is_some());
    let text = accepted(|cx| cx.string(node).is_some());
    if differs && (literal || text) {
        return Err("the readings differ, and it is taken".to_owned());
    }
    match old {
        Reading::Bool(wanted) if !accepted(|cx| cx.boolean(node) == Some(wanted)) => {
            Err("a boolean field does not take it".to_owned())
        }
        _ if node.text() == Some("1e5") && !accepted(|cx| cx.number(node).is_some()) => {
            Err("a number field does not take it".to_owned())
        }
        _ => Ok(()),
    }
}

fn check_reading(vector: &Vector, node: Node<'_>, reading: &Reading<'_>) -> Result<(), String> {
    let number = |lexeme: &str| Number::from_lexeme(lexeme).map_or(Value::Null, Value::Number);
    let (kind, value) = match reading {
        Reading::Null => ("NoneType", Value::Null),
        Reading::Bool(b) => ("bool", Value::Bool(*b)),
        Reading::Integer(digits) => ("int", number(digits)),
        Reading::Float(numeral) => ("float", number(numeral.as_str())),
        Reading::NotFinite(word) => ("float", number(word)),
        // What the date is does not matter: no JSON value equals it.
        Reading::Date => ("datetime", vector.expected("value").clone()),
        Reading::String => (
            "str",
            Value::String(node.text().unwrap_or_default().to_owned()),
        ),
        Reading::Merge | Reading::Default | Reading::Unreadable => {
            return same(
                vector.expected("raises"),
                &Value::String("YAMLError".to_owned()),
            );
        }
    };
    same(vector.expected("type"), &Value::String(kind.to_owned()))?;
    same(vector.expected("value"), &value)
}

fn accepted(ask: impl FnOnce(&mut Cx<'_>) -> bool) -> bool {
    let mut diags = Vec::new();
    ask(&mut Cx::new(&mut diags)) && diags.is_empty()
}

/// `{text, env}`: one scalar where `expected.text` stands, else a file.
pub(crate) fn variables(vector: &Vector) -> Result<(), String> {
    let text = vector.text("text");
    let lookup = |name: &str| field(vector.input("env"), name).as_str().map(str::to_owned);
    if let Some(expected) = vector.expected("text").as_str() {
        let (got, _) = substitute(text, &lookup);
        return same(
            &Value::String(expected.to_owned()),
            &Value::String(got.into_owned()),
        );
    }
    let (document, diags) = load(text, &lookup);
    if let Some(expected) = vector.expected("value_of_k").as_str() {
        let document = document.ok_or("it is not read at all")?;
        let got = document
            .root()
            .and_then(|root| root.entry("k")?.text())
            .unwrap_or_default();
        return same(
            &Value::String(expected.to_owned()),
            &Value::String(got.to_owned()),
        );
    }
    match vector.expected("field").as_str() {
        Some(name) if diags.iter().any(|d| d.path == name) => Ok(()),
        None if diags.is_empty() => Ok(()),
        expected => Err(format!("expected {expected:?}, got {diags:?}")),
    }
}

fn load(
    text: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> (Option<Document>, Vec<Diagnostic>) {
    let mut diags = Vec::new();
    let source = Source::new("agent.yaml", text, Dialect::Yaml);
    let document = parse(source, &mut Vars::new(lookup), &mut diags);
    (document, diags)
}
