//! Execution settings, each resolved on its own and with its origin (rule L13).

use std::fmt;
use std::time::Duration;

use holodeck_value::{Number, Value, unicode};

use super::{Environment, Overrides};
use crate::diagnostic::Diagnostic;
use crate::plan::OnTurnFailure;
use crate::shape::{EXECUTION, Field, Presence, Record, Shape};

/// Where a setting came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A flag.
    CommandLine,
    /// This file.
    File(String),
    /// This variable.
    Environment(String),
    /// Nothing set it.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CommandLine => f.write_str("command line"),
            Self::File(name) => f.write_str(name),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// One setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its key under `execution`.
    pub key: &'static str,
    /// Its value; null where nothing sets it and it has no default.
    pub value: Value,
    /// Where it came from.
    pub origin: Origin,
}

/// All execution settings, resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings(Vec<Setting>);

/// An `execution` block and the file that it stands in.
pub(crate) type Layer<'l, 'd> = (&'l str, &'l Record<'d>);

impl Settings {
    /// Resolves each setting: command line, files in order, environment, default.
    ///
    /// A bad environment value is reported even where something beats it.
    pub(crate) fn resolve(
        overrides: &Overrides,
        layers: &[Layer<'_, '_>],
        environment: &Environment<'_>,
        diags: &mut Vec<Diagnostic>,
    ) -> Self {
        let resolve = |field: &'static Field| {
            let from_environment = from_environment(field, environment, diags);
            let from_files = || {
                let (file, value) = layers
                    .iter()
                    .find_map(|(file, layer)| Some((*file, layer.get(field.key)?)))?;
                Some((value.to_value(false), Origin::File(file.to_owned())))
            };
            let (value, origin) = flag(overrides, field.key)
                .map(|value| (value, Origin::CommandLine))
                .or_else(from_files)
                .or(from_environment)
                .unwrap_or_else(|| (default(field), Origin::Default));
            Setting {
                key: field.key,
                value,
                origin,
            }
        };
        Self(EXECUTION.fields.iter().map(resolve).collect())
    }

    /// Every setting, in the order of the reference page.
    pub fn entries(&self) -> &[Setting] {
        &self.0
    }

    /// One setting.
    pub fn get(&self, key: &str) -> Option<&Setting> {
        self.0.iter().find(|s| s.key == key)
    }

    fn value(&self, key: &str) -> &Value {
        self.get(key).map_or(&Value::Null, |s| &s.value)
    }

    /// An integer setting, if it has a value.
    pub fn integer(&self, key: &str) -> Option<u64> {
        match self.value(key) {
            Value::Number(number) => Some(number.as_u64().unwrap_or(u64::MAX)),
            _ => None,
        }
    }

    /// A switch.
    pub fn flag(&self, key: &str) -> bool {
        matches!(self.value(key), Value::Bool(true))
    }

    /// A text setting, if it has a value.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.value(key).as_str()
    }

    /// The texts of a list setting.
    pub fn texts(&self, key: &str) -> Vec<&str> {
        match self.value(key) {
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }

    /// `llm_timeout`, the bound of one turn.
    pub fn llm_timeout(&self) -> Duration {
        // Past a century tokio's clock overflows, and nobody waits.
        const CENTURY: u64 = 100 * 366 * 24 * 3600;
        Duration::from_secs(self.integer("llm_timeout").unwrap_or(60).min(CENTURY))
    }

    /// `parallel_test_cases`, at least 1.
    pub fn parallel_test_cases(&self) -> usize {
        let n = self.integer("parallel_test_cases").unwrap_or(1).max(1);
        usize::try_from(n).unwrap_or(usize::MAX)
    }

    /// `on_turn_failure`, where a test case does not say.
    pub fn on_turn_failure(&self) -> OnTurnFailure {
        on_turn_failure(self.text("on_turn_failure"))
    }
}

