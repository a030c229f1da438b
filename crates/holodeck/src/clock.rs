//! The wall clock, for stamps in reports.

use holodeck_run::ports::Clock;

/// The system's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> String {
        jiff::Timestamp::now()
            .strftime("%Y-%m-%dT%H:%M:%S.%6f+00:00")
            .to_string()
    }
}
