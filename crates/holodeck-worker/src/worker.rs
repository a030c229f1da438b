//! One worker: its process, its pipes, one call at a time.

use std::collections::HashSet;
use std::io;
use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

use crate::capture::Capture;
use crate::command::{Hello, MARKER, READ_FROM, WRITE_TO, WorkerCommand};
use crate::framing::{self, Inbox, Unread, garbled};
use crate::leftovers::{self, Whose};
use crate::trouble::{CallError, Ended, Output, Trouble};

/// The descriptors of the pipes, as the worker sees them.
const WORKER_READS: i32 = 3;
const WORKER_WRITES: i32 = 4;

/// How long an answer may still be on its way when its process has ended.
const LAST_ANSWER: Duration = Duration::from_millis(100);
/// How long a worker may take to end when its pipe has ended.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long the system may take to end a process that can't refuse.
const KILLED: Duration = Duration::from_secs(5);

/// A process that said its hello.
#[derive(Debug)]
pub(crate) struct Worker {
    child: Child,
    pid: Pid,
    mark: String,
    requests: Option<Sender>,
    answers: Inbox,
    stdout: Capture,
    stderr: Capture,
    last_id: u64,
    /// The preparations it has answered.
    prepared: HashSet<String>,
    /// Was ended by us, or is about to be.
    is_spent: bool,
}

impl Worker {
    /// Starts a process and waits for its hello, which is returned with it.
    pub(crate) async fn start(
        command: &WorkerCommand,
        hello: Hello,
        mark: String,
    ) -> Result<(Self, String), CallError> {
        let program = command.program.display().to_string();
        let mut worker = Self::spawn(command, mark).map_err(|error| CallError {
            trouble: Trouble::NotStarted {
                program: format!("`{program}`"),
                why: error.to_string(),
            },
            output: Output::default(),
        })?;
        let preamble = command.preamble.clone();
        let greeting = worker
            .wait_for(Wanted::Hello, preamble, command.start_deadline)
            .await;
        let problem = match greeting {
            Ok(line) => match wrong_hello(&line, hello) {
                None => {
                    worker.take_output();
                    return Ok((worker, line));
                }
                Some(problem) => problem,
            },
            Err(Trouble::Crashed(ended)) => ended.to_string(),
            Err(trouble) => trouble.to_string(),
        };
        worker.kill().await;
        let output = worker.take_output();
        let last_words = output.last_words();
        let why = if last_words.is_empty() {
            problem
        } else {
            format!("{problem}: {last_words}")
        };
        Err(CallError {
            trouble: Trouble::NotStarted {
                program: format!("`{program}`"),
                why,
            },
            output,
        })
    }

    fn spawn(command: &WorkerCommand, mark: String) -> io::Result<Self> {
        let (worker_reads, requests) = io::pipe()?;
        let (answers, worker_writes) = io::pipe()?;
        let (stdout, worker_stdout) = io::pipe()?;
        let (stderr, worker_stderr) = io::pipe()?;
        let mut child = Command::new(&command.program);
        child
            .args(&command.args)
            .envs(command.env.iter().map(|(name, value)| (name, value)))
            .env(READ_FROM, WORKER_READS.to_string())
            .env(WRITE_TO, WORKER_WRITES.to_string())
            .env(MARKER, &mark)
            .stdin(Stdio::null())
            .stdout(Stdio::from(worker_stdout))
            .stderr(Stdio::from(worker_stderr))
            .process_group(0)
            .kill_on_drop(true);
        if let Some(folder) = &command.folder {
            child.current_dir(folder);
        }
        let pipes = vec![
            mapping(worker_reads.into(), WORKER_READS),
            mapping(worker_writes.into(), WORKER_WRITES),
        ];
        child.fd_mappings(pipes).map_err(io::Error::other)?;
        let spawned = child.spawn();
        // It holds the worker's ends of the pipes, which must not stay open here.
        drop(child);
        let spawned = spawned?;
        let pid = spawned
            .id()
            .and_then(|id| Pid::from_raw(i32::try_from(id).ok()?))
            .ok_or_else(|| io::Error::other("it has no process id"))?;
        Ok(Self {
            child: spawned,
            pid,
            mark,
            requests: Some(Sender::from_owned_fd(requests.into())?),
            answers: Inbox::new(Receiver::from_owned_fd(answers.into())?),
            stdout: Capture::new(stdout.into())?,
            stderr: Capture::new(stderr.into())?,
            last_id: 0,
            prepared: HashSet::new(),
            is_spent: false,
        })
    }

    /// Whether it can take a call, as far as is known.
    pub(crate) fn is_usable(&mut self) -> bool {
        !self.is_spent && self.is_running()
    }

