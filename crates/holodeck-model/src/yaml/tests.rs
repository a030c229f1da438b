//! The reader as `config` uses it: a small stand-in for it walks files with mistakes.

mod broken;
mod gallery;
mod hostile;
mod readings;

use holodeck_value::Value;

use super::*;
use crate::diagnostic::{self, Style, render};

fn lookup(name: &str) -> Option<String> {
    match name {
        "A" => Some("x".to_owned()),
        "EMPTY" => Some(String::new()),
        "FIVE" => Some("5".to_owned()),
        "YES" => Some("yes".to_owned()),
        "BLANKS" => Some(" 5 ".to_owned()),
        "NULL" => Some("null".to_owned()),
        "PIN" => Some("012345".to_owned()),
        "COLON" => Some("a: b # c".to_owned()),
        "SECRET" => Some("hunter2-and-more".to_owned()),
        _ => None,
    }
}

fn load(text: &str) -> (Option<Document>, Vec<Diagnostic>) {
    let mut vars = Vars::new(&lookup);
    let mut diags = Vec::new();
    let source = Source::new("agent.yaml", text, Dialect::Yaml);
    (parse(source, &mut vars, &mut diags), diags)
}

/// Asks one thing of the value of `k`.
fn ask<T>(text: &str, f: impl FnOnce(&mut Cx<'_>, Node<'_>) -> T) -> (T, Vec<Diagnostic>) {
    let (document, mut diags) = load(text);
    let document = document.unwrap_or_else(|| panic!("{text:?}: {diags:?}"));
    let mut cx = Cx::new(&mut diags);
    let root = cx.mapping(document.root().unwrap()).unwrap();
    let node = root.get("k").unwrap();
    let answer = cx.at("k", |cx| f(cx, node));
    (answer, diags)
}

fn value_of(cx: &mut Cx<'_>, node: Node<'_>) -> Option<Value> {
    cx.value(node)
}

fn value(text: &str) -> Result<Value, String> {
    let (value, diags) = ask(text, value_of);
    value.ok_or_else(|| diags[0].message.clone())
}

/// A stand-in for `config`: test cases with turns, texts, counts and literal arguments.
fn walk(document: &Document, diags: &mut Vec<Diagnostic>) {
    let mut cx = Cx::new(diags);
    let Some(root) = document.root().and_then(|root| cx.mapping(root)) else {
        return;
    };
    cx.unknown_keys(&root, &["name", "model", "test_cases", "defaults"]);
    let Some(cases) = root.get("test_cases") else {
        return;
    };
    cx.at("test_cases", |cx| {
        for (i, case) in cx.list(cases).into_iter().flatten().enumerate() {
            cx.at(i, |cx| {
                cx.in_case(case.case_label(i), |cx| walk_case(cx, case));
            });
        }
    });
}

fn walk_case(cx: &mut Cx<'_>, case: Node<'_>) {
    let Some(case) = cx.mapping(case) else { return };
    cx.unknown_keys(&case, &["name", "turns"]);
    if let Some(name) = case.get("name") {
        cx.at("name", |cx| cx.text(name));
    }
    let Some(turns) = case.get("turns") else {
        return;
    };
    cx.at("turns", |cx| {
        for (i, turn) in cx.list(turns).into_iter().flatten().enumerate() {
            cx.at(i, |cx| walk_turn(cx, turn));
        }
    });
}

fn walk_turn(cx: &mut Cx<'_>, turn: Node<'_>) {
    let Some(turn) = cx.mapping(turn) else { return };
    cx.unknown_keys(
        &turn,
        &[
            "input",
            "ground_truth",
            "expected_tools",
            "args",
            "count",
            "tolerance",
            "enabled",
        ],
    );
    for (key, _, node) in turn.entries() {
        cx.at(key, |cx| match key {
            "input" | "ground_truth" => drop(cx.text(node)),
            "count" => drop(cx.plain_integer(node)),
            "tolerance" => drop(cx.number(node)),
            "enabled" => drop(cx.boolean(node)),
            "expected_tools" => drop(cx.list(node)),
            "args" => drop(cx.value(node)),
            _ => {}
        });
    }
}

/// What a person sees of a file.
fn seen(text: &str) -> String {
    let (document, mut diags) = load(text);
    if let Some(document) = document {
        walk(&document, &mut diags);
    }
    diagnostic::sort(&mut diags);
    render(&diags, Style::Plain, 80)
}

