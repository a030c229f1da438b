//! `holodeck report`: a stored run, rendered again.

use holodeck_report::console::{Style, Verbosity};

use crate::args::Report;
use crate::exit::Exit;
use crate::outputs::Outputs;
use crate::run_folder;
use crate::screen::{Screen, Stream};
use crate::stored::StoredRun;

pub(crate) fn run(args: &Report, screen: &Screen) -> Exit {
    let journal = match run_folder::find_journal(&args.run) {
        Ok(journal) => journal,
        Err(error) => {
            screen.say(&format!(
                "error: {error}\nhelp: runs are kept under results/ beside agent.yaml"
            ));
            return Exit::Usage;
        }
    };
    let mut run = match StoredRun::open(&journal) {
        Ok(run) => run,
        Err(error) => {
            screen.say(&format!("error: {error}"));
            return Exit::Usage;
        }
    };
    if let Some(torn) = run.torn() {
        screen.say(&format!("warning: {torn}"));
    }
    let outputs = Outputs::new(&args.output, args.format);
    if !outputs.is_empty() {
        return outputs.write(&mut run, screen);
    }
    let look = screen.look(Stream::Stdout);
    let style = Style {
        colour: look.colour,
        width: look.width,
    };
    let mut out = screen.open(Stream::Stdout);
    let written = run.write_console(style, verbosity(args.verbose, args.quiet), &mut out);
    match written.and_then(|()| out.finish()) {
        Ok(()) => Exit::Passed,
        Err(error) => {
            screen.say(&format!(
                "error: cannot write the report to stdout: {error}"
            ));
            Exit::NotCarriedOut
        }
    }
}

/// How much `-v` and `-q` ask for.
pub(crate) fn verbosity(verbose: bool, quiet: bool) -> Verbosity {
    match (verbose, quiet) {
        (_, true) => Verbosity::Quiet,
        (true, false) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    }
}
