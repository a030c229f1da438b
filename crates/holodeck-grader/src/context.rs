//! What a grader is told of the turn.
//!
//! Fields are only ever added: a reader ignores those that it does not know and takes absent ones as empty.

use holodeck_value::{Object, Value};
use serde::{Deserialize, Serialize};

/// One finished turn and what led to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct GraderContext {
    /// What the user said.
    pub turn_input: String,
    /// What the agent replied.
    pub agent_response: String,
    /// The turn's `ground_truth`.
    pub ground_truth: Option<String>,
    /// The calls of this turn, in order.
    pub tool_invocations: Vec<ToolInvocation>,
    /// The turn's `retrieval_context`.
    pub retrieval_context: Option<Vec<String>>,
    /// Zero-based place in the conversation.
    pub turn_index: usize,
    /// The case's `name`.
    pub test_case_name: Option<String>,
    /// The turn's other keys as the author wrote them, with its free-form `turn_config` laid over them.
    pub turn_config: Object,
    /// The turns of this case before this one, in order.
    pub previous_turns: Vec<PreviousTurn>,
}

impl GraderContext {
    /// A first turn without calls or expectations; set the other fields as needed.
    pub fn new(turn_input: impl Into<String>, agent_response: impl Into<String>) -> Self {
        Self {
            turn_input: turn_input.into(),
            agent_response: agent_response.into(),
            ..Self::default()
        }
    }
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ToolInvocation {
    /// The tool's name.
    pub name: String,
    /// Its arguments, numbers as the agent wrote them.
    pub args: Value,
    /// What it returned; null where it failed.
    pub result: Value,
    /// Why it failed.
    pub error: Option<String>,
    /// How long it took, in milliseconds; `None` where nobody measured.
    pub duration_ms: Option<u64>,
    /// Size of the result, in bytes.
    pub bytes: u64,
}

impl ToolInvocation {
    /// A call whose result nobody looked at; set the other fields as needed.
    pub fn new(name: impl Into<String>, args: impl Into<Value>) -> Self {
        Self {
            name: name.into(),
            args: args.into(),
            ..Self::default()
        }
    }
}

/// An earlier turn of the same case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct PreviousTurn {
    /// What the user said.
    pub turn_input: String,
    /// What the agent replied.
    pub agent_response: String,
    /// The turn's `ground_truth`.
    pub ground_truth: Option<String>,
    /// Its calls, in order.
    pub tool_invocations: Vec<ToolInvocation>,
}

impl PreviousTurn {
    /// A turn without calls or expectations; set the other fields as needed.
    pub fn new(turn_input: impl Into<String>, agent_response: impl Into<String>) -> Self {
        Self {
            turn_input: turn_input.into(),
            agent_response: agent_response.into(),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_pass_as_they_were_written() {
        let text = r#"{"turn_input":"q","agent_response":"a","ground_truth":null,"tool_invocations":[{"name":"f","args":{"a":206588.0,"b":123456789012345678901234567890},"result":1e-7,"error":null,"duration_ms":3,"bytes":4}],"retrieval_context":["c"],"turn_index":2,"test_case_name":"n","turn_config":{"k":1.10},"previous_turns":[]}"#;
        let context: GraderContext = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&context).unwrap(), text);
    }

    #[test]
    fn a_context_of_another_version_is_read() {
        let context: GraderContext =
            serde_json::from_str(r#"{"turn_input": "q", "of_later": [1], "previous_turns": [{}]}"#)
                .unwrap();
        let mut expected = GraderContext::new("q", "");
        expected.previous_turns = vec![PreviousTurn::new("", "")];
        assert_eq!(context, expected);
    }
}
