//! Ctrl-C and SIGTERM (rule X8): during a run the first stops it cleanly and the second leaves at once; before a run the first does.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use crate::exit::Exit;

/// How long those who leave at once may take to end the processes that they started.
const PATIENCE: Duration = Duration::from_secs(3);

/// Listens on a thread of its own until the program ends, so that an interrupt is heard whatever the others wait for.
#[derive(Debug)]
pub(crate) struct Interrupts {
    asked: watch::Receiver<bool>,
    leave: watch::Sender<bool>,
    is_running: Arc<AtomicBool>,
}

impl Interrupts {
    /// Begins to listen. Where that is impossible, interrupts end the program as they end any other.
    pub(crate) fn watch() -> Self {
        let (ask, asked) = watch::channel(false);
        let leave = watch::channel(false).0;
        let is_running = Arc::new(AtomicBool::new(false));
        if let Err(error) = listen(ask, leave.clone(), Arc::clone(&is_running)) {
            tracing::warn!(%error, "interrupts can't be watched");
        }
        Self {
            asked,
            leave,
            is_running,
        }
    }

    /// From now on there is something to be stopped cleanly. Becomes true when that is asked for.
    pub(crate) fn stop_cleanly(&self) -> watch::Receiver<bool> {
        self.is_running.store(true, Ordering::SeqCst);
        self.asked.clone()
    }

    /// There is nothing to be stopped any more: an interrupt ends the program.
    pub(crate) fn stop_nothing(&self) {
        self.is_running.store(false, Ordering::SeqCst);
    }

    /// Becomes true at the second interrupt: whatever runs is to be dropped. Where nobody has this, the program ends without further ado.
    pub(crate) fn leave(&self) -> watch::Receiver<bool> {
        self.leave.subscribe()
    }

    /// Whether there was an interrupt.
    pub(crate) fn is_asked(&self) -> bool {
        *self.asked.borrow()
    }
}

/// Returns when it is true. Never does where nobody can make it so.
pub(crate) async fn heard(mut signal: watch::Receiver<bool>) {
    if signal.wait_for(|is_so| *is_so).await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn listen(
    ask: watch::Sender<bool>,
    leave: watch::Sender<bool>,
    is_running: Arc<AtomicBool>,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    // Here, not on the thread: once this function is back, no interrupt is missed.
    let mut signals = runtime.block_on(async { Signals::new() })?;
    let thread = thread::Builder::new().name("interrupts".to_owned());
    thread.spawn(move || {
        runtime.block_on(async {
            signals.next().await;
            if is_running.load(Ordering::SeqCst) {
                ask.send_replace(true);
                signals.next().await;
                if leave.send(true).is_ok() {
                    let _ = timeout(PATIENCE, signals.next()).await;
                }
            }
            at_once();
        });
    })?;
    Ok(())
}

#[expect(clippy::exit, reason = "an interrupt asks for exactly this")]
fn at_once() -> ! {
    std::process::exit(i32::from(Exit::Interrupted.code()));
}

#[cfg(unix)]
struct Signals {
    int: tokio::signal::unix::Signal,
    term: tokio::signal::unix::Signal,
    /// Never looked at: whoever listens is not ended by it, and the write that went past `ulimit -f` fails instead.
    _file_too_large: Option<tokio::signal::unix::Signal>,
}

/// `SIGXFSZ` on Linux and macOS.
#[cfg(unix)]
const FILE_TOO_LARGE: i32 = 25;

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            int: signal(SignalKind::interrupt())?,
            term: signal(SignalKind::terminate())?,
            _file_too_large: signal(SignalKind::from_raw(FILE_TOO_LARGE)).ok(),
        })
    }
    async fn next(&mut self) {
        tokio::select! { _ = self.int.recv() => {}, _ = self.term.recv() => {} }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    #[expect(clippy::unnecessary_wraps, reason = "as elsewhere")]
    fn new() -> io::Result<Self> {
        Ok(Self)
    }
    async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}
