//! `holodeck test`: everything is checked, the cases are played, what came of them is told.
//!
//! No rule about passing or failing lives here: verdicts come from the judge, their sum from the runner.

mod header;
mod play;
mod prepare;

use std::io::Write as _;

use holodeck_report::console::{self, Style, Verbosity};
use holodeck_report::text;

use crate::args::{MessageFormat, Test};
use crate::exit::Exit;
use crate::outputs::Outputs;
use crate::screen::{Look, Screen, Stream};
use crate::stage::Stage;
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
    let outputs = Outputs::new(&args.output, args.format);
    if outputs.take_stdout() && args.message_format == MessageFormat::Json {
        screen.say("error: --message-format json and the report both want stdout\nhelp: name a file for the report with --output");
        return Exit::Usage;
    }
    let stage = match Stage::new(screen) {
        Ok(stage) => stage,
        Err(exit) => return exit,
    };
    let people = stream_for_people(args, &outputs);
    let prepared = match prepare::prepare(args, &agent_yaml, &stage, screen) {
        Ok(prepared) => prepared,
        Err(exit) => return exit,
    };
    if args.list {
        return list(&prepared, args.message_format, screen);
    }
    let probed = outputs.probe(&agent_yaml, screen);
    if probed != Exit::Passed {
        return probed;
    }
    let played = play::play(args, &agent_yaml, &prepared, people, &stage, screen);
    let exit = match played {
        Ok(played) => tell(&prepared, played, &outputs, people, screen),
        Err(exit) => exit,
    };
    if stage.is_interrupted() {
        exit.and(Exit::Interrupted)
    } else {
        exit
    }
}

/// Where the report for people goes: stdout, unless something that may be piped is there.
fn stream_for_people(args: &Test, outputs: &Outputs) -> Stream {
    if outputs.take_stdout() || args.message_format == MessageFormat::Json {
        Stream::Stderr
    } else {
        Stream::Stdout
    }
}

/// The selected cases, a line each; on stderr where an object has stdout to itself.
fn list(prepared: &Prepared, message_format: MessageFormat, screen: &Screen) -> Exit {
    let mut out = screen.open(match message_format {
        MessageFormat::Text => Stream::Stdout,
        MessageFormat::Json => Stream::Stderr,
    });
    for i in 0..prepared.plan.cases.len() {
        let label = match prepared.plan.cases.get(i) {
            Ok(case) => case.label(),
            Err(error) => {
                screen.say(&format!("error: {error}"));
                return Exit::NotCarriedOut;
            }
        };
        let label = prepared.masker.text(&label);
        // `Out` keeps its trouble for `end`.
        let _ = writeln!(out, "{}", text::one_line(&label));
    }
    out.end(screen)
}

/// Writes the run file and the reports, all from the journal, and the summary.
fn tell(
    prepared: &Prepared,
    played: Played,
    outputs: &Outputs,
    people: Stream,
    screen: &Screen,
) -> Exit {
    let Played {
        folder,
        exit,
        mut out,
    } = played;
    let mut run = match StoredRun::open(&folder.journal()) {
        Ok(run) => run,
        Err(error) => {
            screen.say(&format!("error: {error}"));
            return exit.and(Exit::NotCarriedOut);
        }
    };
    let run_file = folder.run_file();
    let kept = write::whole(&run_file, |out| run.write_run_file(out));
    let mut exit = exit.and(outputs.write(&mut run, screen));
    // `Out` keeps its trouble for `end`.
    let _ = out.write_all(console::summary(run.summary(), style(screen.look(people))).as_bytes());
    exit = exit.and(out.end(screen));
    if let Err(error) = kept {
        screen.say(&format!(
            "error: {error}\nhelp: --results names another place for runs"
        ));
        return exit.and(Exit::NotCarriedOut);
    }
    if prepared.verbosity != Verbosity::Quiet {
        screen.say(&format!("Run kept in {}", run_file.display()));
    }
    exit
}

fn style(look: Look) -> Style {
    Style {
        colour: look.colour,
        width: look.width,
    }
}