#[test]
fn a_tree_is_read_with_places() {
    let ((), diags) = ask("k:\n  - x: ${A}\n  - [yes, \"no\"]\n", |cx, node| {
        let items = cx.list(node).unwrap();
        let inner = cx.mapping(items[0]).unwrap();
        assert_eq!(cx.string(inner.get("x").unwrap()), Some("x"));
        let words = cx.list(items[1]).unwrap();
        assert_eq!(cx.boolean(words[0]), Some(true));
        assert_eq!(cx.at(1, |cx| cx.at(0, |cx| cx.string(words[0]))), None);
    });
    assert_eq!(diags[0].path, "k[1][0]");
    let place = diags[0].place.as_ref().unwrap();
    assert_eq!((place.line, place.column, place.width), (3, 6, 3));
}

#[test]
fn an_unset_variable_is_named_with_its_field() {
    let (_, diags) = load("test_cases:\n- name: n\n  input: '${OUTER_${VV_NOPE}}'\n");
    assert_eq!(diags.len(), 1);
    assert_eq!(diags[0].path, "VV_NOPE");
    assert_eq!(diags[0].case.as_deref(), Some("n"));
    assert!(
        diags[0].message.contains("`test_cases[0].input`"),
        "{}",
        diags[0].message
    );
}

#[test]
fn braces_are_text_where_there_are_no_variables() {
    let mut diags = Vec::new();
    let source = Source::new("a.yaml", "a: ${A} $${B}", Dialect::Yaml);
    let document = parse(source, &mut Vars::off(), &mut diags).unwrap();
    let text = document.root().and_then(|root| root.entry("a")?.text());
    assert_eq!((text, diags.len()), (Some("${A} $${B}"), 0));
}

#[test]
fn a_variable_is_not_looked_for_in_comments_and_keys() {
    let (_, diags) = load("# ${VV_NOPE}\n'${VV_NOPE}': 1\n");
    assert_eq!(diags, []);
}

#[test]
fn merge_keys_give_what_is_not_set() {
    let text = "a: &a {x: 1, y: 1}\nb: &b {<<: *a, y: 2, z: 2}\nk: {<<: [*a, *b], w: 3, x: 4}\n";
    let json = value(text).unwrap().to_json();
    assert_eq!(json, r#"{"x":4,"y":1,"z":2,"w":3}"#);
}

#[test]
fn json_numerals_are_as_json_has_them() {
    let mut diags = Vec::new();
    let mut vars = Vars::new(&lookup);
    let text = r#"{"a": 1e5, "b": [1.0, -0, 123456789012345678901234567890, "yes", null, true], "c": "${A}"}"#;
    let document = parse(
        Source::new("c.json", text, Dialect::Json),
        &mut vars,
        &mut diags,
    )
    .unwrap();
    let value = Cx::new(&mut diags).value(document.root().unwrap()).unwrap();
    assert_eq!(
        value.to_json(),
        r#"{"a":1e5,"b":[1.0,-0,123456789012345678901234567890,"yes",null,true],"c":"x"}"#
    );
    assert_eq!(diags, []);
}

#[test]
fn an_empty_file_has_no_root() {
    for text in ["", "\n", "# only a comment\n"] {
        let (document, diags) = load(text);
        assert!(document.unwrap().root().is_none(), "{text:?}");
        assert_eq!(diags, []);
    }
}

#[test]
fn text_is_decoded_or_refused_with_its_place() {
    let decode = |bytes: &[u8]| Source::decode("a", bytes.to_vec(), Dialect::Yaml);
    assert_eq!(&*decode(b"\xef\xbb\xbfa: 1\r\n").unwrap().text, "a: 1\r\n");
    let latin = decode(b"a: 1\nb: caf\xe9\n").unwrap_err();
    assert_eq!(latin.message, "byte 0xE9 is not UTF-8");
    let place = latin.place.unwrap();
    assert_eq!((place.line, place.column), (2, 7));
    assert!(
        decode(b"\xff\xfea\0")
            .unwrap_err()
            .message
            .contains("UTF-16")
    );
    assert!(decode(b"a: \0").unwrap_err().message.contains("NUL"));
}

#[test]
fn windows_line_ends_do_not_move_places() {
    let (_, diags) = ask("a: 1\r\nk:\r\n  - yes\r\n", |cx, node| {
        let items = cx.list(node).unwrap();
        cx.string(items[0]).map(str::to_owned)
    });
    let place = diags[0].place.as_ref().unwrap();
    assert_eq!(
        (place.line, place.column, place.excerpt.as_str()),
        (3, 5, "  - yes")
    );
}
