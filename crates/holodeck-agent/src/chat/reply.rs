//! A reply of Chat Completions, in one piece or as a stream of chunks.

use holodeck_model::record::TokenUsage;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::conversation::{Call, ModelReply, name_ids};
use crate::http::{Told, shown_words};
use crate::lenient::{Count, Text, arguments, events};

/// A whole reply, or a chunk of one.
#[derive(Deserialize)]
struct Completion<'a> {
    #[serde(borrow, default)]
    choices: Option<Vec<Choice<'a>>>,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow, default)]
    message: Option<Message<'a>>,
    #[serde(borrow, default)]
    delta: Option<Message<'a>>,
    #[serde(default)]
    finish_reason: Text,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(default)]
    content: Text,
    #[serde(default)]
    refusal: Text,
    #[serde(borrow, default)]
    tool_calls: Option<Vec<ToolCall<'a>>>,
    /// What came before `tool_calls`; some servers still write it.
    #[serde(borrow, default)]
    function_call: Option<Function<'a>>,
}

#[derive(Deserialize)]
struct ToolCall<'a> {
    /// In chunks, which call this is a part of.
    #[serde(default)]
    index: Count,
    #[serde(default)]
    id: Text,
    #[serde(borrow, default)]
    function: Option<Function<'a>>,
    #[serde(borrow, default)]
    extra_content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Function<'a> {
    #[serde(default)]
    name: Text,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: Count,
    #[serde(default)]
    completion_tokens: Count,
    #[serde(default)]
    total_tokens: Count,
    #[serde(default)]
    prompt_tokens_details: Option<PromptDetails>,
    #[serde(default)]
    prompt_cache_hit_tokens: Count,
}

#[derive(Deserialize)]
struct PromptDetails {
    #[serde(default)]
    cached_tokens: Count,
}

/// What has been read so far.
#[derive(Default)]
struct Reading {
    text: String,
    refusal: String,
    calls: Vec<(Option<u64>, Call)>,
    /// Some servers repeat a call of `tool_calls` in the old form: it counts only where it is alone.
    old_call: Option<Call>,
    finish: Option<String>,
    usage: Option<TokenUsage>,
    has_choice: bool,
}

/// Reads a reply to its end.
pub(super) fn read(body: &str, max_tokens: u64) -> Result<ModelReply, String> {
    let mut reading = Reading::default();
    match events(body) {
        None => reading.take(body, true)?,
        Some(events) => {
            let mut is_done = false;
            for event in events {
                if event.trim() == "[DONE]" {
                    is_done = true;
                    break;
                }
                reading.take(&event, false)?;
            }
            if !is_done && reading.finish.is_none() {
                return Err("the reply, a stream, breaks off before its end".to_owned());
            }
        }
    }
    reading.end(max_tokens)
}

impl Reading {
    fn take(&mut self, json: &str, is_whole: bool) -> Result<(), String> {
        let completion: Completion<'_> = serde_json::from_str(json)
            .map_err(|error| format!("the reply can't be read ({error}): {}", shown_words(json)))?;
        if let Some(error) = completion.error.filter(|e| e.get() != "null") {
            let told = Told::read(&format!("{{\"error\":{}}}", error.get()));
            return Err(format!("the service says: {}", shown_words(&told.message)));
        }
        if let Some(usage) = completion.usage {
            self.usage = Some(tokens(&usage));
        }
        // Only one answer is asked for; should there be more, the first counts.
        let Some(choice) = completion.choices.into_iter().flatten().next() else {
            return if is_whole {
                Err(format!("the reply has no `choices`: {}", shown_words(json)))
            } else {
                Ok(())
            };
        };
        self.has_choice = true;
        self.finish = choice.finish_reason.0.or(self.finish.take());
        if let Some(message) = choice.message.or(choice.delta) {
            self.message(message, is_whole).map_err(|error| {
                format!("the reply can't be read ({error}): {}", shown_words(json))
            })?;
        }
        Ok(())
    }

    fn message(&mut self, message: Message<'_>, is_whole: bool) -> Result<(), serde_json::Error> {
        self.text.extend(message.content.0);
        self.refusal.extend(message.refusal.0);
        for call in message.tool_calls.into_iter().flatten() {
            let open = self.open(call.index.0.filter(|_| !is_whole), call.id.0);
            open.extra = call
                .extra_content
                .map(|raw| raw.get().to_owned())
                .or(open.extra.take());
            if let Some(function) = call.function {
                function.add_to(open)?;
            }
        }
        if let Some(function) = message.function_call {
            function.add_to(self.old_call.get_or_insert_default())?;
        }
        Ok(())
    }

    /// The call that a part belongs to: the one with its index and no other id, else a new one. A whole reply has no indexes, and each part is a call.
    fn open(&mut self, index: Option<u64>, id: Option<String>) -> &mut Call {
        let id = id.filter(|id| !id.is_empty());
        let fits = |(i, call): &(Option<u64>, Call)| {
            index.is_some()
                && *i == index
                && id
                    .as_ref()
                    .is_none_or(|id| call.id.is_empty() || call.id == *id)
        };
        let found = self.calls.iter().rposition(fits);
        let position = found.unwrap_or_else(|| {
            self.calls.push((index, Call::default()));
            self.calls.len() - 1
        });
        let call = &mut self.calls[position].1;
        if let Some(id) = id {
            call.id = id;
        }
        call
    }

    fn end(self, max_tokens: u64) -> Result<ModelReply, String> {
        if !self.has_choice {
            return Err("the reply, a stream, holds no answer".to_owned());
        }
        let mut calls: Vec<Call> = self.calls.into_iter().map(|(_, call)| call).collect();
        if calls.is_empty() {
            calls.extend(self.old_call);
        }
        name_ids(&mut calls);
        let finish = self.finish.as_deref().unwrap_or_default();
        let cut = match finish {
            "length" | "max_tokens" => Some(format!(
                "the reply was cut off after {max_tokens} tokens (`model.max_tokens`)"
            )),
            "content_filter" => Some("the service's content filter stopped the reply".to_owned()),
            "error" => Some("the service gave up in the middle of the reply".to_owned()),
            _ => None,
        };
        // A refusal is what the model says in place of an answer.
        let text = if self.text.is_empty() {
            self.refusal
        } else {
            self.text
        };
        Ok(ModelReply {
            text,
            calls,
            usage: self.usage,
            cut,
            opaque: Vec::new(),
        })
    }
}

impl Function<'_> {
    fn add_to(self, call: &mut Call) -> Result<(), serde_json::Error> {
        if let Some(name) = self.name.0 {
            // Some servers repeat the name in every chunk, none splits it.
            call.name = name;
        }
        if let Some(raw) = self.arguments {
            call.args.push_str(&arguments(raw)?);
        }
        Ok(())
    }
}

fn tokens(usage: &Usage) -> TokenUsage {
    let prompt = usage.prompt_tokens.0.unwrap_or(0);
    let completion = usage.completion_tokens.0.unwrap_or(0);
    let total = usage.total_tokens.0.unwrap_or(0);
    let details = usage.prompt_tokens_details.as_ref();
    let cached = details.and_then(|d| d.cached_tokens.0);
    TokenUsage {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: total.max(prompt.saturating_add(completion)),
        cache_creation_tokens: 0,
        cache_read_tokens: cached.or(usage.prompt_cache_hit_tokens.0).unwrap_or(0),
    }
}
