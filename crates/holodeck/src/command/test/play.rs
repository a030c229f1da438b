//! The run itself: the runner wired to the agent, the judge, the journal and the screen.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use holodeck_model::config::Config;
use holodeck_model::event::Event;
use holodeck_model::outcome::TurnOutcome;
use holodeck_model::plan::{CasePlan, CaseSource as _, TurnPlan};
use holodeck_model::record::TurnRecord;
use holodeck_model::slug::slug;
use holodeck_model::verdict::TurnVerdict;
use holodeck_report::Header;
use holodeck_report::console::{self, Style, Verbosity};
use holodeck_report::wire::{EvalRunMetadata, PromptVersion};
use holodeck_run::journal::{Header as JournalHeader, Settings};
use holodeck_run::ports::{Clock as _, Ports, TurnJudge};
use holodeck_run::{Journal, JournalError, RunOutcome};
use holodeck_value::{Object, Value};
use sha2::{Digest as _, Sha256};

use super::prepare::Prepared;
use super::style;
use crate::args::Test;
use crate::clock::SystemClock;
use crate::command::report::verbosity;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::run_folder::RunFolder;
use crate::screen::{Out, Screen, Stream};
use crate::stored::{Told, report_header};
use crate::{git, interrupt};

/// A run that is over.
pub(crate) struct Played {
    pub(crate) folder: RunFolder,
    pub(crate) exit: Exit,
}

/// Plays the plan; each finished case is shown as soon as it is in the journal.
pub(crate) fn play(
    args: &Test,
    agent_yaml: &Path,
    prepared: &Prepared,
    people: Stream,
    screen: &Screen,
) -> Result<Played, Exit> {
    let started_at = SystemClock.now();
    let results = args
        .results
        .clone()
        .unwrap_or_else(|| prepared.config.folder().join("results"));
    let folder = RunFolder::create(&results, &slug(prepared.config.name()), &started_at).map_err(|error| {
        screen.say(&format!("error: cannot keep a run in `{}`: {error}\nhelp: --results names another place for runs", results.display()));
        Exit::NotCarriedOut
    })?;
    let told = told(args, agent_yaml, prepared);
    let header = journal_header(args, agent_yaml, prepared, &folder, started_at, &told);
    let masker = prepared.config.masker();
    let mask = Box::new(move |case: &mut _| {
        masker.case(case);
    });
    let cannot = |error: JournalError| {
        screen.say(&format!(
            "error: {error}\nhelp: --results names another place for runs"
        ));
        Exit::NotCarriedOut
    };
    let mut journal = Journal::create(&folder.journal(), &header, mask).map_err(cannot)?;
    let mut show = Show {
        header: report_header(&header, &told),
        style: style(screen.look(people)),
        verbosity: verbosity(prepared.verbose, prepared.quiet),
        out: screen.open(people),
        progress: Progress::new(screen, !prepared.quiet, prepared.plan.cases.len()),
    };
    show.beginning(prepared);
    let ports = Ports {
        backend: Arc::clone(&prepared.backend) as _,
        judge: Arc::new(Judge),
        clock: Arc::new(SystemClock),
    };
    let outcome = block_on(async {
        let interrupt = interrupt::watch();
        holodeck_run::run(&prepared.plan, &ports, &mut journal, interrupt, |event| {
            show.see(&event);
        })
        .await
    })
    .map_err(|error| {
        screen.say(&format!("error: cannot start a run: {error}"));
        Exit::NotCarriedOut
    })?;
    show.progress.end();
    let shown = show.out.finish();
    let mut exit = match outcome {
        Ok(outcome) => exit_of(&outcome, screen),
        Err(error) => cannot(error),
    };
    if let Err(error) = shown {
        screen.say(&format!("error: cannot write to stdout: {error}"));
        exit = exit.and(Exit::NotCarriedOut);
    }
    Ok(Played { folder, exit })
}

fn block_on<F: Future>(future: F) -> std::io::Result<F::Output> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    Ok(runtime.block_on(future))
}