    /// Sends `body` and waits for its answer. After an error the worker has ended, unless the request could not be sent at all.
    pub(crate) async fn call(
        &mut self,
        body: &str,
        deadline: Duration,
    ) -> Result<(String, Output), CallError> {
        self.last_id += 1;
        let request = match framing::request(self.last_id, body) {
            Ok(request) => request,
            Err(trouble) => {
                let output = Output::default();
                return Err(CallError { trouble, output });
            }
        };
        // What was printed between two calls belongs to neither.
        self.take_output();
        match self
            .wait_for(Wanted::Answer(self.last_id), request, deadline)
            .await
        {
            Ok(answer) => Ok((answer, self.take_output())),
            Err(trouble) => {
                self.kill().await;
                let output = self.take_output();
                Err(CallError { trouble, output })
            }
        }
    }

    /// Calls it with `request`, once.
    pub(crate) async fn prepare(
        &mut self,
        request: &str,
        deadline: Duration,
    ) -> Result<(), CallError> {
        if !self.prepared.contains(request) {
            self.call(request, deadline).await?;
            self.prepared.insert(request.to_owned());
        }
        Ok(())
    }

    async fn wait_for(
        &mut self,
        wanted: Wanted,
        message: Vec<u8>,
        deadline: Duration,
    ) -> Result<String, Trouble> {
        let (child, answers) = (&mut self.child, &mut self.answers);
        let (stdout, stderr) = (&mut self.stdout, &mut self.stderr);
        let requests = self.requests.as_mut();
        let exchange = async {
            if let Some(requests) = requests {
                requests.write_all(&message).await?;
            }
            match wanted {
                Wanted::Hello => answers.line().await,
                Wanted::Answer(id) => answers.answer(id).await,
            }
        };
        tokio::pin!(exchange);
        let too_late = sleep(deadline);
        tokio::pin!(too_late);
        // Branches are polled in random order, so that none of them can starve the deadline.
        let came = loop {
            tokio::select! {
                came = &mut exchange => break came,
                () = &mut too_late => return Err(Trouble::TimedOut { after: deadline }),
                () = stdout.fill() => {}
                () = stderr.fill() => {}
                status = child.wait() => {
                    // It may have answered and ended at once; and a child of its may keep the pipe open.
                    if let Ok(came @ (Ok(_) | Err(Unread::Bad(_)))) = timeout(LAST_ANSWER, &mut exchange).await {
                        break came;
                    }
                    return Err(ended(status));
                }
            }
        };
        match came {
            Ok(line) => Ok(line),
            Err(Unread::Bad(trouble)) => Err(trouble),
            Err(Unread::HungUp) => match timeout(FAREWELL, child.wait()).await {
                Ok(status) => Err(ended(status)),
                Err(_) => Err(Trouble::Garbled {
                    what: "it closed its pipe".to_owned(),
                }),
            },
        }
    }

    fn take_output(&mut self) -> Output {
        Output {
            stdout: self.stdout.take(),
            stderr: self.stderr.take(),
        }
    }

    /// Ends it the friendly way: closes its pipe, waits a second, and only then uses force. What it left behind outside its group is left
    /// to the caller.
    pub(crate) async fn dismiss(mut self) {
        self.requests = None;
        if timeout(FAREWELL, self.child.wait()).await.is_err() {
            self.kill().await;
        }
        let _ = kill_process_group(self.pid, Signal::KILL);
        self.is_spent = true;
    }

    /// Ends it with everything that it started.
    async fn kill(&mut self) {
        let (running, pid, mark) = (self.is_running(), self.pid, self.mark.clone());
        let strike = tokio::task::spawn_blocking(move || strike(pid, running, mark));
        let is_struck = strike.await.is_ok();
        let _ = timeout(KILLED, self.child.wait()).await;
        self.is_spent = is_struck;
    }

    fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

/// A call that is dropped half way ends its worker here; nobody could tell whose answer comes next.
impl Drop for Worker {
    fn drop(&mut self) {
        if !self.is_spent {
            strike(self.pid, self.is_running(), self.mark.clone());
        }
    }
}

/// Ends a worker's group and everything it started: first what is below it, while it is there to lead to them.
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

#[derive(Debug, Clone, Copy)]
enum Wanted {
    Hello,
    Answer(u64),
}

fn mapping(parent_fd: OwnedFd, child_fd: i32) -> FdMapping {
    FdMapping {
        parent_fd,
        child_fd,
    }
}

fn ended(status: io::Result<std::process::ExitStatus>) -> Trouble {
    match status {
        Ok(status) => Trouble::Crashed(Ended::from(status)),
        Err(error) => Trouble::Garbled {
            what: format!("its end can't be told: {error}"),
        },
    }
}

fn wrong_hello(line: &str, hello: Hello) -> Option<String> {
    let Hello { protocol, version } = hello;
    let said: Option<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(line).ok();
    match said.as_ref().and_then(|said| said.get(protocol)) {
        Some(said) if said.as_u64() == Some(version) => None,
        Some(said) => Some(format!(
            "it speaks {protocol} {said}, and {version} is known here"
        )),
        None => match garbled(
            &format!("it does not speak {protocol}, its first line is"),
            line,
        ) {
            Unread::Bad(trouble) => Some(trouble.to_string()),
            Unread::HungUp => None,
        },
    }
}
