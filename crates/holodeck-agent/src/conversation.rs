//! A conversation with a model: the history, the loop of replies and tool calls, and what is left of a turn that went wrong.
//!
//! Does not know how messages are written: that is a [`Wire`]'s.

mod calls;

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holodeck_model::plan::CasePlan;
use holodeck_model::record::{TokenUsage, ToolInvocation};
use holodeck_run::ports::{Backend, Fault, OpenError, Partial, Reply, Session, TurnInput};
use holodeck_value::{Number, Value};
use tokio::time::Instant;

use crate::http::{Http, Target, Trouble};
use crate::tools::{ToolSpec, Toolbox, Tools};

/// Parameters that a service may refuse, one request each, before that is final.
const MAX_REFUSALS: u32 = 3;

/// How a model service wants its messages written. Each message is its JSON text, written once.
pub(crate) trait Wire: Debug + Send + Sync {
    /// What the user says.
    fn user(&self, text: &str) -> String;
    /// What the model said; `None` where that would be no message at all.
    fn assistant(&self, reply: &ModelReply) -> Option<String>;
    /// What its calls came to, in their order.
    fn results(&self, results: &[CallResult]) -> Vec<String>;
    /// The tools as a request offers them.
    fn tools(&self, specs: &[ToolSpec]) -> String;
    /// A request.
    fn request(&self, history: &[String], tools: &str) -> Vec<u8>;
    /// Reads a reply, streamed or not; says what is wrong with it.
    fn read(&self, body: &str) -> Result<ModelReply, String>;
    /// A request was refused: whether the next one will do without what was complained of.
    fn adapt(&self, refused: &Trouble) -> bool;
}

/// How replies are asked for.
#[derive(Clone, Debug)]
pub(crate) struct Sampling {
    pub(crate) temperature: Number,
    /// The author asked for it; else a model that takes none does without.
    pub(crate) is_temperature_given: bool,
    pub(crate) max_tokens: u64,
    pub(crate) top_p: Option<Number>,
    /// JSON Schema of the reply.
    pub(crate) response_format: Option<Value>,
}

/// What a model said.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ModelReply {
    /// Its words; none is an empty answer.
    pub(crate) text: String,
    /// The calls that it asks for.
    pub(crate) calls: Vec<Call>,
    pub(crate) usage: Option<TokenUsage>,
    /// Why the reply is not all that the model meant to say.
    pub(crate) cut: Option<String>,
    /// Parts that must be given back as they came, each its JSON text.
    pub(crate) opaque: Vec<String>,
}

/// A call that a model asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Call {
    /// Pairs it with its result; never empty, and unique in its reply.
    pub(crate) id: String,
    pub(crate) name: String,
    /// Its arguments as the model wrote them.
    pub(crate) args: String,
    /// What else the service wants back with it.
    pub(crate) extra: Option<String>,
}

impl Call {
    /// The arguments as they may stand in a history: JSON of a mapping, whatever the model wrote.
    pub(crate) fn args_for_history(&self) -> &str {
        match calls::arguments(&self.args) {
            Ok(_) if !self.args.trim().is_empty() => &self.args,
            _ => "{}",
        }
    }
}

/// Gives ids to calls that have none, or another's.
pub(crate) fn name_ids(calls: &mut [Call]) {
    let mut seen = BTreeSet::new();
    for (i, call) in calls.iter_mut().enumerate() {
        if call.id.is_empty() || seen.contains(&call.id) {
            call.id = format!("call_{i}");
            while seen.contains(&call.id) {
                call.id.push('_');
            }
        }
        seen.insert(call.id.clone());
    }
}

/// What a call came to, as the model is told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CallResult {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

/// A model service with what its sessions share.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) wire: Box<dyn Wire>,
    pub(crate) http: Arc<Http>,
    pub(crate) target: Target,
    pub(crate) llm_timeout: Duration,
    pub(crate) max_tool_rounds: u64,
}

/// A backend that asks a model.
pub(crate) struct ModelBackend {
    pub(crate) model: Arc<Model>,
    pub(crate) tools: Box<dyn Tools>,
}

#[async_trait]
impl Backend for ModelBackend {
    async fn open(&self, _: &CasePlan) -> Result<Box<dyn Session>, OpenError> {
        Ok(Box::new(self.converse().await?))
    }
}

