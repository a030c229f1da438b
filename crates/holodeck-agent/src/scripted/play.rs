//! A session that plays a script.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holodeck_model::record::{TokenUsage, ToolInvocation};
use holodeck_run::ports::{Fault, Reply, Session, TurnInput};

use super::fill::{Fill, fill, fill_value};

/// What becomes of a case.
#[derive(Clone, Debug)]
pub(super) enum Script {
    /// Its turns.
    Turns(Arc<[Turn]>),
    /// Its session can't be opened.
    OpenError(String),
}

/// What the agent does in one turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    /// Waited first: a turn that times out meanwhile has done nothing yet.
    pub(super) delay: Duration,
    pub(super) response: Option<String>,
    pub(super) tool_calls: Vec<ToolInvocation>,
    pub(super) usage: Option<TokenUsage>,
    /// What goes wrong after all that.
    pub(super) fault: Option<Fault>,
}

impl Turn {
    fn reply(&self) -> Reply {
        Reply {
            // An agent that only calls tools has said nothing, which is an answer.
            response: match (&self.response, &self.fault) {
                (None, None) => Some(String::new()),
                (response, _) => response.clone(),
            },
            tool_invocations: self.tool_calls.clone(),
            usage: self.usage,
            processed_files: Vec::new(),
            fault: self.fault.clone(),
        }
    }
}

/// One case being played.
#[derive(Debug)]
pub(super) struct Playing {
    pub(super) turns: Turns,
    /// Named in the error of a turn without a script.
    pub(super) file: String,
    /// The case's label.
    pub(super) case: String,
}

/// Where the turns of a case come from.
#[derive(Clone, Debug)]
pub(super) enum Turns {
    /// Its own.
    Own(Arc<[Turn]>),
    /// `default`, whose last turn stands for all that follow.
    Default(Arc<[Turn]>),
    /// There are none; what to say of it.
    Missing(String),
}

impl Playing {
    fn answer(&self, input: TurnInput<'_>) -> (Duration, Reply) {
        match &self.turns {
            Turns::Own(turns) => match turns.get(input.index) {
                Some(turn) => (turn.delay, turn.reply()),
                None => unscripted(format!(
                    "`{}` has no script for this turn: `{}` has {} there, and this is turns[{}]",
                    self.file,
                    self.case,
                    count(turns.len()),
                    input.index
                )),
            },
            Turns::Default(turns) => match turns.get(input.index).or(turns.last()) {
                Some(turn) => {
                    let values = Fill {
                        input: input.input,
                        turn: input.index,
                        case: &self.case,
                    };
                    (turn.delay, filled(turn.reply(), values))
                }
                None => unscripted(format!("`default` of `{}` has no turns", self.file)),
            },
            Turns::Missing(why) => unscripted(why.clone()),
        }
    }
}

fn count(turns: usize) -> String {
    match turns {
        1 => "1 turn".to_owned(),
        n => format!("{n} turns"),
    }
}

fn unscripted(message: String) -> (Duration, Reply) {
    let reply = Reply {
        fault: Some(Fault::Turn(message)),
        ..Reply::default()
    };
    (Duration::ZERO, reply)
}

/// The placeholders of a reply filled in, wherever there is text.
fn filled(reply: Reply, values: Fill<'_>) -> Reply {
    let fault = |message: String| fill(message, values);
    Reply {
        response: reply.response.map(|text| fill(text, values)),
        tool_invocations: reply
            .tool_invocations
            .into_iter()
            .map(|call| ToolInvocation {
                name: fill(call.name, values),
                args: fill_value(call.args, values),
                result: fill_value(call.result, values),
                error: call.error.map(|text| fill(text, values)),
                duration_ms: call.duration_ms,
            })
            .collect(),
        fault: reply.fault.map(|f| match f {
            Fault::Turn(message) => Fault::Turn(fault(message)),
            Fault::Session(message) => Fault::Session(fault(message)),
            Fault::Fatal(message) => Fault::Fatal(fault(message)),
            Fault::Unreachable(message) => Fault::Unreachable(fault(message)),
        }),
        ..reply
    }
}

#[async_trait]
impl Session for Playing {
    async fn send(&mut self, turn: TurnInput<'_>) -> Reply {
        let (delay, reply) = self.answer(turn);
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        reply
    }

    async fn close(self: Box<Self>) {}
}
