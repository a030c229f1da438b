//! JSON Schemas (draft-07) of the tables, for editors.
//!
//! A schema is a little stricter than the loader where old spellings are read (`yes` for a boolean, a quoted number): an
//! editor then proposes the plain one. What needs other files or other fields is left to the loader, but for the shapes of a
//! test case.

use serde_json::{Map, Value, json};

use super::{
    AGENT, Field, ObjectShape, PROJECT, Presence, SCRIPTED, SCRIPTED_CASE, Shape, Status, Tagged,
    Variant,
};

/// agent.yaml.
pub fn agent() -> Value {
    document(&AGENT)
}

/// config.yaml.
pub fn project() -> Value {
    document(&PROJECT)
}

/// The scripted file (YAML or JSON); a line of the JSONL form is its definition `ScriptedCase`.
pub fn scripted() -> Value {
    let mut document = document(&SCRIPTED);
    let mut definitions = Map::new();
    define(&SCRIPTED_CASE, &mut definitions);
    if let Some(Value::Object(known)) = document.get_mut("definitions") {
        for (name, definition) in definitions {
            known.entry(name).or_insert(definition);
        }
    }
    document
}

fn document(root: &'static ObjectShape) -> Value {
    let mut definitions = Map::new();
    definitions.insert(
        "Variable".to_owned(),
        json!({
            "description": "The value of an environment variable.",
            "type": "string",
            "pattern": "^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$",
        }),
    );
    define(root, &mut definitions);
    let own = definitions.shift_remove(root.name).unwrap_or_default();
    let mut out = Map::new();
    out.insert(
        "$schema".to_owned(),
        json!("http://json-schema.org/draft-07/schema#"),
    );
    out.insert("title".to_owned(), json!(root.name));
    if let Value::Object(own) = own {
        out.extend(own);
    }
    out.insert("definitions".to_owned(), Value::Object(definitions));
    Value::Object(out)
}

/// Adds an object's definition and those that it refers to.
fn define(shape: &'static ObjectShape, definitions: &mut Map<String, Value>) {
    if definitions.contains_key(shape.name) {
        return;
    }
    definitions.insert(shape.name.to_owned(), Value::Null);
    let mut properties = Map::new();
    for field in shape.fields {
        properties.insert(field.key.to_owned(), property(field, definitions));
    }
    let required = shape
        .fields
        .iter()
        .filter(|f| f.presence == Presence::Required);
    let required: Vec<&str> = required.map(|f| f.key).collect();
    let mut out = Map::new();
    out.insert("description".to_owned(), json!(shape.doc));
    out.insert("type".to_owned(), json!("object"));
    out.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        out.insert("required".to_owned(), json!(required));
    }
    if !shape.open {
        out.insert("additionalProperties".to_owned(), json!(false));
    }
    if let Some(Value::Object(rule)) = rule(shape.name) {
        out.extend(rule);
    }
    definitions.insert(shape.name.to_owned(), Value::Object(out));
}

fn property(field: &'static Field, definitions: &mut Map<String, Value>) -> Value {
    let mut schema = of(&field.shape, definitions);
    if field.presence != Presence::Required && !field.no_null {
        schema = nullable(schema);
    }
    let mut out = Map::new();
    out.insert("description".to_owned(), json!(described(field)));
    if let Presence::Default(default) = field.presence {
        let default = serde_json::from_str(default).unwrap_or_default();
        out.insert("default".to_owned(), default);
    }
    match schema {
        // Beside `$ref` draft-07 ignores everything.
        Value::Object(schema) if schema.contains_key("$ref") => {
            out.insert("allOf".to_owned(), json!([schema]));
        }
        Value::Object(schema) => out.extend(schema),
        _ => {}
    }
    Value::Object(out)
}

fn described(field: &Field) -> String {
    let more = match field.status {
        Status::Warned(why) => format!(" Not acted on: {why}."),
        Status::Refused(why) => format!(" A run that needs it is refused: {why}."),
        Status::Honoured | Status::Live | Status::Checked => String::new(),
    };
    format!("{}{more}", field.doc)
}

fn nullable(schema: Value) -> Value {
    match schema {
        Value::Object(mut schema) => {
            if let Some(Value::String(one)) = schema.get("type") {
                let both = json!([one, "null"]);
                schema.insert("type".to_owned(), both);
                return Value::Object(schema);
            }
            if let Some(Value::Array(ways)) = schema.get_mut("anyOf") {
                ways.push(json!({"type": "null"}));
            } else if !schema.is_empty() {
                return json!({"anyOf": [schema, {"type": "null"}]});
            }
            Value::Object(schema)
        }
        other => other,
    }
}

/// A scalar that is not a string may come from a variable.
fn or_variable(schema: &Value) -> Value {
    json!({"anyOf": [schema, {"$ref": "#/definitions/Variable"}]})
}