impl ModelBackend {
    async fn converse(&self) -> Result<Conversation, OpenError> {
        let toolbox = self.tools.open().await;
        let toolbox = toolbox.map_err(|message| OpenError { message })?;
        Ok(Conversation {
            tools: self.model.wire.tools(toolbox.specs()),
            model: Arc::clone(&self.model),
            toolbox,
            history: Vec::new(),
            complete: 0,
            so_far: SoFar::default(),
        })
    }
}

/// One conversation.
struct Conversation {
    model: Arc<Model>,
    toolbox: Box<dyn Toolbox>,
    tools: String,
    /// Messages, the system prompt left out.
    history: Vec<String>,
    /// How many of them belong to complete exchanges; the rest is rolled back when the turn ends badly (rule X3).
    complete: usize,
    so_far: SoFar,
}

/// What has happened in the open turn.
#[derive(Debug, Default)]
struct SoFar {
    invocations: Vec<ToolInvocation>,
    usage: Option<TokenUsage>,
    /// The beginning of an answer that was cut off.
    cut_text: Option<String>,
}

impl Conversation {
    /// Plays a turn to its last reply. The history holds the exchange so far, whatever becomes of it.
    async fn converse(&mut self, turn: TurnInput<'_>) -> Result<String, Fault> {
        if !turn.files.is_empty() {
            return Err(Fault::Turn(
                "this version sends no files to models: the turn was not sent".to_owned(),
            ));
        }
        let deadline = Instant::now() + self.model.llm_timeout;
        self.history.push(self.model.wire.user(turn.input));
        let mut rounds = 0;
        loop {
            let reply = self.model.ask(&self.history, &self.tools, deadline).await?;
            self.so_far.usage = match (self.so_far.usage, reply.usage) {
                (Some(before), Some(now)) => Some(before.plus(now)),
                (before, now) => now.or(before),
            };
            if let Some(cut) = reply.cut {
                self.so_far.cut_text = Some(reply.text).filter(|text| !text.is_empty());
                return Err(Fault::Turn(cut));
            }
            self.history.extend(self.model.wire.assistant(&reply));
            if reply.calls.is_empty() {
                return Ok(reply.text);
            }
            if rounds == self.model.max_tool_rounds {
                return Err(Fault::Turn(format!(
                    "the model still calls tools after {rounds} rounds of them (`execution.max_tool_rounds`)"
                )));
            }
            rounds += 1;
            let results = self.run(reply.calls).await;
            self.history.extend(self.model.wire.results(&results));
        }
    }
}

impl Model {
    /// One request, as often as it must be sent, and its reply.
    pub(crate) async fn ask(
        &self,
        history: &[String],
        tools: &str,
        deadline: Instant,
    ) -> Result<ModelReply, Fault> {
        let Self {
            wire, http, target, ..
        } = self;
        let mut refusals = 0;
        loop {
            let request = wire.request(history, tools);
            match http.post(target, request, deadline).await {
                Ok(body) => {
                    return wire.read(&body).map_err(|why| {
                        // Read once more without secrets, so that none is cut in half by what is quoted.
                        let masked = wire.read(&target.masked(&body));
                        Fault::Turn(target.masked(&masked.err().unwrap_or(why)))
                    });
                }
                Err(trouble) if refusals < MAX_REFUSALS && wire.adapt(&trouble) => refusals += 1,
                Err(trouble) if trouble.nobody => return Err(Fault::Unreachable(trouble.message)),
                Err(trouble) => return Err(Fault::Turn(trouble.message)),
            }
        }
    }
}

#[async_trait]
impl Session for Conversation {
    async fn send(&mut self, turn: TurnInput<'_>) -> Reply {
        self.so_far = SoFar::default();
        let ended = self.converse(turn).await;
        let SoFar {
            invocations,
            usage,
            cut_text,
        } = std::mem::take(&mut self.so_far);
        let (response, fault) = match ended {
            Ok(text) => {
                self.complete = self.history.len();
                (Some(text), None)
            }
            Err(fault) => {
                self.history.truncate(self.complete);
                (cut_text, Some(fault))
            }
        };
        Reply {
            response,
            tool_invocations: invocations,
            usage,
            processed_files: Vec::new(),
            fault,
        }
    }

    async fn abandon(&mut self) -> Partial {
        self.history.truncate(self.complete);
        let SoFar {
            invocations, usage, ..
        } = std::mem::take(&mut self.so_far);
        Partial {
            tool_invocations: invocations,
            usage,
            session_lost: None,
        }
    }

    async fn close(self: Box<Self>) {
        self.toolbox.close().await;
    }
}

#[cfg(test)]
mod tests;
