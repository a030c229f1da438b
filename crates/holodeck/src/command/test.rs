//! `holodeck test`: everything is checked, the cases are played, what came of them is told.
//!
//! No rule about passing or failing lives here: verdicts come from the judge, their sum from the runner.

mod play;
mod prepare;

use std::io::Write as _;

use holodeck_report::console::{self, Style};
use holodeck_report::text;

use crate::args::{MessageFormat, Test};
use crate::exit::Exit;
use crate::outputs::Outputs;
use crate::screen::{Look, Screen, Stream};
use crate::stored::StoredRun;
use crate::write;

use play::Played;
use prepare::Prepared;

pub(crate) fn run(args: &Test, screen: &Screen) -> Exit {
    let agent_yaml = match args.agent_yaml() {
        Ok(agent_yaml) => agent_yaml,
        Err(error) => {
            screen.say(&format!("error: {error}"));
            return Exit::Usage;
        }
    };
    if args.force_ingest {
        screen.say("note: --force-ingest does nothing here: this program ingests no documents");
    }
    let prepared = match prepare::prepare(args, &agent_yaml, screen) {
        Ok(prepared) => prepared,
        Err(exit) => return exit,
    };
    if args.list {
        return list(&prepared, screen);
    }
    let outputs = Outputs::new(&args.output, args.format);
    let probed = outputs.probe(screen);
    if probed != Exit::Passed {
        return probed;
    }
    let people = stream_for_people(args, &outputs);
    let played = match play::play(args, &agent_yaml, &prepared, people, screen) {
        Ok(played) => played,
        Err(exit) => return exit,
    };
    tell(&prepared, &played, &outputs, people, screen)
}

/// Where the report for people goes: stdout, unless something that may be piped is there.
fn stream_for_people(args: &Test, outputs: &Outputs) -> Stream {
    if outputs.take_stdout() || args.message_format == MessageFormat::Json {
        Stream::Stderr
    } else {
        Stream::Stdout
    }
}

fn list(prepared: &Prepared, screen: &Screen) -> Exit {
    let mut out = screen.open(Stream::Stdout);
    for i in 0..prepared.plan.cases.len() {
        let label = match prepared.plan.cases.get(i) {
            Ok(case) => case.label(),
            Err(error) => {
                screen.say(&format!("error: {error}"));
                return Exit::NotCarriedOut;
            }
        };
        // `Out` keeps its trouble for `finish`.
        let _ = writeln!(out, "{}", text::one_line(&label));
    }
    finished(out.finish(), screen)
}

/// Writes the reports and the run file, all from the journal, and the summary.
fn tell(
    prepared: &Prepared,
    played: &Played,
    outputs: &Outputs,
    people: Stream,
    screen: &Screen,
) -> Exit {
    let mut exit = played.exit;
    let mut run = match StoredRun::open(&played.folder.journal()) {
        Ok(run) => run,
        Err(error) => {
            screen.say(&format!("error: {error}"));
            return exit.and(Exit::NotCarriedOut);
        }
    };
    exit = exit.and(outputs.write(&mut run, screen));
    let run_file = played.folder.run_file();
    if let Err(error) = write::whole(&run_file, |out| run.write_run_file(out)) {
        screen.say(&format!(
            "error: {error}\nhelp: --results names another place for runs"
        ));
        exit = exit.and(Exit::NotCarriedOut);
    }
    let mut out = screen.open(people);
    // `Out` keeps its trouble for `finish`.
    let _ = out.write_all(console::summary(run.summary(), style(screen.look(people))).as_bytes());
    exit = exit.and(finished(out.finish(), screen));
    if !prepared.quiet {
        screen.say(&format!("Run kept in {}", run_file.display()));
    }
    exit
}

fn finished(written: std::io::Result<()>, screen: &Screen) -> Exit {
    match written {
        Ok(()) => Exit::Passed,
        Err(error) => {
            screen.say(&format!("error: cannot write to stdout: {error}"));
            Exit::NotCarriedOut
        }
    }
}

fn style(look: Look) -> Style {
    Style {
        colour: look.colour,
        width: look.width,
    }
}
