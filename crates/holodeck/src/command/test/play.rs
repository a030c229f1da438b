//! The run itself: the runner wired to the agent, the judge, the journal and the screen.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use holodeck_model::event::Event;
use holodeck_model::mask::Masker;
use holodeck_model::slug::slug;
use holodeck_report::Header;
use holodeck_report::console::{self, Style, Verbosity};
use holodeck_run::ports::{Clock as _, Ports};
use holodeck_run::{Journal, JournalError, RunOutcome};

use super::header::{journal_header, told};
use super::prepare::Prepared;
use super::style;
use crate::args::Test;
use crate::clock::SystemClock;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::run_folder::RunFolder;
use crate::screen::{Out, Screen, Stream};
use crate::stage::Stage;
use crate::stored::report_header;

/// A run that is over.
pub(crate) struct Played {
    pub(crate) folder: RunFolder,
    pub(crate) exit: Exit,
    /// Where its cases were shown.
    pub(crate) out: Out,
}

/// Plays the plan; each finished case is shown as soon as it is in the journal.
pub(crate) fn play(
    args: &Test,
    agent_yaml: &Path,
    prepared: &Prepared,
    people: Stream,
    stage: &Stage,
    screen: &Screen,
) -> Result<Played, Exit> {
    let (folder, mut journal, header) = begin(args, agent_yaml, prepared, screen)?;
    let n_cases = prepared.plan.cases.len();
    let is_quiet = prepared.verbosity == Verbosity::Quiet;
    let mut show = Show {
        header,
        style: style(screen.look(people)),
        verbosity: prepared.verbosity,
        out: screen.open(people),
        progress: Progress::new(screen, !is_quiet, n_cases),
    };
    if !is_quiet {
        let beginning = console::beginning(&show.header, n_cases as u64);
        show.print(&beginning);
    }
    let ports = Ports {
        backend: Arc::clone(&prepared.agent.backend),
        judge: Arc::clone(&prepared.judge) as _,
        clock: Arc::new(SystemClock),
    };
    let outcome = stage.play(async |interrupt| {
        let outcome = holodeck_run::run(&prepared.plan, &ports, &mut journal, interrupt, |event| {
            show.see(&event);
        })
        .await;
        prepared.judge.0.close().await;
        outcome
    });
    show.progress.end();
    let exit = match outcome.ok_or(Exit::Interrupted)? {
        Ok(outcome) => exit_of(&outcome, &prepared.masker, screen),
        Err(error) => no_journal(&error, screen),
    };
    Ok(Played {
        folder,
        exit,
        out: show.out,
    })
}

/// Makes a place for the run and begins its journal.
fn begin(
    args: &Test,
    agent_yaml: &Path,
    prepared: &Prepared,
    screen: &Screen,
) -> Result<(RunFolder, Journal, Header), Exit> {
    let started_at = SystemClock.now();
    let beside = || prepared.config.folder().join("results");
    let results = args.results.clone().unwrap_or_else(beside);
    let name = prepared.masker.text(prepared.config.name());
    let folder = RunFolder::create(&results, &slug(&name), &started_at).map_err(|error| {
        screen.say(&format!(
            "error: cannot keep a run in `{}`: {error}\nhelp: --results names another place for runs",
            results.display()
        ));
        Exit::NotCarriedOut
    })?;
    let told = told(args, agent_yaml, prepared);
    let header = journal_header(args, agent_yaml, prepared, &folder, started_at, &told);
    let masker = prepared.masker.clone();
    let mask = Box::new(move |case: &mut _| {
        masker.case(case);
    });
    let journal = Journal::create(&folder.journal(), &header, mask).map_err(|error| {
        folder.discard();
        no_journal(&error, screen)
    })?;
    Ok((folder, journal, report_header(&header, &told)))
}

fn no_journal(error: &JournalError, screen: &Screen) -> Exit {
    screen.say(&format!(
        "error: {error}\nhelp: --results names another place for runs"
    ));
    Exit::NotCarriedOut
}

fn exit_of(outcome: &RunOutcome, masker: &Masker, screen: &Screen) -> Exit {
    let mut exit = Exit::Passed;
    if outcome.n_failed > 0 {
        exit = exit.and(Exit::Failed);
    }
    if let Some(why) = &outcome.unreachable {
        screen.say(&format!(
            "error: nothing was ever answered: {}",
            masker.text(why)
        ));
        exit = exit.and(Exit::NotCarriedOut);
    } else if outcome.nothing_answered() {
        screen
            .say("error: no request was ever answered: each case says why, and nothing was tested");
        exit = exit.and(Exit::NotCarriedOut);
    }
    if outcome.interrupted {
        exit = exit.and(Exit::Interrupted);
    } else if outcome.n_not_run() > 0 && outcome.unreachable.is_none() {
        screen.say("error: not all cases ran to their end");
        exit = exit.and(Exit::NotCarriedOut);
    }
    exit
}

/// What is seen of a run while it goes on.
struct Show {
    header: Header,
    style: Style,
    verbosity: Verbosity,
    out: Out,
    progress: Progress,
}

impl Show {
    fn see(&mut self, event: &Event<'_>) {
        self.progress.see(event);
        if let Event::CaseFinished { outcome } = event
            && self.verbosity != Verbosity::Quiet
        {
            let text = console::case(outcome, &self.header, self.style, self.verbosity);
            self.print(&text);
        }
    }

    fn print(&mut self, text: &str) {
        let out = &mut self.out;
        self.progress.above(|| {
            // `Out` keeps its trouble for `finish`.
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        });
    }
}
