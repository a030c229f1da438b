//! The reader as `config` uses it.

use super::*;

fn load(text: &str) -> (Option<Document>, Vec<Diagnostic>) {
    let lookup = |name: &str| (name == "A").then(|| "x".to_owned());
    let mut vars = Vars::new(&lookup);
    let mut diags = Vec::new();
    let source = Source::new("agent.yaml", text, Dialect::Yaml);
    (parse(source, &mut vars, &mut diags), diags)
}

#[test]
fn a_tree_is_read_with_places() {
    let (document, diags) = load("a: 1\nb:\n  - x: ${A}\n  - [yes, \"no\"]\n");
    assert_eq!(diags, []);
    let document = document.unwrap();
    let mut diags = Vec::new();
    let mut cx = Cx::new(&mut diags);
    let root = cx.mapping(document.root().unwrap()).unwrap();
    let items = cx.list(root.get("b").unwrap()).unwrap();
    let inner = cx.mapping(items[0]).unwrap();
    assert_eq!(cx.string(inner.get("x").unwrap()), Some("x"));
    let words = cx.list(items[1]).unwrap();
    assert_eq!(cx.boolean(words[0]), Some(true));
    assert_eq!(cx.at("b", |cx| cx.at(1, |cx| cx.string(words[0]))), None);
    assert_eq!(diags[0].path, "b[1]");
    let place = diags[0].place.as_ref().unwrap();
    assert_eq!((place.line, place.column, place.width), (4, 6, 3));
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
