//! Awaits code that is not ours: bounded in time, given up when the run stops, its panics caught.

use std::any::Any;
use std::fmt;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

/// How the wait for a future ended.
#[derive(Debug)]
pub(crate) enum Ended<T> {
    Done(T),
    TimedOut,
    Panicked(Panicked),
    /// The run is being stopped.
    Stopped,
}

/// A caught panic, with its message in one line.
#[derive(Debug)]
pub(crate) struct Panicked(String);

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "panicked: {}", self.0)
    }
}

/// Tells the tasks of a run that it is being stopped.
#[derive(Clone, Debug)]
pub(crate) struct Stop(pub(crate) watch::Receiver<bool>);

impl Stop {
    pub(crate) fn is_asked(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns when the run is being stopped; never where nobody can stop it any more.
    pub(crate) async fn asked(&mut self) {
        if self.0.wait_for(|stop| *stop).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Awaits `future` until it is done, `limit` is up, it panics or the run is stopped.
///
/// A stop is looked at first: a future that is always ready could not be stopped otherwise.
pub(crate) async fn bounded<F: Future>(
    future: F,
    limit: Option<Duration>,
    stop: &mut Stop,
) -> Ended<F::Output> {
    tokio::select! {
        biased;
        () = stop.asked() => Ended::Stopped,
        ended = within(future, limit) => ended,
    }
}

/// Awaits `future` until it is done, `limit` is up or it panics, whether or not the run is being stopped.
pub(crate) async fn within<F: Future>(future: F, limit: Option<Duration>) -> Ended<F::Output> {
    let future = caught(future);
    let ended = match limit {
        Some(limit) => timeout(limit, future).await,
        None => Ok(future.await),
    };
    match ended {
        Ok(Ok(output)) => Ended::Done(output),
        Ok(Err(panicked)) => Ended::Panicked(panicked),
        Err(_) => Ended::TimedOut,
    }
}

/// Awaits `future`, turning a panic into an error. Whatever it was working on may be half done then.
pub(crate) async fn caught<F: Future>(future: F) -> Result<F::Output, Panicked> {
    let mut future = pin!(future);
    poll_fn(
        |cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(poll) => poll.map(Ok),
            Err(payload) => Poll::Ready(Err(Panicked::new(payload.as_ref()))),
        },
    )
    .await
}

/// Calls `f`, turning a panic into an error.
pub(crate) fn caught_call<T>(f: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| Panicked::new(payload.as_ref()))
}

impl Panicked {
    fn new(payload: &(dyn Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "without a message".to_owned());
        Self(text.lines().map(str::trim).collect::<Vec<_>>().join(" "))
    }
}
