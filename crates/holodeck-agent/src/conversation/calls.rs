//! The calls of a reply: read, run, and recorded, the ones that can't be run among them.

use std::borrow::Cow;

use holodeck_model::record::ToolInvocation;
use holodeck_value::{Object, Value};

use super::{Call, CallResult, Conversation};
use crate::http::clip;
use crate::tools::{ToolCall, ToolResult};

/// What stands in the record of a call until its result is there.
const UNANSWERED: &str = "no result came before the turn ended";

impl Conversation {
    /// Runs the calls of a reply: those that can be run go to the toolbox together, the others are errors for the model. Results are in the order of the calls.
    ///
    /// Each call is recorded before it is run, so that a turn that is given up meanwhile shows it.
    pub(super) async fn run(&mut self, calls: Vec<Call>) -> Vec<CallResult> {
        let first = self.so_far.invocations.len();
        let mut runnable = Vec::new();
        let mut positions = Vec::new();
        for (i, call) in calls.iter().enumerate() {
            let (args, refusal) = self.refusal(call);
            if refusal.is_none() {
                positions.push(i);
                runnable.push(ToolCall {
                    name: call.name.clone(),
                    args: args.clone(),
                });
            }
            self.so_far.invocations.push(ToolInvocation {
                name: call.name.clone(),
                args,
                result: Value::Null,
                error: Some(refusal.unwrap_or_else(|| UNANSWERED.to_owned())),
                duration_ms: None,
            });
        }
        if !runnable.is_empty() {
            let results = self.toolbox.call(runnable).await;
            for (position, result) in positions.into_iter().zip(results) {
                let ToolResult {
                    result,
                    error,
                    duration_ms,
                } = result;
                let invocation = &mut self.so_far.invocations[first + position];
                invocation.result = result;
                invocation.error = error;
                invocation.duration_ms = Some(duration_ms);
            }
        }
        let recorded = &self.so_far.invocations[first..];
        let told = calls.into_iter().zip(recorded);
        told.map(|(call, recorded)| CallResult {
            id: call.id,
            text: match &recorded.error {
                Some(error) => format!("Error: {error}"),
                None => for_model(&recorded.result).into_owned(),
            },
            is_error: recorded.error.is_some(),
        })
        .collect()
    }

    /// The arguments of a call as they are recorded, and why it can't be run, if so.
    fn refusal(&self, call: &Call) -> (Value, Option<String>) {
        match arguments(&call.args) {
            Err(why) => (Value::String(call.args.clone()), Some(why)),
            Ok(args) => {
                let is_there = self.toolbox.specs().iter().any(|s| s.name == call.name);
                let refusal = (!is_there).then(|| self.unknown(&call.name));
                (Value::Object(args), refusal)
            }
        }
    }

    fn unknown(&self, name: &str) -> String {
        let names: Vec<String> = self
            .toolbox
            .specs()
            .iter()
            .map(|s| format!("`{}`", s.name))
            .collect();
        let there = if names.is_empty() {
            "no tools".to_owned()
        } else {
            names.join(", ")
        };
        format!("there is no tool `{}`; there is {there}", clip(name))
    }
}

/// Reads the arguments of a call. Nothing at all, which some services write for "none", is an empty mapping.
pub(super) fn arguments(text: &str) -> Result<Object, String> {
    let shown = || clip(text);
    if matches!(text.trim(), "" | "null") {
        return Ok(Object::new());
    }
    match Value::from_json(text) {
        Ok(Value::Object(args)) => Ok(args),
        Ok(other) => Err(format!(
            "the arguments must be a JSON object, not a {}: {}",
            other.type_name(),
            shown()
        )),
        Err(error) => Err(format!("the arguments are not JSON ({error}): {}", shown())),
    }
}

/// A result as the model reads it: text as it is, all else as JSON.
fn for_model(result: &Value) -> Cow<'_, str> {
    match result {
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_json()),
    }
}
