//! The agent as it was checked, for the run file.

use holodeck_value::Value;

use super::{Settings, layers};
use crate::shape::{Checked, Record};

/// agent.yaml with defaults filled in, what the config files lend it, and `execution` as it was resolved.
pub(super) fn snapshot(record: &Record<'_>, configs: &[&Record<'_>], settings: &Settings) -> Value {
    let mut value = record.to_value(true);
    if let Value::Object(object) = &mut value {
        if let Some(model) = record.record("model") {
            object.insert("model", model_value(model, configs));
        }
        object.insert("tools", tools(record, configs));
        let execution = settings
            .entries()
            .iter()
            .map(|s| (s.key.to_owned(), s.value.clone()));
        object.insert("execution", Value::Object(execution.collect()));
    }
    value
}

fn model_value(model: &Record<'_>, configs: &[&Record<'_>]) -> Value {
    let Value::Object(mut object) = model.to_value(true) else {
        return Value::Null;
    };
    let provider = model.text("provider").unwrap_or_default();
    let lent: Vec<&Record<'_>> = configs
        .iter()
        .filter_map(|config| layers::provider(config, provider))
        .collect();
    for key in model.shape().keys().filter(|key| model.get(key).is_none()) {
        if let Some(value) = lent.iter().find_map(|lent| lent.get(key)) {
            object.insert(key, value.to_value(true));
        }
    }
    Value::Object(object)
}

/// Declared tools, then those of the config files whose names are free; null where there are none.
fn tools(record: &Record<'_>, configs: &[&Record<'_>]) -> Value {
    let own = record.list("tools").unwrap_or_default().iter();
    let shared = configs
        .iter()
        .flat_map(|config| config.list("mcp_servers").unwrap_or_default());
    let mut seen = std::collections::BTreeSet::new();
    let all = own.chain(shared).filter_map(Checked::as_record);
    let all = all.filter(|tool| seen.insert(tool.text("name")));
    let all: Vec<Value> = all.map(|tool| tool.to_value(true)).collect();
    if all.is_empty() {
        Value::Null
    } else {
        Value::Array(all)
    }
}
