//! Whether the agent can be reached at all: where it can't, a run ends with the first case that shows it.
//!
//! The rule: a turn ends [`Fault::Unreachable`] and nothing was ever answered in the run, by no case. Then the rest of that
//! case is skipped and no other case is played. As soon as anything was answered, such a fault costs its own turn only.

use std::sync::Mutex;

use crate::ports::{Fault, Partial, Reply};

/// What the cases of a run have seen of the agent.
#[derive(Debug, Default)]
pub(crate) struct Reach(Mutex<State>);

#[derive(Debug, Default)]
enum State {
    #[default]
    Unknown,
    Answered,
    Unreachable(String),
}

impl Reach {
    /// Takes in a reply; says why the agent can't be reached, if that is so.
    pub(crate) fn after(&self, reply: &Reply) -> Option<String> {
        let mut state = self.lock();
        if reply.response.is_some() || !reply.tool_invocations.is_empty() {
            *state = State::Answered;
        }
        match (&reply.fault, &*state) {
            (Some(Fault::Unreachable(why)), State::Unknown | State::Unreachable(_)) => {
                *state = State::Unreachable(why.clone());
                Some(why.clone())
            }
            _ => None,
        }
    }

    /// Takes in a turn that was given up.
    pub(crate) fn after_partial(&self, partial: &Partial) {
        if !partial.tool_invocations.is_empty() {
            *self.lock() = State::Answered;
        }
    }

    /// Why the agent can't be reached, if no case has had an answer and one says so.
    pub(crate) fn unreachable(&self) -> Option<String> {
        match &*self.lock() {
            State::Unreachable(why) => Some(why.clone()),
            State::Unknown | State::Answered => None,
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
