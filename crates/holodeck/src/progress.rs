//! The moving line on a terminal: running, done, failed, elapsed. None in a pipe, in CI or with `-q`.

use std::time::Duration;

use holodeck_model::event::Event;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::screen::Screen;

/// Progress of a run, or nothing where it would not be seen.
pub(crate) struct Progress {
    bar: ProgressBar,
    running: usize,
    failed: usize,
}

impl Progress {
    /// A line for `n_cases`, drawn only where `wanted` and the terminal can move.
    pub(crate) fn new(screen: &Screen, wanted: bool, n_cases: usize) -> Self {
        let bar = if wanted && screen.can_move() {
            let bar = ProgressBar::with_draw_target(
                Some(n_cases as u64),
                ProgressDrawTarget::stderr_with_hz(8),
            );
            let style = ProgressStyle::with_template("{pos}/{len} cases  {msg}  {elapsed}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_message("0 running  0 failed");
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        } else {
            ProgressBar::hidden()
        };
        Self {
            bar,
            running: 0,
            failed: 0,
        }
    }

    /// Takes note of what happened.
    pub(crate) fn see(&mut self, event: &Event<'_>) {
        match event {
            Event::CaseStarted { .. } => self.running += 1,
            Event::CaseFinished { outcome } => {
                self.running = self.running.saturating_sub(1);
                self.failed += usize::from(!outcome.passed());
                self.bar.inc(1);
            }
            Event::Interrupted => {
                self.bar.set_message("stopping; again to stop at once");
                return;
            }
            Event::RunStarted { .. } | Event::TurnFinished { .. } => {}
        }
        self.bar
            .set_message(format!("{} running  {} failed", self.running, self.failed));
    }

    /// Prints something above the line.
    pub(crate) fn above(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Takes the line away.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
