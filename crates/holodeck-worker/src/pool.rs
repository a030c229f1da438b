//! As many workers as calls are made at once.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::command::{Hello, WorkerCommand, fresh_mark};
use crate::leftovers::{self, Whose};
use crate::trouble::{CallError, Output, Trouble};
use crate::worker::Worker;

/// What came back from a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The worker's JSON object, its `id` included.
    pub body: String,
    /// What was printed during the call.
    pub output: Output,
}

/// Workers of one command. They start on first need, idle ones are used again, one that ended is replaced.
///
/// It needs a tokio runtime with time and IO. Dropped, it ends its workers at once; [`Pool::close`] does so the friendly way.
#[derive(Debug)]
pub struct Pool {
    command: WorkerCommand,
    hello: Hello,
    /// The beginning of all its workers' marks.
    mark: String,
    n_started: AtomicU64,
    said_hello: OnceLock<String>,
    free: Semaphore,
    idle: Mutex<Vec<Worker>>,
}

impl Pool {
    /// A pool without workers that never has more than `limit`. A call beyond that waits for one that ends.
    pub fn new(command: WorkerCommand, hello: Hello, limit: NonZeroUsize) -> Self {
        Self {
            command,
            hello,
            mark: fresh_mark(),
            n_started: AtomicU64::new(0),
            said_hello: OnceLock::new(),
            free: Semaphore::new(limit.get().min(Semaphore::MAX_PERMITS)),
            idle: Mutex::new(Vec::new()),
        }
    }

    /// Sends the JSON object `body` to a worker, with an `id` of ours put first, and returns its answer.
    ///
    /// `deadline` is for the answer alone: waiting for a free worker does not count, and a new worker has
    /// [`WorkerCommand::start_deadline`] of its own. A call that is dropped ends its worker.
    ///
    /// # Errors
    /// See [`Trouble`]. The worker has ended then, with all its processes, and the next call gets another.
    pub async fn call(&self, body: &str, deadline: Duration) -> Result<Answer, CallError> {
        self.call_prepared(None, body, deadline).await
    }

    /// The same with a request that each worker answers once before, if it has not done so yet. It has
    /// [`WorkerCommand::start_deadline`] of its own; what it answers and prints is not kept.
    ///
    /// # Errors
    /// As [`Pool::call`], also where the preparation fails.
    pub async fn call_prepared(
        &self,
        preparation: Option<&str>,
        body: &str,
        deadline: Duration,
    ) -> Result<Answer, CallError> {
        let Ok(_turn) = self.free.acquire().await else {
            return Err(CallError {
                trouble: Trouble::Closed,
                output: Output::default(),
            });
        };
        let mut worker = match self.idle_worker() {
            Some(worker) => worker,
            None => self.new_worker().await?,
        };
        let prepared = match preparation {
            Some(request) => worker.prepare(request, self.command.start_deadline).await,
            None => Ok(()),
        };
        let answered = match prepared {
            Ok(()) => worker.call(body, deadline).await,
            Err(error) => Err(error),
        };
        if answered.is_ok() || worker.is_usable() {
            self.put_back(worker).await;
        }
        answered.map(|(body, output)| Answer { body, output })
    }

    /// Ends all idle workers: closes their pipes, waits a second, ends them by force, and looks for processes they left behind. Calls
    /// that are being made end as usual, new ones fail.
    pub async fn close(&self) {
        self.free.close();
        let workers = std::mem::take(&mut *self.lock());
        let mut dismissals: JoinSet<()> = workers.into_iter().map(Worker::dismiss).collect();
        while dismissals.join_next().await.is_some() {}
        if self.n_started.load(Ordering::Relaxed) > 0 {
            let whose = Whose::Pool(self.mark.clone());
            let _ = tokio::task::spawn_blocking(move || leftovers::end_all(&whose, None)).await;
        }
    }

    /// The first line of the first worker that started.
    pub fn hello(&self) -> Option<&str> {
        self.said_hello.get().map(String::as_str)
    }

    async fn new_worker(&self) -> Result<Worker, CallError> {
        let (worker, hello) = Worker::start(&self.command, self.hello, self.next_mark()).await?;
        self.said_hello.get_or_init(|| hello);
        Ok(worker)
    }

    async fn put_back(&self, worker: Worker) {
        if self.free.is_closed() {
            worker.dismiss().await;
        } else {
            self.lock().push(worker);
        }
    }

    /// The one used last, as it is the warmest.
    fn idle_worker(&self) -> Option<Worker> {
        loop {
            let mut worker = self.lock().pop()?;
            if worker.is_usable() {
                return Some(worker);
            }
        }
    }

    fn next_mark(&self) -> String {
        let n = self.n_started.fetch_add(1, Ordering::Relaxed);
        format!("{}{n}", self.mark)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
