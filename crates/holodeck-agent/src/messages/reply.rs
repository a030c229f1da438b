//! A reply of the Messages API, in one piece or as a stream of events.

use holodeck_model::record::TokenUsage;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::conversation::{Call, ModelReply, name_ids};
use crate::http::{Told, shown_words};
use crate::lenient::{Count, Text, arguments, events, quoted};

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    content: Option<Vec<&'a RawValue>>,
    #[serde(default)]
    stop_reason: Text,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

/// A block of content, or what a stream adds to one.
#[derive(Deserialize)]
struct Block<'a> {
    #[serde(default, rename = "type")]
    kind: Text,
    #[serde(default)]
    text: Text,
    #[serde(default)]
    id: Text,
    #[serde(default)]
    name: Text,
    #[serde(borrow, default)]
    input: Option<&'a RawValue>,
    #[serde(default)]
    partial_json: Text,
    #[serde(default)]
    thinking: Text,
    #[serde(default)]
    signature: Text,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(default, rename = "type")]
    kind: Text,
    #[serde(borrow, default)]
    message: Option<Message<'a>>,
    #[serde(default)]
    index: Count,
    #[serde(borrow, default)]
    content_block: Option<&'a RawValue>,
    #[serde(borrow, default)]
    delta: Option<&'a RawValue>,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Stop {
    #[serde(default)]
    stop_reason: Text,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Usage {
    #[serde(default, rename = "input_tokens")]
    input: Count,
    #[serde(default, rename = "output_tokens")]
    output: Count,
    #[serde(default, rename = "cache_creation_input_tokens")]
    cache_created: Count,
    #[serde(default, rename = "cache_read_input_tokens")]
    cache_read: Count,
}

/// What has been read so far.
#[derive(Default)]
struct Reading {
    parts: Vec<Part>,
    usage: Option<Usage>,
    stop: Option<String>,
}

/// A block as far as it has come.
#[derive(Default)]
struct Part {
    index: Option<u64>,
    kind: String,
    text: String,
    call: Call,
    thinking: String,
    signature: String,
    /// The block as it came.
    whole: String,
}

/// Reads a reply to its end.
pub(super) fn read(body: &str, max_tokens: u64) -> Result<ModelReply, String> {
    let mut reading = Reading::default();
    match events(body) {
        None => {
            let message: Message<'_> = json(body)?;
            reading.message(message, body)?;
        }
        Some(events) => {
            let mut is_done = false;
            for event in events {
                is_done |= reading.event(&event)?;
            }
            if !is_done && reading.stop.is_none() {
                return Err("the reply, a stream, breaks off before its end".to_owned());
            }
        }
    }
    Ok(reading.end(max_tokens))
}

fn json<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text)
        .map_err(|error| format!("the reply can't be read ({error}): {}", shown_words(text)))
}

fn service_says(error: &RawValue) -> String {
    let told = Told::read(&format!("{{\"error\":{}}}", error.get()));
    format!("the service says: {}", shown_words(&told.message))
}

impl Reading {
    fn message(&mut self, message: Message<'_>, body: &str) -> Result<(), String> {
        if let Some(error) = message.error.filter(|e| e.get() != "null") {
            return Err(service_says(error));
        }
        let Some(content) = message.content else {
            return Err(format!("the reply has no `content`: {}", shown_words(body)));
        };
        self.usage = message.usage;
        self.stop = message.stop_reason.0;
        for block in content {
            self.start(None, block)?;
        }
        Ok(())
    }

