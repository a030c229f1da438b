//! Where everything that waits is carried out, and what an interrupt does to it.

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use crate::exit::Exit;
use crate::interrupt::{Interrupts, heard};
use crate::screen::Screen;

/// How long what was dropped may take to go.
const FAREWELL: Duration = Duration::from_secs(2);

/// A runtime, and an ear for interrupts. When it is dropped, all that still runs on it is.
#[derive(Debug)]
pub(crate) struct Stage {
    runtime: Option<Runtime>,
    interrupts: Interrupts,
}

impl Stage {
    /// Sets it up.
    pub(crate) fn new(screen: &Screen) -> Result<Self, Exit> {
        let interrupts = Interrupts::watch();
        let runtime = Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| {
            screen.say(&format!("error: cannot start a thread: {error}"));
            Exit::NotCarriedOut
        })?;
        Ok(Self {
            runtime: Some(runtime),
            interrupts,
        })
    }

    /// Does something that can be stopped cleanly: it is given what tells it to at the first interrupt, and dropped at the second (`None`).
    pub(crate) fn play<T, F: Future<Output = T>>(
        &self,
        doing: impl FnOnce(watch::Receiver<bool>) -> F,
    ) -> Option<T> {
        let leave = self.interrupts.leave();
        let doing = doing(self.interrupts.stop_cleanly());
        self.block_on(async {
            tokio::select! {
                done = doing => Some(done),
                () = heard(leave) => None,
            }
        })
    }

    /// Does something that an interrupt drops (`None`).
    pub(crate) fn try_to<T>(&self, doing: impl Future<Output = T>) -> Option<T> {
        // While somebody has this, a second interrupt gives what is dropped the time to go.
        let _leave = self.interrupts.leave();
        let asked = self.interrupts.stop_cleanly();
        let done = self.block_on(async {
            tokio::select! {
                done = doing => Some(done),
                () = heard(asked) => None,
            }
        });
        if done.is_some() {
            self.interrupts.stop_nothing();
        }
        done
    }

    /// Whether there was an interrupt.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupts.is_asked()
    }

    fn block_on<T>(&self, doing: impl Future<Output = T>) -> T {
        let runtime = self.runtime.as_ref();
        runtime.expect("it is there until the drop").block_on(doing)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(FAREWELL);
        }
    }
}
