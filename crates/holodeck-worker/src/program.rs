//! One process that is talked with in lines, over its stdin and stdout.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::process::Command;
use tokio::time::timeout;

use crate::capture::Capture;
use crate::command::{WorkerCommand, fresh_mark};
use crate::framing::{Inbox, Unread};
use crate::tree::{LAST_ANSWER, Tree};
use crate::trouble::{Output, Trouble, ended};

/// A process that reads lines from stdin and writes lines to stdout; what it says on stderr is kept within bounds.
///
/// It needs a tokio runtime with time and IO. Dropped, it is ended at once with everything that it started; [`Program::dismiss`] does
/// so the friendly way.
#[derive(Debug)]
pub struct Program {
    tree: Tree,
    stdin: Option<Sender>,
    unsent: Vec<u8>,
    /// How many of `unsent` are on their way.
    n_sent: usize,
    stdout: Inbox,
    stderr: Capture,
}

impl Program {
    /// Starts it. Of `command` the program, its arguments, variables and folder count.
    ///
    /// # Errors
    /// What the system says.
    pub fn start(command: &WorkerCommand) -> io::Result<Self> {
        let (its_stdin, stdin) = io::pipe()?;
        let (stdout, its_stdout) = io::pipe()?;
        let (stderr, its_stderr) = io::pipe()?;
        let mut child = Command::new(&command.program);
        child
            .args(&command.args)
            .envs(command.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::from(its_stdin))
            .stdout(Stdio::from(its_stdout))
            .stderr(Stdio::from(its_stderr));
        if let Some(folder) = &command.folder {
            child.current_dir(folder);
        }
        Ok(Self {
            tree: Tree::spawn(child, fresh_mark())?,
            stdin: Some(Sender::from_owned_fd(stdin.into())?),
            unsent: Vec::new(),
            n_sent: 0,
            stdout: Inbox::new(Receiver::from_owned_fd(stdout.into())?),
            stderr: Capture::new(stderr.into())?,
        })
    }

    /// Says a line, whose end is added. It is written while [`Program::line`] waits, after what was said before.
    pub fn say(&mut self, line: &str) {
        self.unsent.extend_from_slice(line.as_bytes());
        self.unsent.push(b'\n');
    }

    /// The next line that it writes, without its end. May be dropped and called again: nothing is lost, neither way.
    ///
    /// # Errors
    /// [`Trouble`]: it ended, closed a pipe, or wrote what is no line of text. It should be killed then.
    pub async fn line(&mut self) -> Result<String, Trouble> {
        loop {
            let has_unsent = !self.unsent.is_empty();
            let (stdin, unsent) = (&mut self.stdin, &self.unsent[self.n_sent..]);
            let (tree, stdout, stderr) = (&mut self.tree, &mut self.stdout, &mut self.stderr);
            tokio::select! {
                came = stdout.line() => return match came {
                    Ok(line) => Ok(line),
                    Err(Unread::Bad(trouble)) => Err(trouble),
                    Err(Unread::HungUp) => Err(tree.after_hanging_up("its stdout").await),
                },
                n = write(stdin, unsent), if has_unsent => {
                    if let Ok(n) = n {
                        self.sent(n);
                        continue;
                    }
                    return match last_line(stdout).await {
                        Some(last) => last,
                        None => Err(tree.after_hanging_up("its stdin").await),
                    };
                }
                () = stderr.fill() => {}
                status = tree.wait() => {
                    // It may have answered and ended at once; and a child of its may keep the pipe open.
                    return last_line(stdout).await.unwrap_or_else(|| Err(ended(status)));
                }
            }
        }
    }

    /// What it said on stderr since the last time, cut at 64 KiB.
    pub fn output(&mut self) -> Output {
        Output {
            stdout: String::new(),
            stderr: self.stderr.take(),
        }
    }

    /// Ends it the friendly way: writes what is unsent, closes its stdin, and uses force when `patience` is over. Then what it left
    /// behind is ended.
    pub async fn dismiss(mut self, patience: Duration) {
        // After the time it is killed in any case.
        let _ = timeout(patience, self.farewell()).await;
        self.kill().await;
    }