fn of(shape: &'static Shape, definitions: &mut Map<String, Value>) -> Value {
    match shape {
        Shape::Text | Shape::File | Shape::Source => json!({"type": "string", "pattern": "\\S"}),
        Shape::String | Shape::Secret | Shape::EnvValue | Shape::Argument => {
            json!({"type": "string"})
        }
        Shape::Bool => or_variable(&json!({"type": "boolean"})),
        Shape::Int { min, max } => {
            let mut schema = json!({"type": "integer"});
            schema["minimum"] = json!(min);
            schema["maximum"] = json!(max);
            or_variable(&without_nulls(schema))
        }
        Shape::Count => or_variable(&json!({"type": "integer", "minimum": 1, "maximum": u32::MAX})),
        Shape::Float { min, above, max } => {
            let number =
                |text: Option<&str>| text.and_then(|t| serde_json::from_str::<Value>(t).ok());
            let mut schema = json!({"type": "number"});
            schema["minimum"] = json!(number(*min));
            schema["exclusiveMinimum"] = json!(number(*above));
            schema["maximum"] = json!(number(*max));
            or_variable(&without_nulls(schema))
        }
        Shape::Enum([only]) => json!({"const": only}),
        Shape::Enum(values) => {
            json!({"anyOf": [{"enum": values}, {"$ref": "#/definitions/Variable"}]})
        }
        Shape::List { of: item, min, max } => {
            let mut schema = json!({"type": "array", "items": of(item, definitions)});
            if *min > 0 {
                schema["minItems"] = json!(min);
            }
            if *max < usize::MAX {
                schema["maxItems"] = json!(max);
            }
            schema
        }
        Shape::Cases => {
            define(&super::CASE, definitions);
            json!({"type": "array", "items": {"$ref": "#/definitions/TestCase"}})
        }
        Shape::Map(value) => {
            json!({"type": "object", "additionalProperties": of(value, definitions)})
        }
        Shape::Object(shape) => reference(shape, definitions),
        Shape::Tagged(tagged) => self::tagged(tagged, definitions),
        Shape::Either(shapes) => {
            let ways: Vec<Value> = shapes.iter().map(|shape| of(shape, definitions)).collect();
            json!({"anyOf": ways})
        }
        Shape::Free => json!({}),
        Shape::FreeMap | Shape::Settings => json!({"type": "object"}),
        Shape::ToolName => json!({"type": "string", "pattern": "^[0-9A-Za-z_]+$"}),
        Shape::Regex => json!({"type": "string"}),
        Shape::ResponsePath => json!({
            "type": "string",
            "pattern": "^[A-Za-z_][A-Za-z0-9_-]*(\\[[0-9]+\\])*(\\.[A-Za-z_][A-Za-z0-9_-]*(\\[[0-9]+\\])*)*$",
        }),
        Shape::Grader => json!({"type": "string", "pattern": "^[\\w.]+:\\w+$"}),
        Shape::Args => args(),
    }
}

fn without_nulls(mut schema: Value) -> Value {
    if let Value::Object(schema) = &mut schema {
        schema.retain(|_, value| !value.is_null());
    }
    schema
}

fn reference(shape: &'static ObjectShape, definitions: &mut Map<String, Value>) -> Value {
    define(shape, definitions);
    json!({"$ref": format!("#/definitions/{}", shape.name)})
}

fn tagged(tagged: &'static Tagged, definitions: &mut Map<String, Value>) -> Value {
    if !definitions.contains_key(tagged.name) {
        let variant = |variant: &'static Variant, definitions: &mut Map<String, Value>| {
            let shape = reference(variant.shape, definitions);
            match variant.decided_by {
                Some(key) => {
                    json!({"allOf": [shape, {"anyOf": [{"required": [tagged.tag]}, {"required": [key]}]}]})
                }
                None => json!({"allOf": [shape, {"required": [tagged.tag]}]}),
            }
        };
        let variants = tagged.variants.iter();
        let variants: Vec<Value> = variants.map(|v| variant(v, definitions)).collect();
        definitions.insert(tagged.name.to_owned(), json!({"anyOf": variants}));
    }
    json!({"$ref": format!("#/definitions/{}", tagged.name)})
}

/// Rule L7.
fn args() -> Value {
    let only = |key: &str| {
        json!({
            "type": "object",
            "properties": {key: {"type": "string"}},
            "required": [key],
            "additionalProperties": false,
        })
    };
    let literal = json!({"not": {"type": "object", "anyOf": [{"required": ["fuzzy"]}, {"required": ["regex"]}]}});
    json!({
        "type": "object",
        "additionalProperties": {"anyOf": [only("fuzzy"), only("regex"), literal]},
    })
}

/// What fields of one object ask of each other, where JSON Schema can say it and an editor should.
fn rule(name: &str) -> Option<Value> {
    let exactly_one = |a: &str, b: &str| json!({"oneOf": [{"required": [a]}, {"required": [b]}]});
    Some(match name {
        "TestCase" => {
            const ON_TURNS: [&str; 5] = [
                "input",
                "ground_truth",
                "expected_tools",
                "files",
                "retrieval_context",
            ];
            let absent = ON_TURNS.map(|key| (key.to_owned(), json!({"type": "null"})));
            let absent: Map<String, Value> = absent.into_iter().collect();
            json!({
                "if": {"properties": {"turns": {"type": "array"}}, "required": ["turns"]},
                "then": {"properties": absent},
                "else": {"properties": {"input": {"type": "string"}}, "required": ["input"]},
            })
        }
        "Instructions" => exactly_one("file", "inline"),
        "FileInput" => exactly_one("path", "url"),
        "PromptTool" => exactly_one("template", "file"),
        "Subagent" => exactly_one("prompt", "prompt_file"),
        "ScriptedCase" => exactly_one("turns", "open_error"),
        _ => return None,
    })
}
