//! What the runner needs from outside: an agent, a judge, a clock.
//!
//! None of them is trusted: a future that panics or never ends spoils its own turn or case and no other.
//! What none of them may do is block the thread: then other cases wait with it. Long work belongs in a task that may block.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use holodeck_model::outcome::TurnOutcome;
use holodeck_model::plan::{CasePlan, FileInput, TurnPlan};
use holodeck_model::record::{TokenUsage, ToolInvocation, TurnRecord};
use holodeck_model::verdict::TurnVerdict;
use holodeck_value::Value;

/// The three of them, shared by the cases that are played at once.
#[derive(Clone)]
pub struct Ports {
    /// Who answers.
    pub backend: Arc<dyn Backend>,
    /// Who says what an answer was worth.
    pub judge: Arc<dyn TurnJudge>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
}

impl fmt::Debug for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ports").finish_non_exhaustive()
    }
}

/// An agent that conversations can be opened with.
#[async_trait]
pub trait Backend: Send + Sync {
    /// Opens a fresh session for a case. The future is dropped when `llm_timeout` is up or the run is interrupted: what it had begun must end with it.
    async fn open(&self, case: &CasePlan) -> Result<Box<dyn Session>, OpenError>;
}

/// A live conversation.
#[async_trait]
pub trait Session: Send {
    /// Says one turn and waits for the answer. The future is dropped when the turn's time is up or the run is interrupted; [`Session::abandon`] follows then.
    async fn send(&mut self, turn: TurnInput<'_>) -> Reply;
    /// A turn's future was dropped (or panicked): ends it, leaves the history well formed without the half-made exchange (X3), and says what had happened until then.
    /// Has 6 seconds, so that an agent can be given 5 and still be ended by force; past them the session counts as lost.
    async fn abandon(&mut self) -> Partial {
        Partial::default()
    }
    /// Ends the conversation, whatever happened. Called exactly once; has 6 seconds, then it is dropped.
    async fn close(self: Box<Self>);
}

/// What is said in a turn.
#[derive(Clone, Copy, Debug)]
pub struct TurnInput<'a> {
    /// Position in the case, from 0.
    pub index: usize,
    /// The text.
    pub input: &'a str,
    /// Files that go with it.
    pub files: &'a [FileInput],
}

/// What came of a turn; `fault` says what went wrong, beside what came before it.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The answer; an empty one is an answer. `None` without a `fault` is a mistake of the backend, and the turn fails for it.
    pub response: Option<String>,
    /// Tool calls in order.
    pub tool_invocations: Vec<ToolInvocation>,
    /// Tokens.
    pub usage: Option<TokenUsage>,
    /// What became of the files.
    pub processed_files: Vec<Value>,
    /// What went wrong.
    pub fault: Option<Fault>,
}

/// What had happened when a turn was given up.
#[derive(Clone, Debug, Default)]
pub struct Partial {
    /// Tool calls until then.
    pub tool_invocations: Vec<ToolInvocation>,
    /// Tokens until then.
    pub usage: Option<TokenUsage>,
    /// The session can't go on.
    pub session_lost: Option<String>,
}

/// Why a turn went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// This turn only; the session goes on.
    Turn(String),
    /// The session failed on this turn; two in a row end it (X4).
    Session(String),
    /// The session can't go on.
    Fatal(String),
    /// The agent can't be reached at all, or lets nobody in: this turn only, but where nothing was ever answered in the run it ends with this case. Says what to check.
    Unreachable(String),
}

impl Fault {
    /// What went wrong, whichever kind it is.
    pub fn message(self) -> String {
        match self {
            Self::Turn(why) | Self::Session(why) | Self::Fatal(why) | Self::Unreachable(why) => why,
        }
    }
}

/// A session could not be opened.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct OpenError {
    /// What the backend said.
    pub message: String,
}

/// Says what a turn was worth, as soon as it ended.
#[async_trait]
pub trait TurnJudge: Send + Sync {
    /// Judges one turn; `previous` are the earlier turns of the case. Asked for every turn that was sent, right after it ended and however it ended; not for skipped ones.
    /// Takes the time it needs: none of it counts into the turn. The future is dropped when the run is interrupted.
    async fn judge(
        &self,
        case: &CasePlan,
        turn: &TurnPlan,
        record: &TurnRecord,
        previous: &[TurnOutcome],
    ) -> TurnVerdict;
}

/// Wall-clock stamps for the report.
pub trait Clock: Send + Sync {
    /// RFC 3339 in UTC with microseconds: `2026-12-01T02:47:11.632825+00:00`.
    fn now(&self) -> String;
}
