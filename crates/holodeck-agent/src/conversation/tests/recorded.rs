//! Replies of real services, recorded: nothing of a call, an argument or a token count is lost. Where the recordings are not at hand, it says so.

use serde_json::Value;

use super::{anthropic::MESSAGES, chat};
use crate::conversation::{ModelReply, Wire};

#[test]
fn recorded_replies_are_read_without_loss() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/data/transcripts"
    );
    let files = ["provider_exchanges.jsonl", "local_smollm2_exchanges.jsonl"];
    let mut n_read = 0;
    for file in files {
        let Ok(text) = std::fs::read_to_string(format!("{folder}/{file}")) else {
            println!("{file} is not there: its replies are not read");
            continue;
        };
        for (i, line) in text.lines().enumerate() {
            let exchange: Value = serde_json::from_str(line).unwrap();
            n_read += usize::from(check(&exchange, &format!("{file}:{}", i + 1)));
        }
        assert!(n_read > 20, "{n_read}");
    }
}

/// Reads a reply and compares; whether it was one of the services that are asked.
fn check(exchange: &Value, place: &str) -> bool {
    let (wire, counted): (Box<dyn Wire>, Counted) = match exchange["api"].as_str() {
        Some("openai-chat") => (chat(), count_chat),
        Some("anthropic-messages") => ((MESSAGES.wire)(), count_messages),
        _ => return false,
    };
    if exchange["status"] != 200 {
        return false;
    }
    let response = &exchange["response"];
    let (body, parts) = match response.as_str() {
        Some(stream) => (stream.to_owned(), data(stream)),
        None => (response.to_string(), vec![response.clone()]),
    };
    // Some services break a stream off with an error in it.
    if let Some(error) = parts.iter().find(|p| p["error"].is_object()) {
        let why = wire.read(&body).unwrap_err();
        let message = error["error"]["message"].as_str().unwrap();
        assert!(why.contains(message), "{place}: {why}");
        return true;
    }
    let reply = wire
        .read(&body)
        .unwrap_or_else(|why| panic!("{place}: {why}"));
    assert_eq!(seen(&reply), counted(&parts), "{place}");
    // What goes back is JSON.
    let history: Vec<String> = wire.assistant(&reply).into_iter().collect();
    let request = wire.request(&history, "");
    serde_json::from_slice::<Value>(&request).unwrap();
    true
}

type Counted = fn(&[Value]) -> String;

fn seen(reply: &ModelReply) -> String {
    let calls: Vec<String> = reply
        .calls
        .iter()
        .map(|c| format!("{} {} {}", c.id, c.name, compact(&c.args)))
        .collect();
    let usage = reply.usage.unwrap_or_default();
    format!(
        "{:?} {calls:?} {} {} {}",
        reply.text, usage.prompt_tokens, usage.completion_tokens, usage.cache_read_tokens
    )
}

/// Arguments without the spaces that only the text of a recording has.
fn compact(args: &str) -> String {
    let value = serde_json::from_str::<Value>(args);
    value.map_or_else(|_| args.to_owned(), |v| v.to_string())
}

fn data(stream: &str) -> Vec<Value> {
    let lines = stream.lines().filter_map(|l| l.strip_prefix("data:"));
    lines
        .filter_map(|json| serde_json::from_str(json).ok())
        .collect()
}

/// The same, read in the plainest way.
fn count_chat(parts: &[Value]) -> String {
    let (mut text, mut refusal, mut usage) = (String::new(), String::new(), Value::Null);
    let mut calls: Vec<[String; 3]> = Vec::new();
    for part in parts {
        if part["usage"].is_object() {
            usage = part["usage"].clone();
        }
        let choice = &part["choices"][0];
        let is_whole = choice["message"].is_object();
        let message = if is_whole {
            &choice["message"]
        } else {
            &choice["delta"]
        };
        text += message["content"].as_str().unwrap_or_default();
        refusal += message["refusal"].as_str().unwrap_or_default();
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let is_new = |last: &[String; 3]| call["id"].as_str().is_some_and(|id| id != last[0]);
            if is_whole || calls.last().is_none_or(is_new) {
                calls.push(Default::default());
            }
            let open = calls.last_mut().unwrap();
            if call["id"].is_string() {
                open[0] = call["id"].as_str().unwrap().to_owned();
                open[1] = call["function"]["name"].as_str().unwrap().to_owned();
            }
            open[2] += call["function"]["arguments"].as_str().unwrap_or_default();
        }
        if message["function_call"].is_object() && calls.is_empty() {
            let call = &message["function_call"];
            let part = |key: &str| call[key].as_str().unwrap_or_default().to_owned();
            calls.push(["call_0".to_owned(), part("name"), part("arguments")]);
        }
    }
    if text.is_empty() {
        text = refusal;
    }
    for (i, call) in calls.iter_mut().enumerate() {
        if call[0].is_empty() {
            call[0] = format!("call_{i}");
        }
    }
    let count = |value: &Value| value.as_u64().unwrap_or(0);
    let calls = calls
        .iter()
        .map(|[id, name, args]| format!("{id} {name} {}", compact(args)));
    format!(
        "{text:?} {:?} {} {} {}",
        calls.collect::<Vec<_>>(),
        count(&usage["prompt_tokens"]),
        count(&usage["completion_tokens"]),
        count(&usage["prompt_tokens_details"]["cached_tokens"])
    )
}

fn count_messages(parts: &[Value]) -> String {
    let (mut text, mut usage) = (String::new(), serde_json::Map::new());
    let mut calls: Vec<[String; 3]> = Vec::new();
    for part in parts {
        for told in [&part["usage"], &part["message"]["usage"]] {
            usage.extend(told.as_object().cloned().unwrap_or_default());
        }
        let whole = part["content"].as_array().cloned().unwrap_or_default();
        for block in whole.iter().chain([&part["content_block"]]) {
            text += block["text"].as_str().unwrap_or_default();
            if block["type"] == "tool_use" {
                let of = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
                let is_whole = part["content"].is_array();
                let input = if is_whole {
                    block["input"].to_string()
                } else {
                    String::new()
                };
                calls.push([of("id"), of("name"), input]);
            }
        }
        let delta = &part["delta"];
        text += delta["text"].as_str().unwrap_or_default();
        if let Some(call) = calls.last_mut().filter(|_| is_of_a_call(parts, part)) {
            call[2] += delta["partial_json"].as_str().unwrap_or_default();
        }
    }
    let count = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or(0);
    let read = count("cache_read_input_tokens");
    let prompt = count("input_tokens") + count("cache_creation_input_tokens") + read;
    let calls = calls
        .iter()
        .map(|[id, name, args]| format!("{id} {name} {}", compact(args)));
    let calls: Vec<String> = calls.collect();
    format!(
        "{text:?} {calls:?} {prompt} {} {read}",
        count("output_tokens")
    )
}

/// Whether a part of a stream belongs to a call of ours, and not to one that the service runs itself.
fn is_of_a_call(parts: &[Value], part: &Value) -> bool {
    parts
        .iter()
        .any(|p| p["index"] == part["index"] && p["content_block"]["type"] == "tool_use")
}
