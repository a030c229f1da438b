//! Syncs a file to disk from a thread of its own, at most once a second, so that a slow disk never holds up a run.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The longest that something written waits for its sync to begin.
const CADENCE: Duration = Duration::from_secs(1);

/// The thread and what it is told. Dropping it syncs what is left.
pub(super) struct Syncer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    dirty: bool,
    stop: bool,
    error: Option<io::Error>,
}

impl Syncer {
    pub(super) fn start(file: File) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let theirs = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("journal-sync".to_owned())
            .spawn(move || theirs.sync_until_stopped(&file))?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Something was written.
    pub(super) fn mark(&self) {
        let mut state = self.shared.lock();
        if !state.dirty {
            state.dirty = true;
            self.shared.changed.notify_one();
        }
    }

    /// What went wrong since the last call.
    pub(super) fn take_error(&self) -> Option<io::Error> {
        self.shared.lock().error.take()
    }

    /// Waits until everything that was written is on disk.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.shared.lock().stop = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // The thread has nothing that could panic.
            let _ = thread.join();
        }
        self.take_error().map_or(Ok(()), Err)
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sync_until_stopped(&self, file: &File) {
        let mut state = self.lock();
        loop {
            while !state.dirty && !state.stop {
                let woken = self.changed.wait(state);
                state = woken.unwrap_or_else(PoisonError::into_inner);
            }
            if !state.dirty {
                return;
            }
            state.dirty = false;
            drop(state);
            let synced = file.sync_data();
            state = self.lock();
            if let Err(error) = synced.or_else(tolerate) {
                state.error = Some(error);
            }
            let rest = self.changed.wait_timeout_while(state, CADENCE, |s| !s.stop);
            state = rest.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Pipes and devices can't be synced, and need not be.
fn tolerate(error: io::Error) -> io::Result<()> {
    match error.kind() {
        ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::ReadOnlyFilesystem => Ok(()),
        _ => Err(error),
    }
}
