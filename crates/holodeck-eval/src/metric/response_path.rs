//! Rule N6: a part of a JSON reply is graded instead of the whole.

use holodeck_model::plan::{ResponsePath, Step};
use holodeck_value::Value;

use super::Answer;
use crate::quote::quote;

/// What stands at `path` in the reply, read as Python's `json.loads` would; else why not.
pub(super) fn resolve(path: &ResponsePath, reply: &str) -> Result<Answer, String> {
    let root = Value::from_json(reply).map_err(|e| not_json(reply, &e))?;
    let mut value = &root;
    let mut walked = String::new();
    for step in path.steps() {
        let below = match (step, value) {
            (Step::Key(key), Value::Object(object)) => object.get(key),
            (Step::Index(n), Value::Array(list)) => list.get(*n),
            (Step::Key(_) | Step::Index(_), _) => None,
        };
        let Some(below) = below else {
            return Err(no_such_path(path, step, value, &walked));
        };
        walked = match step {
            Step::Key(key) if walked.is_empty() => key.clone(),
            Step::Key(key) => format!("{walked}.{key}"),
            Step::Index(n) => format!("{walked}[{n}]"),
        };
        value = below;
    }
    let numeral = match value {
        Value::Array(_) | Value::Object(_) => {
            return Err(format!(
                "the reply's `{path}` is a {}, not a single value",
                value.type_name(),
                path = path.as_str()
            ));
        }
        Value::Number(number) => number.lexeme().to_owned(),
        Value::Null | Value::Bool(_) | Value::String(_) => value.text().into_owned(),
    };
    Ok(Answer {
        text: value.text().into_owned(),
        numeral,
        called: format!("the reply's `{}`", path.as_str()),
    })
}

fn not_json(reply: &str, error: &holodeck_value::JsonError) -> String {
    let fence = if reply.trim_start().starts_with("```") {
        "; it stands in a code fence, and `response_path` takes the bare JSON only"
    } else {
        ""
    };
    format!("the reply {} is not JSON: {error}{fence}", quote(reply))
}

fn no_such_path(path: &ResponsePath, step: &Step, value: &Value, walked: &str) -> String {
    let place = if walked.is_empty() {
        "the reply".to_owned()
    } else {
        format!("the reply's `{walked}`")
    };
    let why = match (step, value) {
        (Step::Key(key), Value::Object(_)) => format!("{place} has no key `{key}`"),
        (Step::Index(n), Value::Array(list)) => {
            format!("{place} has {} entries, none at [{n}]", list.len())
        }
        (Step::Key(_), _) => format!("{place} is of type {}, not a mapping", value.type_name()),
        (Step::Index(_), _) => format!("{place} is of type {}, not a list", value.type_name()),
    };
    format!("there is no `{}`: {why}", path.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &str, reply: &str) -> Result<(String, String), String> {
        let path = ResponsePath::parse(path).unwrap();
        resolve(&path, reply).map(|a| (a.text, a.numeral))
    }

    #[test]
    fn number_keeps_its_numeral_and_shows_its_text() {
        assert_eq!(
            at("x", r#"{"x": 1e3}"#),
            Ok(("1000.0".into(), "1e3".into()))
        );
        assert_eq!(at("x", r#"{"x": NaN}"#), Ok(("nan".into(), "NaN".into())));
    }

    #[test]
    fn missing_step_is_named_with_what_stands_there() {
        assert_eq!(
            at("a.b", r#"{"a": 1}"#),
            Err("there is no `a.b`: the reply's `a` is of type integer, not a mapping".into())
        );
        assert_eq!(
            at("a[99999999999999999999]", r#"{"a": [1]}"#),
            Err(format!(
                "there is no `a[99999999999999999999]`: the reply's `a` has 1 entries, none at [{}]",
                usize::MAX
            ))
        );
        assert_eq!(
            at("a", r#"{"a": []}"#),
            Err("the reply's `a` is a list, not a single value".into())
        );
    }
}
