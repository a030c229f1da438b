//! What an agent sees of a run: sessions opened and closed, inputs sent (X1, X5). No report tells, so an agent of our own does.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use holodeck_model::outcome::TurnOutcome;
use holodeck_model::plan::{
    CaseId, CasePlan, FileInput, OnTurnFailure, RunPlan, RunSettings, TurnPlan,
};
use holodeck_model::record::TurnRecord;
use holodeck_model::verdict::TurnVerdict;
use holodeck_run::journal::{Header, Journal, Settings};
use holodeck_run::ports::{
    Backend, Clock, Fault, OpenError, Ports, Reply, Session, TurnInput, TurnJudge,
};
use serde_json::{Value, json};
use tokio::sync::watch;

/// Plays what `kind` names and compares what the agent saw.
pub(super) fn check(kind: &str, expected: &Value) -> Result<(), String> {
    let file = FileInput {
        path: Some("a.txt".to_owned()),
        kind: "text".to_owned(),
        ..FileInput::default()
    };
    let cases = match kind {
        "session-09" => vec![case(0, &["a", "b"], &[])],
        "session-10" => vec![case(0, &["a"], &[]), case(1, &["a"], &[])],
        _ => vec![case(0, &["a"], &[file])],
    };
    let seen = play(cases)?;
    super::expected_part(expected, &seen)
}

fn case(index: usize, inputs: &[&str], files: &[FileInput]) -> CasePlan {
    let turn = |(index, input): (usize, &&str)| TurnPlan {
        index,
        input: (*input).to_owned(),
        ground_truth: None,
        expected_tools: None,
        files: files.to_vec(),
        retrieval_context: None,
        turn_config: None,
        metrics: Arc::new([]),
    };
    CasePlan {
        index,
        id: CaseId {
            key: "c".to_owned(),
            occurrence: 0,
        },
        name: None,
        single_turn: false,
        turns: inputs.iter().enumerate().map(turn).collect(),
        on_turn_failure: OnTurnFailure::Continue,
    }
}

fn play(cases: Vec<CasePlan>) -> Result<Value, String> {
    let witness = Witness::default();
    let ports = Ports {
        backend: Arc::new(witness.clone()),
        judge: Arc::new(Nobody),
        clock: Arc::new(Nobody),
    };
    let plan = RunPlan {
        agent: "witness".to_owned(),
        cases: Arc::new(cases.into_iter().map(Arc::new).collect::<Vec<_>>()),
        settings: RunSettings {
            llm_timeout: Duration::from_secs(5),
            parallel_test_cases: 1,
        },
    };
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut journal = Journal::create(&folder.path().join("j"), &header(), Box::new(|_| {}))
        .map_err(|e| e.to_string())?;
    let (_interrupter, interrupt) = watch::channel(false);
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|e| e.to_string())?
        .block_on(holodeck_run::run(
            &plan,
            &ports,
            &mut journal,
            interrupt,
            |_| (),
        ))
        .map_err(|e| e.to_string())?;
    let seen = witness.0.lock().map_err(|e| e.to_string())?;
    Ok(json!({"sessions": seen.opened, "closed": seen.closed, "sent": seen.sent}))
}

fn header() -> Header {
    Header {
        run_id: "witness".to_owned(),
        started_at: String::new(),
        program_version: String::new(),
        agent: "witness".to_owned(),
        agent_config_path: "agent.yaml".to_owned(),
        agent_override: None,
        plan_hash: String::new(),
        n_cases: 0,
        settings: Settings {
            llm_timeout_ms: 5_000,
            parallel_test_cases: 1,
        },
        metadata: holodeck_value::Value::Null,
    }
}

#[derive(Debug, Default)]
struct Seen {
    opened: usize,
    closed: usize,
    sent: Vec<String>,
}

/// Counts; its second reply is a fault.
#[derive(Clone, Debug, Default)]
struct Witness(Arc<Mutex<Seen>>);

#[async_trait]
impl Backend for Witness {
    async fn open(&self, _: &CasePlan) -> Result<Box<dyn Session>, OpenError> {
        self.0.lock().expect("no panic").opened += 1;
        Ok(Box::new(self.clone()))
    }
}

#[async_trait]
impl Session for Witness {
    async fn send(&mut self, turn: TurnInput<'_>) -> Reply {
        self.0
            .lock()
            .expect("no panic")
            .sent
            .push(turn.input.to_owned());
        Reply {
            response: Some("ok".to_owned()),
            fault: (turn.index == 1).then(|| Fault::Turn("scripted".to_owned())),
            ..Reply::default()
        }
    }
    async fn close(self: Box<Self>) {
        self.0.lock().expect("no panic").closed += 1;
    }
}

/// Judges nothing and knows no time.
struct Nobody;

#[async_trait]
impl TurnJudge for Nobody {
    async fn judge(
        &self,
        _: &CasePlan,
        _: &TurnPlan,
        _: &TurnRecord,
        _: &[TurnOutcome],
    ) -> TurnVerdict {
        TurnVerdict::default()
    }
}

impl Clock for Nobody {
    fn now(&self) -> String {
        String::new()
    }
}
