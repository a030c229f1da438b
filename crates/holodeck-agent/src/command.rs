//! An agent of the author's own as a program: one process a session, JSON lines on its stdin and stdout.
//!
//! An answer that comes after its turn was given up is never taken for another turn's: each turn has an id, and the next one is said
//! only when the last was answered or its cancel acknowledged. Who does neither is ended, and the session is lost (rule X4).

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use holodeck_model::mask::Masker;
use holodeck_model::plan::CasePlan;
use holodeck_run::ports::{Backend, Fault, OpenError, Partial, Reply, Session, TurnInput};
use holodeck_worker::{Program, Trouble, WorkerCommand, excerpt};
use tokio::time::timeout;

use crate::protocol::{self, Answer, Conversation, OpenTurn};

/// How long an agent may take to acknowledge a cancel, and to end when it is told to.
const PATIENCE: Duration = Duration::from_secs(5);

/// An agent that is a program.
#[derive(Clone, Debug)]
pub struct CommandAgent {
    /// The program and its arguments, at least the program.
    words: Vec<String>,
    folder: PathBuf,
    files_in: PathBuf,
    masker: Masker,
    patience: Duration,
}

impl CommandAgent {
    /// The program and its arguments, to be started in `folder`; files of turns are relative to `files_in`. The secrets that `masker`
    /// knows are taken out of what is told of its output.
    ///
    /// A program with a `/` in it is a path that starts at `folder`, another is looked up in `PATH`.
    pub fn new(words: Vec<String>, folder: PathBuf, files_in: PathBuf, masker: Masker) -> Self {
        Self {
            words,
            folder,
            files_in,
            masker,
            patience: PATIENCE,
        }
    }

    fn start(&self) -> io::Result<Program> {
        let Some((program, args)) = self.words.split_first() else {
            return Err(io::Error::other("no program is named"));
        };
        let folder = std::path::absolute(if self.folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &self.folder
        })?;
        let program = if program.contains('/') {
            folder.join(program)
        } else {
            program.into()
        };
        let mut command = WorkerCommand::new(program);
        command.args = args.iter().map(Into::into).collect();
        command.folder = Some(folder);
        Program::start(&command)
    }

    fn not_started(&self, error: &io::Error) -> String {
        let named = self.words.first().map(String::as_str).unwrap_or_default();
        let help = match error.kind() {
            io::ErrorKind::NotFound if named.contains('/') => {
                let folder = match self.folder.as_os_str() {
                    none if none.is_empty() => "the working folder".to_owned(),
                    folder => format!("`{}`", folder.display()),
                };
                format!(": it is sought from {folder}, and so is what its first line names")
            }
            io::ErrorKind::NotFound => {
                ": it is not in PATH; a path to it has a `/` in it".to_owned()
            }
            io::ErrorKind::PermissionDenied => ": it must be executable".to_owned(),
            _ => String::new(),
        };
        format!("{} did not start: {error}{help}", excerpt(named))
    }
}

#[async_trait]
impl Backend for CommandAgent {
    async fn open(&self, case: &CasePlan) -> Result<Box<dyn Session>, OpenError> {
        let program = self.start().map_err(|error| OpenError {
            message: self.not_started(&error),
        })?;
        Ok(Box::new(Talk {
            program,
            conversation: Conversation::new(case.label(), &self.files_in),
            masker: self.masker.clone(),
            patience: self.patience,
            open: None,
            is_cancelled: false,
            n_discarded: 0,
            lost: None,
        }))
    }
}

/// A session.
#[derive(Debug)]
struct Talk {
    program: Program,
    conversation: Conversation,
    masker: Masker,
    patience: Duration,
    /// The turn that is not answered yet.
    open: Option<OpenTurn>,
    /// The agent was told that nobody waits for it any more.
    is_cancelled: bool,
    /// Answers to other turns, since the last one to an open turn.
    n_discarded: usize,
    /// Why there is nobody to talk with any more.
    lost: Option<String>,
}

/// Why no answer to the open turn came.
enum NoAnswer {
    /// A line that answers nothing; the agent may still be at work.
    Babble(String),
    /// The agent is gone, or can't be understood any more.
    Gone(Trouble),
}

impl Talk {
    /// The answer to the open turn; those to others are discarded.
    async fn answer(&mut self) -> Result<Answer, NoAnswer> {
        loop {
            let line = self.program.line().await.map_err(NoAnswer::Gone)?;
            let answer = protocol::answer(&line, &self.masker).map_err(NoAnswer::Babble)?;
            let is_to_it = self.open.is_some_and(|open| match answer.turn_index {
                Some(turn_index) => open.is_of(answer.id, turn_index),
                // Nobody else's; the reply tells what it lacks.
                None => open.id == answer.id,
            });
            if is_to_it {
                self.open = None;
                self.is_cancelled = false;
                self.n_discarded = 0;
                return Ok(answer);
            }
            self.n_discarded += 1;
        }
    }

