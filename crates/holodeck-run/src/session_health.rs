//! When a session counts as lost (rule X4).

use holodeck_model::record::TurnEnd;

/// What is known of a session after the turns it has had.
#[derive(Debug, Default)]
pub(crate) struct SessionHealth {
    failed_last: bool,
}

impl SessionHealth {
    /// Takes in how a turn ended; says why the session is lost, if it is.
    pub(crate) fn after(&mut self, end: &TurnEnd) -> Option<String> {
        let failed_before = std::mem::take(&mut self.failed_last);
        let TurnEnd::SessionFailed {
            message,
            unrecoverable,
        } = end
        else {
            return None;
        };
        self.failed_last = true;
        if *unrecoverable {
            Some(format!("the session was lost: {message}"))
        } else if failed_before {
            Some(format!(
                "the session failed on two turns in a row, at last with: {message}"
            ))
        } else {
            None
        }
    }
}
