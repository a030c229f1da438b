//! The engine against a scripted agent on paused time. A test is a script and the transcript that it must make, see [`script`] for the words.

#![expect(
    clippy::needless_raw_string_hashes,
    reason = "expect-test writes the transcripts so"
)]

mod engine;
mod fake;
mod files;
mod misbehaviour;
mod script;
mod stopping;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use expect_test::Expect;
use holodeck_model::event::Event;
use holodeck_model::outcome::{CaseOutcome, TurnOutcome};
use holodeck_model::plan::{RunPlan, RunSettings};
use holodeck_value::Value;
use tokio::sync::watch;
use tokio::time::sleep;

use crate::journal::{Header, Settings};
use crate::{Journal, JournalReader, RunOutcome, run};
use fake::{FakeAgent, Log};
use script::{Script, parse};

/// Plays a script and compares what happened, with the seconds at which it did.
async fn check(script: &str, expected: Expect) {
    let script = parse(script);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let agent = Arc::new(FakeAgent::new(&script));
    let mut journal = Journal::create(&path, &header(&script), Box::new(|_| {})).unwrap();
    let mut finished = Vec::new();
    let outcome = play(&script, &agent, &mut journal, |event| {
        if let Event::CaseFinished { outcome } = event {
            finished.push(outcome.clone());
        }
    })
    .await
    .unwrap();
    assert_journalled(&path, finished, &outcome);
    let counts = format!(
        "{} of {} passed, {} failed ({} infrastructure), {} not run; turns: {} of {} answered, {} skipped\n",
        outcome.n_passed,
        outcome.n_cases,
        outcome.n_failed,
        outcome.n_infrastructure_errors,
        outcome.n_not_run(),
        outcome.n_answered_turns,
        outcome.n_turns,
        outcome.n_skipped_turns,
    );
    agent.assert_every_session_closed_once();
    expected.assert_eq(&(agent.log.text() + &counts));
}

async fn play(
    script: &Script,
    agent: &Arc<FakeAgent>,
    journal: &mut Journal,
    mut on_event: impl FnMut(Event<'_>),
) -> Result<RunOutcome, crate::JournalError> {
    let plan = RunPlan {
        agent: "fake".to_owned(),
        cases: Arc::new(script.clone()),
        settings: RunSettings {
            llm_timeout: Duration::from_secs(2),
            parallel_test_cases: script.parallel,
        },
    };
    let (interrupter, interrupt) = watch::channel(script.interrupt_at == Some(Duration::ZERO));
    let interrupting = async {
        match script.interrupt_at {
            Some(at) => {
                sleep(at).await;
                interrupter.send_replace(true);
            }
            None => drop(interrupter),
        }
    };
    let log = agent.log.clone();
    let ports = agent.ports();
    let running = run(&plan, &ports, journal, interrupt, |event| {
        tell(&log, event);
        on_event(event);
    });
    tokio::join!(running, interrupting).0
}

fn tell(log: &Log, event: Event<'_>) {
    match event {
        Event::RunStarted { .. } => {}
        Event::CaseStarted { label, .. } => log.say(format!("{label} started")),
        Event::TurnFinished {
            index,
            turn,
            passed,
        } => log.say(format!(
            "#{index}[{turn}] {}",
            if passed { "passed" } else { "failed" }
        )),
        Event::CaseFinished { outcome } => {
            let verdict = if outcome.passed() { "passed" } else { "failed" };
            log.say(format!("{} {verdict}", outcome.label()));
            if let Some(error) = &outcome.error {
                log.add(format!("      error: {error}"));
            }
            outcome.turns.iter().for_each(|turn| log.add(told(turn)));
        }
        Event::Interrupted => log.say("interrupted".to_owned()),
    }
}

fn told(turn: &TurnOutcome) -> String {
    let record = &turn.record;
    let end = record.end.error().unwrap_or("replied".to_owned());
    let response = record.response.as_deref();
    let response = response.map_or(String::new(), |r| format!(" {r:?}"));
    let metrics = &turn.verdict.metrics;
    let errors: Vec<&str> = metrics.iter().filter_map(|m| m.error.as_deref()).collect();
    let errors = if errors.is_empty() {
        String::new()
    } else {
        format!("; {}", errors.join("; "))
    };
    let ms = record.duration_ms;
    format!("      [{}] {end}{response} {ms} ms{errors}", turn.index)
}

/// What the journal holds is what the events carried, in file order.
fn assert_journalled(path: &Path, mut finished: Vec<CaseOutcome>, outcome: &RunOutcome) {
    let mut journal = JournalReader::open(path).unwrap();
    let read: Vec<CaseOutcome> = journal.cases().map(Result::unwrap).collect();
    finished.sort_by_key(|case| case.index);
    assert_eq!(read, finished);
    let footer = journal.footer().unwrap();
    assert_eq!(footer.n_finished, outcome.n_finished());
    assert_eq!(footer.n_not_run, journal.n_not_run());
    assert_eq!(footer.interrupted, outcome.interrupted);
}

fn header(script: &Script) -> Header {
    Header {
        run_id: "2026-12-01T10-00-00-4f1c".to_owned(),
        started_at: fake::NOW.to_owned(),
        program_version: "0.1.0".to_owned(),
        agent: "fake".to_owned(),
        agent_config_path: "agent.yaml".to_owned(),
        agent_override: None,
        plan_hash: "sha256:0".to_owned(),
        n_cases: script.cases.len(),
        settings: Settings {
            llm_timeout_ms: 2000,
            parallel_test_cases: script.parallel,
        },
        metadata: Value::Null,
    }
}
