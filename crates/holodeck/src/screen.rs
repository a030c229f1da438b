//! The terminal: what is printed where, whether it is coloured and how wide it is. Decided here once, passed down as plain values.

use std::io::{self, IsTerminal as _, Write};

use holodeck_report::text;

use crate::exit::Exit;

/// Both output streams and what they can do.
#[derive(Debug)]
pub(crate) struct Screen {
    colour_stdout: bool,
    colour_stderr: bool,
    width: usize,
}

/// Where a text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// What may be piped.
    Stdout,
    /// Everything else.
    Stderr,
}

/// How a text may look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// ANSI colours.
    pub(crate) colour: bool,
    /// Columns.
    pub(crate) width: usize,
}

impl Screen {
    /// Looks at the streams and at `NO_COLOR`, `CLICOLOR_FORCE`, `TERM` and `COLUMNS`.
    pub(crate) fn new(no_color: bool) -> Self {
        let wants = |choice| !no_color && choice != anstream::ColorChoice::Never;
        let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
        Self {
            colour_stdout: wants(anstream::AutoStream::choice(&io::stdout())),
            colour_stderr: wants(anstream::AutoStream::choice(&io::stderr())),
            width: columns.map_or(80, |c: usize| c.clamp(40, 200)),
        }
    }

    /// How a text on `stream` may look.
    pub(crate) fn look(&self, stream: Stream) -> Look {
        let colour = match stream {
            Stream::Stdout => self.colour_stdout,
            Stream::Stderr => self.colour_stderr,
        };
        Look {
            colour,
            width: self.width,
        }
    }

    /// Says something on stderr, control characters as escapes. Nobody can be told when that fails, so nothing is.
    pub(crate) fn say(&self, said: &str) {
        self.show(&text::lines(said));
    }

    /// Puts a text on stderr that is fit to be shown, colours included.
    #[expect(clippy::unused_self, reason = "only who has the screen may print")]
    pub(crate) fn show(&self, text: &str) {
        let _ = writeln!(io::stderr(), "{}", text.trim_end_matches('\n'));
    }

    /// Whether a moving progress line makes sense: a person's terminal, not a CI log, and no log in between.
    #[expect(clippy::unused_self, reason = "only who has the screen may ask")]
    pub(crate) fn can_move(&self) -> bool {
        io::stderr().is_terminal()
            && std::env::var_os("CI").is_none()
            && std::env::var_os("RUST_LOG").is_none()
            && std::env::var("TERM").is_ok_and(|t| t != "dumb")
    }

    /// Something to print a longer text on.
    #[expect(clippy::unused_self, reason = "only who has the screen may print")]
    pub(crate) fn open(&self, stream: Stream) -> Out {
        let to: Box<dyn Write + Send> = match stream {
            Stream::Stdout => Box::new(io::BufWriter::new(io::stdout())),
            Stream::Stderr => Box::new(io::BufWriter::new(io::stderr())),
        };
        Out {
            to,
            trouble: None,
            stream,
        }
    }
}

/// A stream that never fails while it is written to. A reader who went away (`| head`) is not an error; a full disk is one, told by [`Out::finish`].
pub(crate) struct Out {
    to: Box<dyn Write + Send>,
    trouble: Option<io::Error>,
    stream: Stream,
}

impl Out {
    /// Writes what is left and says whether all of it arrived.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.note(|to| to.flush());
        match self.trouble {
            Some(error)
                if error.kind() != io::ErrorKind::BrokenPipe && self.stream == Stream::Stdout =>
            {
                Err(error)
            }
            _ => Ok(()),
        }
    }

    /// The same, and tells it where not all arrived.
    pub(crate) fn end(self, screen: &Screen) -> Exit {
        match self.finish() {
            Ok(()) => Exit::Passed,
            Err(error) => {
                screen.say(&format!("error: cannot write to stdout: {error}"));
                Exit::NotCarriedOut
            }
        }
    }

    fn note(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if self.trouble.is_none() {
            self.trouble = write(&mut *self.to).err();
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.note(|to| to.write_all(bytes));
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        self.note(|to| to.flush());
        Ok(())
    }
}

/// Stderr for the log. The log gives up on a stream that fails with a panic of its own; this one does not fail.
#[derive(Debug, Default)]
pub(crate) struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = io::stderr().write_all(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
