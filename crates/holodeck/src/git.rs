//! Which commit a folder is at, for the run file.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// `git rev-parse HEAD` in `folder`; `None` where that is not under git, there is no git, or it takes over 2 s.
pub(crate) fn commit(folder: &Path) -> Option<String> {
    let mut git = Command::new("git");
    git.args(["rev-parse", "HEAD"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || send.send(git.output()));
    let output = receive.recv_timeout(Duration::from_secs(2)).ok()?.ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let commit = text.trim();
    (output.status.success() && commit.len() >= 40 && commit.bytes().all(|b| b.is_ascii_hexdigit()))
        .then(|| commit.to_owned())
}
