//! The tables themselves.

use std::collections::BTreeSet;

use serde_json::Value;

use super::check::{World, check};
use super::{AGENT, ObjectShape, PROJECT, Presence, SCRIPTED, SCRIPTED_CASE, Shape, schema};
use crate::files::MemoryFiles;
use crate::yaml::{self, Cx, Dialect, Source, Vars};

/// Every object that the roots lead to.
fn objects() -> Vec<&'static ObjectShape> {
    fn visit(shape: &'static Shape, out: &mut Vec<&'static ObjectShape>) {
        match shape {
            Shape::List { of, .. } | Shape::Map(of) => visit(of, out),
            Shape::Cases => add(&super::CASE, out),
            Shape::Object(shape) => add(shape, out),
            Shape::Tagged(tagged) => tagged.variants.iter().for_each(|v| add(v.shape, out)),
            Shape::Either(shapes) => shapes.iter().for_each(|s| visit(s, out)),
            _ => {}
        }
    }
    fn add(shape: &'static ObjectShape, out: &mut Vec<&'static ObjectShape>) {
        if out.iter().all(|known| known.name != shape.name) {
            out.push(shape);
            shape.fields.iter().for_each(|f| visit(&f.shape, out));
        }
    }
    let mut out = Vec::new();
    for root in [&AGENT, &PROJECT, &SCRIPTED, &SCRIPTED_CASE] {
        add(root, &mut out);
    }
    out
}

#[test]
fn every_default_fits_its_own_field() {
    let files = MemoryFiles::new();
    let providers = std::collections::BTreeMap::new();
    let world = World::new(&files, std::path::Path::new(""), &providers);
    for object in objects() {
        let keys: BTreeSet<&str> = object.keys().collect();
        assert_eq!(
            keys.len(),
            object.fields.len(),
            "{} has a key twice",
            object.name
        );
        for field in object.fields {
            let Presence::Default(json) = field.presence else {
                continue;
            };
            let mut diags = Vec::new();
            let source = Source::new("default", json, Dialect::Json);
            let document = yaml::parse(source, &mut Vars::new(&|_| None), &mut diags).unwrap();
            let mut cx = Cx::new(&mut diags);
            let node = document.root().unwrap();
            let fits = check(&field.shape, node, &mut cx, &world).is_some();
            assert!(
                fits && diags.is_empty(),
                "{}.{}: {diags:?}",
                object.name,
                field.key
            );
        }
    }
}

#[test]
fn schemas_refer_only_to_what_they_define() {
    fn refs(value: &Value, out: &mut BTreeSet<String>) {
        match value {
            Value::Object(object) => {
                if let Some(Value::String(name)) = object.get("$ref") {
                    out.insert(name.trim_start_matches("#/definitions/").to_owned());
                }
                object.values().for_each(|v| refs(v, out));
            }
            Value::Array(items) => items.iter().for_each(|v| refs(v, out)),
            _ => {}
        }
    }
    for schema in [schema::agent(), schema::project(), schema::scripted()] {
        let mut used = BTreeSet::new();
        refs(&schema, &mut used);
        let defined: BTreeSet<String> = schema["definitions"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        assert_eq!(
            used.difference(&defined).collect::<Vec<_>>(),
            Vec::<&String>::new(),
            "{}",
            schema["title"]
        );
        assert!(
            schema["definitions"]
                .as_object()
                .unwrap()
                .values()
                .all(Value::is_object)
        );
    }
}

#[test]
fn the_reference_page_tells_of_every_key() {
    let page = super::reference::page();
    for object in objects().into_iter().filter(|o| o.name != "ScriptedCase") {
        let section = page.split(&format!("\n### {}\n", object.name)).nth(1);
        let section = section.unwrap_or_else(|| panic!("no section {}", object.name));
        let section = section.split("\n### ").next().unwrap();
        for key in object.keys() {
            assert!(
                section.contains(&format!("| `{key}` |")),
                "{}.{key}",
                object.name
            );
        }
    }
}
