//! What an agent answers, from text to a reply.
//!
//! What is wrong in it fails its turn; what is right beside it is kept.

use holodeck_model::mask::Masker;
use holodeck_model::record::{TokenUsage, ToolInvocation};
use holodeck_run::ports::{Fault, Reply};
use holodeck_value::{Object, Value};
use holodeck_worker::excerpt;

/// An answer to a turn.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Which message it answers.
    pub(crate) id: u64,
    /// Which turn; `None` where it does not say.
    pub(crate) turn_index: Option<u64>,
    /// What it says.
    pub(crate) reply: Reply,
}

/// Reads an answer.
///
/// # Errors
/// In words, where it can't be told what the text answers; without the secrets that `masker` knows, as a part of one would not be
/// recognised later.
pub(crate) fn answer(text: &str, masker: &Masker) -> Result<Answer, String> {
    read(text).map_err(|problem| format!("{problem}: {}", excerpt(&masker.text(text))))
}

fn read(text: &str) -> Result<Answer, String> {
    let value = Value::from_json(text).map_err(|error| format!("that is no JSON ({error})"))?;
    let Value::Object(object) = value else {
        return Err("that is no JSON object".to_owned());
    };
    let Some(id) = object.get("id").and_then(whole) else {
        return Err("without an `id`".to_owned());
    };
    let turn_index = object.get("turn_index").and_then(whole);
    let mut reply = Reply::default();
    if let Err(wrong) = fill(&mut reply, object, turn_index) {
        reply.fault = Some(Fault::Turn(format!("the agent's reply is wrong: {wrong}")));
    }
    Ok(Answer {
        id,
        turn_index,
        reply,
    })
}

/// Takes over all that is right; the first mistake is told.
fn fill(reply: &mut Reply, object: Object, turn_index: Option<u64>) -> Result<(), String> {
    let mut wrong = None;
    let mut note = |mistake: String| {
        wrong.get_or_insert(mistake);
    };
    let mut says_response = false;
    let mut says_error = false;
    for (key, value) in object {
        if value == Value::Null {
            continue;
        }
        match key.as_str() {
            "response" => match value {
                Value::String(text) => {
                    says_response = true;
                    reply.response = Some(text);
                }
                other => note(mismatch("response", "a string", &other)),
            },
            "tool_calls" => match value {
                Value::Array(calls) => {
                    for (i, call) in calls.into_iter().enumerate() {
                        match tool_call(call) {
                            Ok(call) => reply.tool_invocations.push(call),
                            Err(mistake) => note(format!("tool_calls[{i}]{mistake}")),
                        }
                    }
                }
                other => note(mismatch("tool_calls", "a list", &other)),
            },
            "usage" => match usage(&value) {
                Ok(usage) => reply.usage = Some(usage),
                Err(mistake) => note(format!("usage{mistake}")),
            },
            "error" => match error(value) {
                Ok(fault) => {
                    says_error = true;
                    reply.fault = Some(fault);
                }
                Err(mistake) => note(format!("error{mistake}")),
            },
            _ => {}
        }
    }
    if turn_index.is_none() {
        note("it has no `turn_index`".to_owned());
    }
    if !says_response && !says_error {
        note("it has neither a `response` nor an `error`".to_owned());
    }
    match (wrong, &reply.fault) {
        // The agent's own word of what went wrong is worth more.
        (Some(wrong), None) => Err(wrong),
        _ => Ok(()),
    }
}

fn tool_call(value: Value) -> Result<ToolInvocation, String> {
    let Value::Object(object) = value else {
        return Err(mismatch("", "a mapping", &value));
    };
    let mut name = None;
    let mut call = ToolInvocation {
        name: String::new(),
        args: Value::Object(Object::new()),
        result: Value::Null,
        error: None,
        duration_ms: None,
    };
    for (key, value) in object {
        match (key.as_str(), value) {
            ("name", Value::String(text)) if !text.is_empty() => name = Some(text),
            ("name", _) => return Err(".name: expected a name".to_owned()),
            ("result", value) => call.result = value,
            (_, Value::Null) => {}
            ("args", value) => call.args = value,
            ("error", Value::String(text)) => call.error = Some(text),
            ("error", other) => return Err(mismatch(".error", "a string", &other)),
            ("duration_ms", value) => match milliseconds(&value) {
                Some(ms) => call.duration_ms = Some(ms),
                None => return Err(mismatch(".duration_ms", "a number of at least 0", &value)),
            },
            _ => {}
        }
    }
    call.name = name.ok_or(".name is missing")?;
    Ok(call)
}

fn usage(value: &Value) -> Result<TokenUsage, String> {
    let Value::Object(object) = value else {
        return Err(mismatch("", "a mapping", value));
    };
    let count = |key: &str| match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match whole(value) {
            Some(n) => Ok(Some(n)),
            None => Err(mismatch(
                &format!(".{key}"),
                "an integer of at least 0",
                value,
            )),
        },
    };
    let needed = |key: &str| count(key)?.ok_or_else(|| format!(".{key} is missing"));
    let usage = TokenUsage::new(
        needed("prompt_tokens")?,
        needed("completion_tokens")?,
        count("total_tokens")?,
    );
    Ok(TokenUsage {
        cache_creation_tokens: count("cache_creation_tokens")?.unwrap_or_default(),
        cache_read_tokens: count("cache_read_tokens")?.unwrap_or_default(),
        ..usage.map_err(|error| format!(": {error}"))?
    })
}

fn error(value: Value) -> Result<Fault, String> {
    let Value::Object(object) = value else {
        return Err(mismatch("", "a mapping", &value));
    };
    let message = match object.get("message") {
        Some(Value::String(text)) if !text.trim().is_empty() => text.clone(),
        Some(Value::String(_) | Value::Null) | None => "it did not say what went wrong".to_owned(),
        Some(other) => return Err(mismatch(".message", "a string", other)),
    };
    match object.get("fatal") {
        None | Some(Value::Null | Value::Bool(false)) => Ok(Fault::Turn(message)),
        Some(Value::Bool(true)) => Ok(Fault::Fatal(message)),
        Some(other) => Err(mismatch(".fatal", "true or false", other)),
    }
}

fn mismatch(key: &str, wanted: &str, value: &Value) -> String {
    format!("{key}: expected {wanted}, got {}", value.type_name())
}

fn whole(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64(),
        _ => None,
    }
}

/// Clocks give fractions too; these are cut off.
fn milliseconds(value: &Value) -> Option<u64> {
    let Value::Number(number) = value else {
        return None;
    };
    let ms = number.as_f64();
    if !(ms.is_finite() && ms >= 0.0) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "cut off, and at least 0"
    )]
    Some(number.as_u64().unwrap_or(ms as u64))
}
