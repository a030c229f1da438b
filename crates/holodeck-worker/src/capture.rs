//! What a worker prints, kept within bounds.

use std::os::fd::OwnedFd;

use rustix::io::Errno;
use tokio::net::unix::pipe::Receiver;

/// Bytes kept of one call, in all.
const LIMIT: usize = 64 << 10;
/// Of these, the bytes kept of the end.
const TAIL: usize = 8 << 10;
/// Bytes that one draining reads at most, so that a flood can't hold it up.
const DRAINED: usize = 1 << 20;

/// One of stdout and stderr.
#[derive(Debug)]
pub(crate) struct Capture {
    pipe: Receiver,
    head: Vec<u8>,
    tail: Vec<u8>,
    left_out: usize,
    ended: bool,
}

impl Capture {
    pub(crate) fn new(pipe: OwnedFd) -> std::io::Result<Self> {
        Ok(Self {
            pipe: Receiver::from_owned_fd(pipe)?,
            head: Vec::new(),
            tail: Vec::new(),
            left_out: 0,
            ended: false,
        })
    }

    /// Waits for something and keeps it; for ever once the pipe has ended.
    pub(crate) async fn fill(&mut self) {
        if self.ended || self.pipe.readable().await.is_err() {
            return std::future::pending().await;
        }
        let mut chunk = [0; 4096];
        // Through the runtime, which so learns that the pipe is empty.
        match self.pipe.try_read(&mut chunk) {
            Ok(0) => self.ended = true,
            Ok(n) => self.keep(&chunk[..n]),
            Err(error) => self.ended = error.kind() != std::io::ErrorKind::WouldBlock,
        }
    }

    /// Keeps what is there already. Asks the system itself, as the runtime may not have heard of it yet.
    pub(crate) fn drain(&mut self) {
        let mut chunk = [0; 4096];
        let mut read = 0;
        while !self.ended && read < DRAINED {
            match rustix::io::read(&self.pipe, &mut chunk) {
                Ok(0) => self.ended = true,
                Ok(n) => {
                    read += n;
                    self.keep(&chunk[..n]);
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => self.ended = true,
            }
        }
    }

    /// What was kept since the last time.
    pub(crate) fn take(&mut self) -> String {
        self.drain();
        self.cut_tail();
        let mut bytes = std::mem::take(&mut self.head);
        if self.left_out > 0 {
            let note = format!("\n[{} bytes left out]\n", self.left_out);
            bytes.extend_from_slice(note.as_bytes());
        }
        bytes.append(&mut self.tail);
        self.left_out = 0;
        String::from_utf8(bytes)
            .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = (LIMIT - TAIL).saturating_sub(self.head.len());
        let (head, tail) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(tail);
        // Moved down once in a while only: a byte is moved twice at most.
        if self.tail.len() > 2 * TAIL {
            self.cut_tail();
        }
    }

    fn cut_tail(&mut self) {
        let surplus = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..surplus);
        self.left_out += surplus;
    }
}
