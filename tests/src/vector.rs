//! Rules as data: one JSON object a line in `conformance/*.jsonl`.

use std::path::PathBuf;

use holodeck_value::{Number, Object, Value};

/// One rule shown by one input.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Its name, unique in all files.
    pub id: String,
    /// What is given. Numbers are as written; `$int` and `$float` are read.
    pub input: Value,
    /// What must come of it, likewise.
    pub expected: Value,
}

/// Where the vectors are.
pub fn folder() -> PathBuf {
    crate::root().join("tests/conformance")
}

/// The names of all vector files, without ending, sorted.
pub fn areas() -> Vec<String> {
    let mut areas: Vec<String> = std::fs::read_dir(folder())
        .expect("the vectors are in the repository")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".jsonl").map(str::to_owned))
        .collect();
    areas.sort();
    areas
}

/// The vectors of one file.
pub fn read(area: &str) -> Result<Vec<Vector>, String> {
    let path = folder().join(format!("{area}.jsonl"));
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{area}.jsonl: {e}"))?;
    text.lines()
        .enumerate()
        .map(|(i, line)| {
            parse(line).map_err(|problem| format!("{area}.jsonl:{}: {problem}", i + 1))
        })
        .collect()
}

fn parse(line: &str) -> Result<Vector, String> {
    let value = Value::from_json(line).map_err(|e| e.to_string())?;
    let field = |name: &str| {
        value
            .as_object()
            .and_then(|object| object.get(name))
            .ok_or(format!("has no `{name}`"))
    };
    Ok(Vector {
        id: field("id")?.as_str().ok_or("`id` is not text")?.to_owned(),
        input: decoded(field("input")?)?,
        expected: decoded(field("expected")?)?,
    })
}

/// `{"$int": "10^400"}` and `{"$float": "nan"}` become the numbers that they stand for.
fn decoded(value: &Value) -> Result<Value, String> {
    match value {
        Value::Array(items) => items
            .iter()
            .map(decoded)
            .collect::<Result<_, _>>()
            .map(Value::Array),
        Value::Object(object) => decoded_object(object),
        other => Ok(other.clone()),
    }
}

fn decoded_object(object: &Object) -> Result<Value, String> {
    if let Some(int) = object.get("$int").and_then(Value::as_str) {
        return number(&match int.split_once("10^") {
            Some((sign, exponent)) => {
                let zeros = exponent.parse().map_err(|_| format!("bad $int {int}"))?;
                format!("{sign}1{}", "0".repeat(zeros))
            }
            None => int.to_owned(),
        });
    }
    if let Some(float) = object.get("$float").and_then(Value::as_str) {
        return number(match float {
            "nan" => "NaN",
            "inf" => "Infinity",
            _ => "-Infinity",
        });
    }
    object
        .iter()
        .map(|(key, value)| Ok((key.to_owned(), decoded(value)?)))
        .collect::<Result<Object, String>>()
        .map(Value::Object)
}

fn number(lexeme: &str) -> Result<Value, String> {
    Number::from_lexeme(lexeme)
        .map(Value::Number)
        .ok_or(format!("bad number {lexeme}"))
}

impl Vector {
    /// A field of the input; null where it is absent.
    pub fn input(&self, name: &str) -> &Value {
        field(&self.input, name)
    }
    /// A field of the input that must be text.
    pub fn text(&self, name: &str) -> &str {
        self.input(name)
            .as_str()
            .unwrap_or_else(|| panic!("`{name}` of {} is not text", self.id))
    }
    /// A field of the expectation; null where it is absent.
    pub fn expected(&self, name: &str) -> &Value {
        field(&self.expected, name)
    }
    /// Whether `got` is what was expected.
    pub fn check(&self, got: &Value) -> Result<(), String> {
        same(&self.expected, got)
    }
}

/// A key of a mapping; null where there is none.
pub fn field<'a>(value: &'a Value, name: &str) -> &'a Value {
    value
        .as_object()
        .and_then(|object| object.get(name))
        .unwrap_or(&Value::Null)
}

/// Whether both are equal by rule M1, and NaN as NaN.
pub fn same(expected: &Value, got: &Value) -> Result<(), String> {
    if expected == got || expected.to_json() == got.to_json() {
        return Ok(());
    }
    Err(format!(
        "expected {}\n     got {}",
        expected.to_json(),
        got.to_json()
    ))
}
