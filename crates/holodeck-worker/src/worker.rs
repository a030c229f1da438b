//! One worker: its process, its pipes, one call at a time.

use std::collections::HashSet;
use std::io;
use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::process::Command;
use tokio::time::{sleep, timeout};

use crate::capture::Capture;
use crate::command::{Hello, READ_FROM, WRITE_TO, WorkerCommand};
use crate::framing::{self, Inbox, Unread, garbled};
use crate::tree::{FAREWELL, LAST_ANSWER, Tree};
use crate::trouble::{CallError, Output, Trouble, ended};

/// The descriptors of the pipes, as the worker sees them.
const WORKER_READS: i32 = 3;
const WORKER_WRITES: i32 = 4;

/// A process that said its hello.
#[derive(Debug)]
pub(crate) struct Worker {
    tree: Tree,
    requests: Option<Sender>,
    answers: Inbox,
    stdout: Capture,
    stderr: Capture,
    last_id: u64,
    /// The preparations it has answered.
    prepared: HashSet<String>,
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
        worker.tree.kill().await;
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
            .stdin(Stdio::null())
            .stdout(Stdio::from(worker_stdout))
            .stderr(Stdio::from(worker_stderr));
        if let Some(folder) = &command.folder {
            child.current_dir(folder);
        }
        let pipes = vec![
            mapping(worker_reads.into(), WORKER_READS),
            mapping(worker_writes.into(), WORKER_WRITES),
        ];
        child.fd_mappings(pipes).map_err(io::Error::other)?;
        Ok(Self {
            tree: Tree::spawn(child, mark)?,
            requests: Some(Sender::from_owned_fd(requests.into())?),
            answers: Inbox::new(Receiver::from_owned_fd(answers.into())?),
            stdout: Capture::new(stdout.into())?,
            stderr: Capture::new(stderr.into())?,
            last_id: 0,
            prepared: HashSet::new(),
        })
    }

    /// Whether it can take a call, as far as is known.
    pub(crate) fn is_usable(&mut self) -> bool {
        self.tree.is_usable()
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
                self.tree.kill().await;
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
        let (tree, answers) = (&mut self.tree, &mut self.answers);
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
                status = tree.wait() => {
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
            Err(Unread::HungUp) => Err(tree.after_hanging_up("its pipe").await),
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
        self.tree.end_within(FAREWELL).await;
    }
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
