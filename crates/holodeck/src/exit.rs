//! How the program ends (rule V4).

use std::process::ExitCode;

/// The program's exit codes, in the order in which they win over each other: the first that applies is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// 130: interrupted by Ctrl-C or SIGTERM.
    Interrupted,
    /// 2: a mistake in a file or in the command line, or a filter that selects nothing; no agent was called.
    Usage,
    /// 3: the run could not be carried out: no request was ever answered, or a report or the journal could not be written.
    NotCarriedOut,
    /// 1: at least one case failed.
    Failed,
    /// 0: all cases passed, or there were none.
    Passed,
}

impl Exit {
    /// The one of the two that wins.
    pub(crate) fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// The number that the shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::NotCarriedOut => 3,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Prints what clap says of the command line: help and version to stdout (0), mistakes to stderr (2).
pub(crate) fn usage(error: &clap::Error) -> Exit {
    // A reader of the help that went away is no reason to fail.
    let _ = error.print();
    if error.use_stderr() {
        Exit::Usage
    } else {
        Exit::Passed
    }
}

/// A defect of this program is told in one line with what to do, not as a trace.
pub(crate) fn report_panics() {
    if std::env::var_os("RUST_BACKTRACE").is_some() {
        return;
    }
    std::panic::set_hook(Box::new(|info| {
        use std::io::Write as _;
        let place = info
            .location()
            .map(|l| format!(" ({}:{})", l.file(), l.line()))
            .unwrap_or_default();
        let said = info
            .payload()
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| info.payload().downcast_ref::<String>().cloned())
            .unwrap_or_default();
        let _ = writeln!(
            std::io::stderr(),
            "internal error: {said}{place}\nThis is a defect of holodeck, not of your files. Please report it with what RUST_BACKTRACE=1 prints."
        );
    }));
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn the_graver_exit_wins() {
        use Exit::{Failed, Interrupted, NotCarriedOut, Passed, Usage};
        let order = [Interrupted, Usage, NotCarriedOut, Failed, Passed];
        for (i, a) in order.iter().enumerate() {
            for b in &order[i..] {
                assert_eq!(a.and(*b), *a);
                assert_eq!(b.and(*a), *a);
            }
        }
        assert_eq!(order.map(Exit::code), [130, 2, 3, 1, 0]);
    }
}
