//! For a worker in Rust: its end when the host has died without ending it.

use std::convert::Infallible;
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Signal, getpgrp, getpid, kill_current_process_group, kill_process};

use crate::command::MARKER;
use crate::leftovers::{self, Whose};

/// Waits until nobody reads `answers` any more, which is when the host has died, and then ends this process and all that it started.
/// Made to run on a thread of its own. Returns only if it can't watch.
pub fn end_with_the_host(answers: impl AsFd) -> std::io::Result<Infallible> {
    loop {
        // Of a pipe's writing end this reports errors only: that the other end is closed.
        match poll(&mut [PollFd::new(&answers, PollFlags::empty())], None) {
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => break,
            Err(error) => return Err(error.into()),
        }
    }
    let this = getpid();
    if let Ok(mark) = std::env::var(MARKER) {
        leftovers::end_all(&Whose::Worker(mark), Some(this));
    }
    if getpgrp() == this {
        kill_current_process_group(Signal::KILL)?;
    }
    kill_process(this, Signal::KILL)?;
    Err(std::io::Error::other("SIGKILL did nothing"))
}