    /// Ends it with everything that it started.
    pub async fn kill(&mut self) {
        self.tree.kill().await;
    }

    async fn farewell(&mut self) {
        let mut is_read = true;
        loop {
            if self.unsent.is_empty() {
                self.stdin = None;
            }
            let has_unsent = self.stdin.is_some();
            let (stdin, unsent) = (&mut self.stdin, &self.unsent[self.n_sent..]);
            tokio::select! {
                // Nobody wants it any more, and a full pipe would hold it up.
                came = self.stdout.line(), if is_read => is_read = came.is_ok(),
                n = write(stdin, unsent), if has_unsent => match n {
                    Ok(n) => self.sent(n),
                    Err(_) => self.unsent.clear(),
                },
                () = self.stderr.fill() => {}
                _ = self.tree.wait() => return,
            }
        }
    }

    fn sent(&mut self, n: usize) {
        self.n_sent += n;
        if self.n_sent == self.unsent.len() {
            self.unsent = Vec::new();
            self.n_sent = 0;
        }
    }
}

async fn write(stdin: &mut Option<Sender>, unsent: &[u8]) -> io::Result<usize> {
    match stdin {
        Some(stdin) => stdin.write(unsent).await,
        None => Err(io::ErrorKind::BrokenPipe.into()),
    }
}

/// What may still be on its way from a process that has ended.
async fn last_line(stdout: &mut Inbox) -> Option<Result<String, Trouble>> {
    match timeout(LAST_ANSWER, stdout.line()).await {
        Ok(Ok(line)) => Some(Ok(line)),
        Ok(Err(Unread::Bad(trouble))) => Some(Err(trouble)),
        Ok(Err(Unread::HungUp)) | Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Program {
        let mut command = WorkerCommand::new("sh");
        command.args = vec!["-c".into(), script.into()];
        Program::start(&command).unwrap()
    }

    #[tokio::test]
    async fn a_long_line_goes_both_ways_without_anyone_waiting_for_the_other() {
        let mut program = sh("cat");
        let long = "x".repeat(3 << 20);
        for _ in 0..3 {
            program.say(&long);
        }
        for _ in 0..3 {
            assert!(program.line().await.unwrap() == long);
        }
        program.dismiss(Duration::from_secs(20)).await;
    }

    #[tokio::test]
    async fn a_line_that_was_given_up_half_way_is_written_to_its_end() {
        let mut program = sh("sleep 0.2; cat");
        let long = "x".repeat(1 << 20);
        program.say(&long);
        let given_up = timeout(Duration::from_millis(20), program.line()).await;
        assert!(given_up.is_err());
        program.say("next");
        assert!(program.line().await.unwrap() == long);
        assert_eq!(program.line().await.unwrap(), "next");
    }

    #[tokio::test]
    async fn its_end_is_told_after_its_last_lines() {
        let mut program = sh("echo one; echo two; echo why >&2; exit 3");
        assert_eq!(program.line().await.unwrap(), "one");
        assert_eq!(program.line().await.unwrap(), "two");
        let trouble = program.line().await.unwrap_err();
        assert_eq!(trouble.to_string(), "crashed: exited with status 3");
        assert_eq!(program.output().last_words(), "why");
        let mut program = sh("exec 0<&-; kill -9 $$");
        program.say("q");
        let trouble = program.line().await.unwrap_err();
        assert_eq!(trouble.to_string(), "crashed: signal 9 (SIGKILL)");
        let mut program = sh("exec 1>&-; sleep 50");
        let trouble = program.line().await.unwrap_err();
        assert_eq!(trouble.to_string(), "it closed its stdout");
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn nothing_outlives_it() {
        use crate::leftovers::{Whose, any};
        for friendly in [true, false] {
            let mut program = sh("(setsid sleep 50 & sleep 50 &); echo there; cat >/dev/null");
            assert_eq!(program.line().await.unwrap(), "there");
            let whose = Whose::Worker(program.tree.mark().to_owned());
            assert!(any(&whose));
            if friendly {
                program.dismiss(Duration::from_secs(20)).await;
            } else {
                drop(program);
            }
            assert!(!any(&whose), "friendly: {friendly}");
        }
    }
}
