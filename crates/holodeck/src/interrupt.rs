//! Ctrl-C and SIGTERM (rule X8): the first stops the run cleanly, the second at once.

use tokio::sync::watch;

use crate::exit::Exit;

/// Becomes true at the first interrupt. Must be called within a runtime.
pub(crate) fn watch() -> watch::Receiver<bool> {
    let (tell, told) = watch::channel(false);
    tokio::spawn(async move {
        let mut signals = match Signals::new() {
            Ok(signals) => signals,
            Err(error) => {
                tracing::warn!(%error, "interrupts can't be watched");
                return std::future::pending().await;
            }
        };
        signals.next().await;
        tell.send_replace(true);
        signals.next().await;
        at_once();
    });
    told
}

#[expect(clippy::exit, reason = "the second interrupt asks for exactly this")]
fn at_once() -> ! {
    std::process::exit(i32::from(Exit::Interrupted.code()));
}

#[cfg(unix)]
struct Signals {
    int: tokio::signal::unix::Signal,
    term: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            int: signal(SignalKind::interrupt())?,
            term: signal(SignalKind::terminate())?,
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
    fn new() -> std::io::Result<Self> {
        Ok(Self)
    }
    async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}
