//! So many requests in any minute, and no more.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

const MINUTE: Duration = Duration::from_mins(1);

/// The starts of the latest requests, as many as a minute may have.
#[derive(Debug)]
pub(super) struct Pace {
    a_minute: usize,
    starts: Mutex<VecDeque<Instant>>,
}

impl Pace {
    pub(super) fn new(a_minute: usize) -> Self {
        Self {
            a_minute: a_minute.max(1),
            starts: Mutex::default(),
        }
    }

    /// Waits for a free place. A place that is given up while waiting is lost, so that the limit holds all the same.
    pub(super) async fn wait(&self) {
        let start = {
            let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            let start = if starts.len() < self.a_minute {
                now
            } else {
                starts
                    .pop_front()
                    .map_or(now, |oldest| now.max(oldest + MINUTE))
            };
            starts.push_back(start);
            start
        };
        sleep_until(start).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn no_minute_has_more_starts_than_allowed() {
        let pace = Pace::new(2);
        let begun = Instant::now();
        let mut at = Vec::new();
        for n in 0..5 {
            pace.wait().await;
            at.push(begun.elapsed().as_secs());
            if n == 0 {
                tokio::time::sleep(Duration::from_secs(10)).await;
            }
        }
        assert_eq!(at, [0, 10, 60, 70, 120]);
    }
}