fn exit_of(outcome: &RunOutcome, screen: &Screen) -> Exit {
    let mut exit = Exit::Passed;
    if outcome.n_failed > 0 {
        exit = exit.and(Exit::Failed);
    }
    if outcome.nothing_answered() {
        screen.say("error: no request was ever answered: the agent could not be reached, so nothing was tested");
        exit = exit.and(Exit::NotCarriedOut);
    }
    if outcome.interrupted {
        exit = exit.and(Exit::Interrupted);
    } else if outcome.n_not_run() > 0 {
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
    fn beginning(&mut self, prepared: &Prepared) {
        if self.verbosity == Verbosity::Quiet {
            return;
        }
        let n_cases = holodeck_report::text::count(prepared.plan.cases.len() as u64, "case");
        let name = holodeck_report::text::one_line(prepared.config.name());
        self.print(&format!(
            "{name}: {n_cases}, answered by {}\n\n",
            prepared.agent
        ));
    }

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

/// The metrics that need nobody but this program.
struct Judge;

#[async_trait]
impl TurnJudge for Judge {
    async fn judge(
        &self,
        _: &CasePlan,
        turn: &TurnPlan,
        record: &TurnRecord,
        _: &[TurnOutcome],
    ) -> TurnVerdict {
        holodeck_eval::judge(turn, record)
    }
}

fn journal_header(
    args: &Test,
    agent_yaml: &Path,
    prepared: &Prepared,
    folder: &RunFolder,
    started_at: String,
    told: &Told,
) -> JournalHeader {
    let settings = &prepared.plan.settings;
    JournalHeader {
        run_id: folder.id(),
        started_at,
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        agent: prepared.config.name().to_owned(),
        agent_config_path: agent_yaml.display().to_string(),
        agent_override: args.agent.clone(),
        plan_hash: plan_hash(args, &prepared.config),
        n_cases: prepared.plan.cases.len(),
        settings: Settings {
            llm_timeout_ms: u64::try_from(settings.llm_timeout.as_millis()).unwrap_or(u64::MAX),
            parallel_test_cases: settings.parallel_test_cases,
        },
        metadata: told.to_value(),
    }
}

/// Identifies what was planned: the files and which of their cases.
fn plan_hash(args: &Test, config: &Config) -> String {
    let mut hash = Sha256::new();
    hash.update(config.digest());
    for filter in &args.filter {
        hash.update([0]);
        hash.update(filter);
    }
    hash.update(format!("\n{:?}", args.limit));
    let mut hex = String::from("sha256:");
    for byte in hash.finalize() {
        // Writing to a string can't fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

fn told(args: &Test, agent_yaml: &Path, prepared: &Prepared) -> Told {
    let config = &prepared.config;
    let masker = config.masker();
    let settings: Object = config
        .settings()
        .entries()
        .iter()
        .map(|s| (s.key.to_owned(), s.value.clone()))
        .collect();
    let mut environment = Object::new();
    environment.insert("execution_config", Value::Object(settings));
    let mut words = vec![
        "holodeck".to_owned(),
        "test".to_owned(),
        agent_yaml.display().to_string(),
    ];
    for (flag, value) in [
        ("--agent", args.agent.clone()),
        ("--timeout", args.timeout.map(|t| t.to_string())),
    ] {
        words.extend(value.into_iter().flat_map(|value| [flag.to_owned(), value]));
    }
    let mut cli_args: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|a| a.to_string_lossy().into_owned())
        .collect();
    for text in words.iter_mut().chain(&mut cli_args) {
        masker.string(text);
    }
    Told {
        environment,
        rerun: words,
        case_names: case_names(config),
        eval_run: EvalRunMetadata {
            agent_config: config.snapshot().clone(),
            prompt_version: prompt_version(prepared),
            holodeck_version: env!("CARGO_PKG_VERSION").to_owned(),
            cli_args,
            git_commit: git::commit(Path::new(".")),
        },
    }
}

/// Names of all cases in the file, which a filter has to tell apart; none where that would be a long list.
fn case_names(config: &Config) -> Vec<String> {
    const MOST_BYTES: usize = 64 << 10;
    let cases = config.cases();
    let mut n_bytes = 0;
    let mut names = Vec::new();
    for i in 0..cases.len() {
        let name = cases
            .name(i)
            .map_or_else(|| format!("test_cases[{i}]"), str::to_owned);
        n_bytes += name.len();
        if n_bytes > MOST_BYTES {
            return Vec::new();
        }
        names.push(name);
    }
    names
}

/// Which instructions the agent had; one that brings its own says nothing of them.
fn prompt_version(prepared: &Prepared) -> PromptVersion {
    let none = PromptVersion {
        version: "none".to_owned(),
        author: None,
        description: None,
        tags: Vec::new(),
        source: "none".to_owned(),
        file_path: None,
        body_hash: String::new(),
        extra: Object::new(),
    };
    prepared
        .config
        .instructions()
        .map_or(none, |i| PromptVersion {
            version: i.version.version.clone(),
            author: i.version.author.clone(),
            description: i.version.description.clone(),
            tags: i.version.tags.clone(),
            source: i.version.source.to_owned(),
            file_path: i.version.file_path.clone(),
            body_hash: i.version.body_hash.clone(),
            extra: i.version.extra.clone(),
        })
}