    /// What the agent says to the cancel of the open turn, babble left out.
    async fn acknowledgement(&mut self) -> Result<Answer, Trouble> {
        loop {
            match self.answer().await {
                Ok(answer) => return Ok(answer),
                Err(NoAnswer::Babble(_)) => {}
                Err(NoAnswer::Gone(trouble)) => return Err(trouble),
            }
        }
    }

    /// Gives the open turn up: afterwards either the agent is free, or it is gone.
    async fn cancel(&mut self) -> Partial {
        let Some(open) = self.open else {
            return Partial {
                session_lost: self.lost.clone(),
                ..Partial::default()
            };
        };
        if !self.is_cancelled {
            self.program.say(&self.conversation.cancel(open));
            self.is_cancelled = true;
        }
        let mut partial = Partial::default();
        match timeout(self.patience, self.acknowledgement()).await {
            Ok(Ok(Answer { reply, .. })) => {
                partial.tool_invocations = reply.tool_invocations;
                partial.usage = reply.usage;
                if let Some(Fault::Fatal(message)) = reply.fault {
                    self.lose(message).await;
                }
            }
            Ok(Err(trouble)) => {
                self.lose(in_words(trouble)).await;
            }
            Err(_) => {
                let why = format!(
                    "the agent did not acknowledge the cancel of its turn within {:?}, and was ended",
                    self.patience
                );
                self.lose(why).await;
            }
        }
        partial.session_lost.clone_from(&self.lost);
        partial
    }

    /// Ends the agent for good. Says why, with its last words.
    async fn lose(&mut self, mut why: String) -> String {
        self.open = None;
        // Known even if the rest is given up half way.
        self.lost = Some(why.clone());
        self.program.kill().await;
        match self.n_discarded {
            0 => {}
            1 => why += "; an answer before had another `id` or `turn_index`",
            n => why = format!("{why}; {n} answers before had another `id` or `turn_index`"),
        }
        let mut output = self.program.output();
        // Whole, before it is cut.
        self.masker.string(&mut output.stderr);
        let last_words = output.last_words();
        if !last_words.is_empty() {
            why = format!("{why}; its stderr ends: {last_words}");
        }
        self.lost = Some(why.clone());
        why
    }
}

/// Why an agent is lost.
fn in_words(trouble: Trouble) -> String {
    match trouble {
        Trouble::Crashed(ended) => format!("the agent ended before it answered: {ended}"),
        Trouble::TooLong { .. } => {
            let limit = protocol::MESSAGE_LIMIT >> 20;
            format!("the agent's answer is longer than {limit} MiB")
        }
        other => format!("the agent can't be talked with any more: {other}"),
    }
}

#[async_trait]
impl Session for Talk {
    async fn send(&mut self, turn: TurnInput<'_>) -> Reply {
        let failed = |fault| Reply {
            fault: Some(fault),
            ..Reply::default()
        };
        if let Some(why) = &self.lost {
            return failed(Fault::Fatal(why.clone()));
        }
        let message = match self.conversation.turn(turn) {
            Ok((open, message)) => {
                self.open = Some(open);
                message
            }
            Err(why) => return failed(Fault::Turn(why)),
        };
        self.program.say(&message);
        drop(message);
        match self.answer().await {
            Ok(answer) => answer.reply,
            Err(NoAnswer::Gone(trouble)) => {
                let why = self.lose(in_words(trouble)).await;
                failed(Fault::Fatal(why))
            }
            Err(NoAnswer::Babble(what)) => {
                let what = format!(
                    "the agent wrote to stdout what answers nothing: {what} (stdout is for answers, stderr for the rest)"
                );
                let partial = self.cancel().await;
                Reply {
                    tool_invocations: partial.tool_invocations,
                    usage: partial.usage,
                    ..failed(match partial.session_lost {
                        None => Fault::Session(what),
                        Some(why) => Fault::Fatal(format!("{what}; {why}")),
                    })
                }
            }
        }
    }

    async fn abandon(&mut self) -> Partial {
        self.cancel().await
    }

    async fn close(mut self: Box<Self>) {
        if self.lost.is_some() || self.open.is_some() {
            return self.program.kill().await;
        }
        self.program.say(&self.conversation.close());
        self.program.dismiss(self.patience).await;
    }
}

#[cfg(test)]
mod tests;
