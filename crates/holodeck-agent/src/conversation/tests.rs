//! Conversations with a server that misbehaves, checked by its own strict rules.

mod anthropic;
mod faults;
mod loops;
mod recorded;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holodeck_run::ports::{Reply, Session as _, TurnInput};
use holodeck_value::{Number, Value};
use tokio::sync::Notify;

use super::{Conversation, Model, ModelBackend, Sampling, Wire};
use crate::chat::Chat;
use crate::http::{Checks, Http, Limits, Patience, Target};
use crate::test_server::Server;
use crate::tools::{ToolCall, ToolResult, ToolSpec, Toolbox, Tools};

pub(super) fn sampling() -> Sampling {
    Sampling {
        temperature: Number::from_lexeme("0.30").unwrap(),
        is_temperature_given: false,
        max_tokens: 1000,
        top_p: None,
        response_format: None,
    }
}

/// A wire format with replies in it.
#[derive(Clone, Copy)]
struct Format {
    name: &'static str,
    wire: fn() -> Box<dyn Wire>,
    validate: fn(&serde_json::Value) -> Result<(), String>,
    words: fn(&str) -> String,
    /// Each with its id, name and arguments.
    calls: fn(&[(&str, &str, &str)]) -> String,
    /// What ends a reply that is too long.
    too_long: &'static str,
    /// A stream that breaks off.
    cut_stream: &'static str,
}

const CHAT: Format = Format {
    name: "chat",
    wire: chat,
    validate: crate::test_server::valid_chat,
    words,
    calls: |list| {
        let list: Vec<String> = list
            .iter()
            .map(|(id, name, args)| call(id, name, args))
            .collect();
        calls(&list.iter().map(String::as_str).collect::<Vec<_>>())
    },
    too_long: "length",
    cut_stream: "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n",
};

fn chat() -> Box<dyn Wire> {
    Box::new(Chat::new("m", Some("Be terse."), sampling()))
}

fn patience(tries: u32) -> Patience {
    Patience {
        tries,
        first: Duration::from_millis(1),
        longest: Duration::from_millis(2),
    }
}

fn http(tries: u32) -> Arc<Http> {
    Arc::new(Http::new(Limits::default(), patience(tries)).unwrap())
}

async fn talk(server: &Server, wire: Box<dyn Wire>, http: Arc<Http>) -> Conversation {
    let url = format!("{}/v1/chat/completions", server.base);
    let key = "sk-very-secret-key";
    let header = (
        "authorization".parse().unwrap(),
        format!("Bearer {key}").parse().unwrap(),
    );
    let checks = Checks {
        endpoint: "`model.endpoint`".to_owned(),
        key: "`OPENAI_API_KEY`".to_owned(),
    };
    let backend = ModelBackend {
        model: Arc::new(Model {
            wire,
            http,
            target: Target::new(url.parse().unwrap(), Some(header), [key.to_owned()], checks),
            llm_timeout: Duration::from_secs(5),
            max_tool_rounds: 3,
        }),
        tools: Box::new(Shelf {
            specs: vec![spec("add"), spec("hang"), spec("break")],
            hung: Arc::clone(&server.hung),
        }),
    };
    backend.converse().await.unwrap()
}

/// Says a turn; given up as the runner does when the server or a tool hangs.
async fn say(
    server: &Server,
    conversation: &mut Conversation,
    index: usize,
    input: &str,
) -> Option<Reply> {
    let files = &[];
    let turn = TurnInput {
        index,
        input,
        files,
    };
    tokio::select! {
        reply = conversation.send(turn) => Some(reply),
        () = server.hung.notified() => None,
    }
}

/// Tools that echo their arguments, hang, or fail, by name.
#[derive(Clone)]
struct Shelf {
    specs: Vec<ToolSpec>,
    hung: Arc<Notify>,
}

fn spec(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: "Does something.".to_owned(),
        parameters: serde_json::json!({"type": "object"}),
    }
}

#[async_trait]
impl Tools for Shelf {
    async fn open(&self) -> Result<Box<dyn Toolbox>, String> {
        Ok(Box::new(self.clone()))
    }
}

#[async_trait]
impl Toolbox for Shelf {
    fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }
    async fn call(&mut self, calls: Vec<ToolCall>) -> Vec<ToolResult> {
        if calls.iter().any(|c| c.name == "hang") {
            self.hung.notify_one();
            std::future::pending::<()>().await;
        }
        let result = |call: ToolCall| {
            let broken = call.name == "break";
            ToolResult {
                result: if broken { Value::Null } else { call.args },
                error: broken.then(|| "ValueError: out of cheese".to_owned()),
                duration_ms: 1,
            }
        };
        calls.into_iter().map(result).collect()
    }
    async fn close(self: Box<Self>) {}
}

/// A reply with words.
fn words(text: &str) -> String {
    format!(
        r#"{{"choices":[{{"message":{{"role":"assistant","content":{text:?}}},"finish_reason":"stop"}}],"usage":{{"prompt_tokens":10,"completion_tokens":1,"total_tokens":11,"prompt_tokens_details":{{"cached_tokens":4}}}}}}"#
    )
}

/// A reply with calls: each the JSON of an entry of `tool_calls`.
fn calls(calls: &[&str]) -> String {
    format!(
        r#"{{"choices":[{{"message":{{"role":"assistant","content":null,"tool_calls":[{}]}},"finish_reason":"tool_calls"}}],"usage":{{"prompt_tokens":10,"completion_tokens":2}}}}"#,
        calls.join(",")
    )
}

fn call(id: &str, name: &str, args: &str) -> String {
    let args = serde_json::to_string(args).unwrap();
    format!(
        r#"{{"id":"{id}","type":"function","function":{{"name":"{name}","arguments":{args}}}}}"#
    )
}