pub(crate) fn on_turn_failure(text: Option<&str>) -> OnTurnFailure {
    match text {
        Some("stop") => OnTurnFailure::Stop,
        _ => OnTurnFailure::Continue,
    }
}

/// The variable of a setting; settings that are mappings have none.
pub fn variable(key: &str) -> String {
    format!("HOLODECK_{}", key.to_ascii_uppercase())
}

fn default(field: &Field) -> Value {
    match field.presence {
        Presence::Default(json) => Value::from_json(json).unwrap_or_default(),
        _ => Value::Null,
    }
}

fn flag(overrides: &Overrides, key: &str) -> Option<Value> {
    let integer = |n: u64| Value::Number(Number::from(n));
    match key {
        "llm_timeout" => overrides.llm_timeout.map(integer),
        "parallel_test_cases" => overrides.parallel_test_cases.map(integer),
        "verbose" => overrides.verbose.map(Value::Bool),
        "quiet" => overrides.quiet.map(Value::Bool),
        _ => None,
    }
}

/// A setting's variable read as the setting's type. An empty one counts as unset.
fn from_environment(
    field: &Field,
    environment: &Environment<'_>,
    diags: &mut Vec<Diagnostic>,
) -> Option<(Value, Origin)> {
    let name = variable(field.key);
    let text = environment.lookup(&name)?;
    let text = text.trim_matches(unicode::is_space);
    if text.is_empty() || matches!(field.shape, Shape::Map(_)) {
        return None;
    }
    match parse(&field.shape, text) {
        Ok(value) => Some((value, Origin::Environment(name))),
        Err(wanted) => {
            let shown = crate::shape::cut(text);
            let mut diagnostic = Diagnostic::error(
                "bad-environment",
                format!("the environment variable `{name}` must be {wanted}, not `{shown}`"),
            );
            diagnostic.path = name;
            diags.push(diagnostic);
            None
        }
    }
}

fn parse(shape: &Shape, text: &str) -> Result<Value, String> {
    let words = |text: &str| {
        let words = text
            .split(',')
            .map(|w| w.trim_matches(unicode::is_space))
            .filter(|w| !w.is_empty());
        Value::Array(words.map(|w| Value::String(w.to_owned())).collect())
    };
    match shape {
        Shape::Int { .. } => {
            let digits = text.bytes().all(|b| b.is_ascii_digit()).then_some(text);
            let digits = digits
                .map(|d| d.trim_start_matches('0'))
                .filter(|d| !d.is_empty());
            let number = digits.and_then(Number::from_lexeme);
            number
                .map(Value::Number)
                .ok_or_else(|| "an integer of at least 1".to_owned())
        }
        Shape::Bool => match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Ok(Value::Bool(true)),
            "false" | "0" | "no" | "off" => Ok(Value::Bool(false)),
            _ => Err("true, 1, yes, on, false, 0, no or off".to_owned()),
        },
        Shape::Enum(values) if !values.contains(&text) => Err(crate::shape::or_list(values)),
        Shape::List { .. } => Ok(words(text)),
        _ => Ok(Value::String(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_values_read_by_the_settings_type() {
        let int = Shape::Int {
            min: Some(1),
            max: None,
        };
        let n = |n: u64| Ok(Value::Number(Number::from(n)));
        assert_eq!(parse(&int, "7"), n(7));
        assert_eq!(parse(&int, "007"), n(7));
        for bad in ["0", "-1", "1.5", "1e3", "+1", "٣"] {
            assert!(parse(&int, bad).is_err(), "{bad}");
        }
        assert_eq!(parse(&Shape::Bool, "Off"), Ok(Value::Bool(false)));
        assert!(parse(&Shape::Bool, "2").is_err());
        assert_eq!(
            parse(
                &Shape::List {
                    of: &Shape::Text,
                    min: 0,
                    max: 9
                },
                " a,, b "
            )
            .unwrap()
            .to_json(),
            r#"["a","b"]"#
        );
    }
}