    /// Takes in an event; says whether it was the last.
    fn event(&mut self, text: &str) -> Result<bool, String> {
        let event: Event<'_> = json(text)?;
        match event.kind.0.as_deref().unwrap_or_default() {
            "message_start" => self.usage = event.message.and_then(|m| m.usage),
            "content_block_start" => {
                if let Some(block) = event.content_block {
                    self.start(event.index.0, block)?;
                }
            }
            "content_block_delta" => {
                let open = self.parts.iter_mut().rfind(|p| p.index == event.index.0);
                if let (Some(open), Some(delta)) = (open, event.delta) {
                    let delta: Block<'_> = json(delta.get())?;
                    open.text.extend(delta.text.0);
                    open.call.args.extend(delta.partial_json.0);
                    open.thinking.extend(delta.thinking.0);
                    open.signature.extend(delta.signature.0);
                }
            }
            "message_delta" => {
                if let Some(delta) = event.delta {
                    let stop: Stop = json(delta.get())?;
                    self.stop = stop.stop_reason.0.or(self.stop.take());
                }
                if let Some(now) = event.usage {
                    self.usage = Some(later(self.usage.unwrap_or_default(), now));
                }
            }
            "message_stop" => return Ok(true),
            "error" => {
                return Err(event.error.map_or_else(|| shown_words(text), service_says));
            }
            _ => {}
        }
        Ok(false)
    }

    fn start(&mut self, index: Option<u64>, raw: &RawValue) -> Result<(), String> {
        let block: Block<'_> = json(raw.get())?;
        let is_stream = index.is_some();
        let args = match block.input {
            // A stream starts with an empty mapping and writes the real one behind it.
            Some(input) if !(is_stream && input.get().trim() == "{}") => arguments(input)
                .map_err(|error| format!("the reply can't be read ({error})"))?
                .into_owned(),
            _ => String::new(),
        };
        self.parts.push(Part {
            index,
            kind: block.kind.0.unwrap_or_default(),
            text: block.text.0.unwrap_or_default(),
            call: Call {
                id: block.id.0.unwrap_or_default(),
                name: block.name.0.unwrap_or_default(),
                args,
                extra: None,
            },
            thinking: block.thinking.0.unwrap_or_default(),
            signature: block.signature.0.unwrap_or_default(),
            whole: if is_stream {
                String::new()
            } else {
                raw.get().to_owned()
            },
        });
        Ok(())
    }

    fn end(self, max_tokens: u64) -> ModelReply {
        let mut reply = ModelReply {
            usage: self.usage.map(tokens),
            cut: match self.stop.as_deref().unwrap_or_default() {
                "max_tokens" => Some(format!(
                    "the reply was cut off after {max_tokens} tokens (`model.max_tokens`)"
                )),
                "model_context_window_exceeded" => {
                    Some("the reply was cut off: the model's context is full".to_owned())
                }
                "refusal" => Some("the service refused to answer (`refusal`)".to_owned()),
                _ => None,
            },
            ..ModelReply::default()
        };
        for part in self.parts {
            match part.kind.as_str() {
                "text" => reply.text.push_str(&part.text),
                "tool_use" => reply.calls.push(part.call),
                // Goes back with the results of the calls that it led to.
                "thinking" | "redacted_thinking" if !part.whole.is_empty() => {
                    reply.opaque.push(part.whole);
                }
                "thinking" => reply.opaque.push(format!(
                    "{{\"type\":\"thinking\",\"thinking\":{},\"signature\":{}}}",
                    quoted(&part.thinking),
                    quoted(&part.signature)
                )),
                _ => {}
            }
        }
        if reply.calls.is_empty() {
            reply.opaque.clear();
        }
        name_ids(&mut reply.calls);
        reply
    }
}

/// Counts of a stream are sums so far: the later ones stand for the earlier ones.
fn later(before: Usage, now: Usage) -> Usage {
    let later = |before: Count, now: Count| Count(now.0.or(before.0));
    Usage {
        input: later(before.input, now.input),
        output: later(before.output, now.output),
        cache_created: later(before.cache_created, now.cache_created),
        cache_read: later(before.cache_read, now.cache_read),
    }
}

/// As Chat Completions count: tokens written to and read from a cache are among those of the prompt.
fn tokens(usage: Usage) -> TokenUsage {
    let count = |count: Count| count.0.unwrap_or(0);
    let created = count(usage.cache_created);
    let read = count(usage.cache_read);
    let prompt = count(usage.input)
        .saturating_add(created)
        .saturating_add(read);
    let completion = count(usage.output);
    TokenUsage {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt.saturating_add(completion),
        cache_creation_tokens: created,
        cache_read_tokens: read,
    }
}
