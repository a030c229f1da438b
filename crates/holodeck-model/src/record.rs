//! What happened: facts only, no opinion on them.

use holodeck_value::Value;
use serde::{Deserialize, Serialize};

/// What happened in one turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnRecord {
    /// How it ended.
    pub end: TurnEnd,
    /// The agent's answer; an empty one is an answer.
    pub response: Option<String>,
    /// The tools it called, in order.
    pub tool_invocations: Vec<ToolInvocation>,
    /// Tokens, where the agent counts them.
    pub usage: Option<TokenUsage>,
    /// From sending the input to the end of the turn, in milliseconds; grading not included.
    pub duration_ms: u64,
    /// What became of the turn's files, as the report shows it.
    pub processed_files: Vec<Value>,
}

impl TurnRecord {
    /// A turn that was never sent.
    pub fn unsent(end: TurnEnd) -> Self {
        Self {
            end,
            response: None,
            tool_invocations: Vec::new(),
            usage: None,
            duration_ms: 0,
            processed_files: Vec::new(),
        }
    }
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TurnEnd {
    /// With a reply.
    Replied,
    /// `llm_timeout` was up.
    TimedOut,
    /// The backend failed on this turn only.
    BackendFailed {
        /// What it said.
        message: String,
    },
    /// The session failed on this turn (X4 counts these).
    SessionFailed {
        /// What it said.
        message: String,
        /// The backend says that the session can't go on.
        unrecoverable: bool,
    },
    /// It was not sent: the case had ended before it.
    Skipped {
        /// Why.
        reason: String,
    },
}

impl TurnEnd {
    /// Whether it was not sent.
    pub fn is_skipped(&self) -> bool {
        matches!(self, Self::Skipped { .. })
    }
    /// Trouble with the world rather than with the answer; told apart from failed assertions in every report (X7).
    pub fn is_infrastructure_error(&self) -> bool {
        matches!(
            self,
            Self::TimedOut | Self::BackendFailed { .. } | Self::SessionFailed { .. }
        )
    }
    /// The line that goes into the turn's `errors`.
    pub fn error(&self) -> Option<String> {
        match self {
            Self::Replied => None,
            Self::TimedOut => Some("timeout".to_owned()),
            Self::BackendFailed { message } => Some(format!("agent error: {message}")),
            Self::SessionFailed { message, .. } => Some(format!("session error: {message}")),
            Self::Skipped { reason } => Some(format!("skipped: {reason}")),
        }
    }
}

/// One tool call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolInvocation {
    /// The tool's full name.
    pub name: String,
    /// Its arguments, exactly as the agent wrote them; a mapping unless the agent wrote something else.
    pub args: Value,
    /// What it gave back; null where it gave nothing.
    pub result: Value,
    /// Why it failed.
    pub error: Option<String>,
    /// How long it took.
    pub duration_ms: Option<u64>,
}

/// Tokens of a turn, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Read.
    pub prompt_tokens: u64,
    /// Written.
    pub completion_tokens: u64,
    /// In all, at least the sum of the two.
    pub total_tokens: u64,
    /// Written to a cache.
    pub cache_creation_tokens: u64,
    /// Read from a cache.
    pub cache_read_tokens: u64,
}

/// A usage whose total is less than its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("total_tokens {total} is less than prompt_tokens + completion_tokens = {parts}")]
pub struct BadUsage {
    /// As given.
    pub total: u64,
    /// The sum.
    pub parts: u64,
}

impl TokenUsage {
    /// Usage with its total given, or summed up where not.
    pub fn new(
        prompt_tokens: u64,
        completion_tokens: u64,
        total_tokens: Option<u64>,
    ) -> Result<Self, BadUsage> {
        let parts = prompt_tokens.saturating_add(completion_tokens);
        let total = total_tokens.unwrap_or(parts);
        if total < parts {
            return Err(BadUsage { total, parts });
        }
        Ok(Self {
            prompt_tokens,
            completion_tokens,
            total_tokens: total,
            ..Self::default()
        })
    }
    /// Adds another turn's.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            prompt_tokens: self.prompt_tokens.saturating_add(other.prompt_tokens),
            completion_tokens: self
                .completion_tokens
                .saturating_add(other.completion_tokens),
            total_tokens: self.total_tokens.saturating_add(other.total_tokens),
            cache_creation_tokens: self
                .cache_creation_tokens
                .saturating_add(other.cache_creation_tokens),
            cache_read_tokens: self
                .cache_read_tokens
                .saturating_add(other.cache_read_tokens),
        }
    }
}
