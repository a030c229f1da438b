//! The reports that were asked for with `--output` and `--format`.

use std::path::{Path, PathBuf};

use holodeck_report::Format;

use crate::args;
use crate::exit::Exit;
use crate::screen::{Screen, Stream};
use crate::stored::StoredRun;
use crate::write;

/// Which reports go where.
#[derive(Debug)]
pub(crate) struct Outputs {
    files: Vec<(PathBuf, Format)>,
    stdout: Option<Format>,
}

impl Outputs {
    /// `--format` says it for every file, else each file's ending; without a file the report goes to stdout, as with the file `-`.
    pub(crate) fn new(files: &[PathBuf], format: Option<args::Format>) -> Self {
        let format = format.map(Format::from);
        let of = |file: &PathBuf| (file.clone(), format.unwrap_or_else(|| by_ending(file)));
        let (to_stdout, files): (Vec<_>, Vec<_>) =
            files.iter().map(of).partition(|(file, _)| is_stdout(file));
        let stdout = match to_stdout.first() {
            Some((_, format)) => Some(*format),
            None if files.is_empty() => format,
            None => None,
        };
        Self { files, stdout }
    }

    /// Whether stdout is taken by a report.
    pub(crate) fn take_stdout(&self) -> bool {
        self.stdout.is_some()
    }

    /// Whether no report was asked for.
    pub(crate) fn is_empty(&self) -> bool {
        self.stdout.is_none() && self.files.is_empty()
    }

    /// Whether each file could be written without doing harm, told before any agent is called.
    pub(crate) fn probe(&self, agent_yaml: &Path, screen: &Screen) -> Exit {
        let agent_yaml = agent_yaml.canonicalize().ok();
        self.each(screen, |file, _| {
            if agent_yaml.is_some() && file.canonicalize().ok() == agent_yaml {
                let file = file.display();
                return Err(format!(
                    "the report would overwrite `{file}`, which it is about"
                ));
            }
            write::probe(file).map_err(|error| error.to_string())
        })
    }

    /// Writes them all; one that fails does not keep the others from being written.
    pub(crate) fn write(&self, run: &mut StoredRun, screen: &Screen) -> Exit {
        let mut exit = self.each(screen, |file, format| {
            write::whole(file, |out| run.write(format, out)).map_err(|error| error.to_string())
        });
        if let Some(format) = self.stdout {
            let mut out = screen.open(Stream::Stdout);
            let written = run.write(format, &mut out).and_then(|()| out.finish());
            if let Err(error) = written {
                screen.say(&format!(
                    "error: cannot write the report to stdout: {error}"
                ));
                exit = exit.and(Exit::NotCarriedOut);
            }
        }
        exit
    }

    fn each(
        &self,
        screen: &Screen,
        mut write: impl FnMut(&Path, Format) -> Result<(), String>,
    ) -> Exit {
        let mut exit = Exit::Passed;
        for (file, format) in &self.files {
            if let Err(error) = write(file, *format) {
                screen.say(&format!(
                    "error: {error}\nhelp: name another file with --output"
                ));
                exit = exit.and(Exit::NotCarriedOut);
            }
        }
        exit
    }
}

impl From<args::Format> for Format {
    fn from(format: args::Format) -> Self {
        match format {
            args::Format::Json => Self::Json,
            args::Format::Markdown => Self::Markdown,
            args::Format::Junit => Self::Junit,
        }
    }
}

/// `/dev/stdout` opened anew would begin at the start of a file again, over what was printed before.
fn is_stdout(file: &Path) -> bool {
    file == Path::new("-") || file == Path::new("/dev/stdout")
}

fn by_ending(file: &Path) -> Format {
    let ending = file
        .extension()
        .map(|e| e.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("md" | "markdown") => Format::Markdown,
        Some("xml") => Format::Junit,
        _ => Format::Json,
    }
}
