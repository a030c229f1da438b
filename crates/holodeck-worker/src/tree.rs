//! A process with everything that it starts: none of it outlives its owner.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::command::MARKER;
use crate::leftovers::{self, Whose};
use crate::trouble::{Trouble, ended};

/// How long an answer may still be on its way when its process has ended.
pub(crate) const LAST_ANSWER: Duration = Duration::from_millis(100);
/// How long a process may take to end when its pipe has ended.
pub(crate) const FAREWELL: Duration = Duration::from_secs(1);
/// How long the system may take to end a process that can't refuse.
const KILLED: Duration = Duration::from_secs(5);

/// A process in a group of its own, marked. Dropped while it may still run, it is ended with all below it.
#[derive(Debug)]
pub(crate) struct Tree {
    child: Child,
    pid: Pid,
    mark: String,
    /// Was ended by us, or is about to be.
    is_spent: bool,
}

impl Tree {
    /// Starts it, whose mark is `mark`.
    pub(crate) fn spawn(mut command: Command, mark: String) -> io::Result<Self> {
        command
            .env(MARKER, &mark)
            .process_group(0)
            .kill_on_drop(true);
        let spawned = command.spawn();
        // It holds the other process's ends of the pipes, which must not stay open here.
        drop(command);
        let child = spawned?;
        let pid = child
            .id()
            .and_then(|id| Pid::from_raw(i32::try_from(id).ok()?))
            .ok_or_else(|| io::Error::other("it has no process id"))?;
        Ok(Self {
            child,
            pid,
            mark,
            is_spent: false,
        })
    }

    /// Whether it runs, and is to go on running, as far as is known.
    pub(crate) fn is_usable(&mut self) -> bool {
        !self.is_spent && self.is_running()
    }

    /// Waits for the end of the process itself. May be dropped and called again.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// It closed a pipe: most often it is ending.
    pub(crate) async fn after_hanging_up(&mut self, pipe: &str) -> Trouble {
        match timeout(FAREWELL, self.wait()).await {
            Ok(status) => ended(status),
            Err(_) => Trouble::Garbled {
                what: format!("it closed {pipe}"),
            },
        }
    }

    /// Waits for its end, and uses force when `patience` is over. What it left behind outside its group is left to the caller.
    pub(crate) async fn end_within(&mut self, patience: Duration) {
        if timeout(patience, self.child.wait()).await.is_err() {
            self.kill().await;
        }
        let _ = kill_process_group(self.pid, Signal::KILL);
        self.is_spent = true;
    }

    /// Ends it, running or not, with everything that it started.
    pub(crate) async fn kill(&mut self) {
        let (running, pid, mark) = (self.is_running(), self.pid, self.mark.clone());
        let strike = tokio::task::spawn_blocking(move || strike(pid, running, mark));
        let is_struck = strike.await.is_ok();
        let _ = timeout(KILLED, self.child.wait()).await;
        self.is_spent = is_struck;
    }

    #[cfg(test)]
    pub(crate) fn mark(&self) -> &str {
        &self.mark
    }

    fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

/// A call that is dropped half way ends its process here; nobody could tell whose answer comes next.
impl Drop for Tree {
    fn drop(&mut self) {
        if !self.is_spent {
            strike(self.pid, self.is_running(), self.mark.clone());
        }
    }
}

/// Ends a group and everything it started: first what is below it, while it is there to lead to them.
fn strike(pid: Pid, is_running: bool, mark: String) {
    let whose = Whose::Worker(mark);
    if is_running {
        // Halted, it starts nothing new, and orphans still come to it.
        let _ = kill_process(pid, Signal::STOP);
        leftovers::end_all(&whose, Some(pid));
        // By itself too, as it may have left its group.
        let _ = kill_process(pid, Signal::KILL);
    }
    let _ = kill_process_group(pid, Signal::KILL);
    // Those that became orphans in between.
    leftovers::end_all(&whose, is_running.then_some(pid));
}
