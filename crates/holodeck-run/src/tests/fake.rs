//! An agent and a judge that do what a script says, and the log of what was asked of them.

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use holodeck_model::outcome::TurnOutcome;
use holodeck_model::plan::{CasePlan, MetricKind, TurnPlan};
use holodeck_model::record::TurnRecord;
use holodeck_model::verdict::{MetricVerdict, TurnVerdict};
use tokio::time::{Instant, sleep};

use super::script::{Case, Script, Step};
use crate::Ports;
use crate::ports::{
    Backend, Clock, Fault, OpenError, Partial, Reply, Session, TurnInput, TurnJudge,
};

pub(super) const NOW: &str = "2026-12-01T10:00:00.000000+00:00";

/// What happened, each line with the seconds since the start.
#[derive(Clone, Debug)]
pub(super) struct Log {
    lines: Arc<Mutex<Vec<String>>>,
    start: Instant,
}

impl Log {
    pub(super) fn say(&self, what: impl std::fmt::Display) {
        self.add(format!("{:.1} {what}", self.start.elapsed().as_secs_f64()));
    }
    pub(super) fn add(&self, line: String) {
        self.lines.lock().unwrap().push(line);
    }
    pub(super) fn text(&self) -> String {
        self.lines.lock().unwrap().join("\n") + "\n"
    }
}

#[derive(Debug)]
pub(super) struct FakeAgent {
    pub(super) log: Log,
    cases: Arc<[Case]>,
    /// How often each session was closed.
    sessions: Mutex<Vec<Arc<AtomicUsize>>>,
}

impl FakeAgent {
    pub(super) fn new(script: &Script) -> Self {
        Self {
            log: Log {
                lines: Arc::default(),
                start: Instant::now(),
            },
            cases: script.cases.clone().into(),
            sessions: Mutex::default(),
        }
    }

    pub(super) fn ports(self: &Arc<Self>) -> Ports {
        Ports {
            backend: Arc::clone(self) as Arc<dyn Backend>,
            judge: Arc::clone(self) as Arc<dyn TurnJudge>,
            clock: Arc::new(FakeClock),
        }
    }

    pub(super) fn assert_every_session_closed_once(&self) {
        for closed in self.sessions.lock().unwrap().iter() {
            assert_eq!(closed.load(Ordering::SeqCst), 1, "{}", self.log.text());
        }
    }

    fn case(&self, plan: &CasePlan) -> &Case {
        &self.cases[plan.index % self.cases.len()]
    }
}

struct FakeClock;

impl Clock for FakeClock {
    fn now(&self) -> String {
        NOW.to_owned()
    }
}

#[async_trait]
impl Backend for FakeAgent {
    async fn open(&self, plan: &CasePlan) -> Result<Box<dyn Session>, OpenError> {
        let case = self.case(plan).clone();
        self.log.say(format!("  open {}", case.name));
        if case.has("open=hang") {
            pending::<()>().await;
        }
        assert!(!case.has("open=panic"), "no seat at all");
        if case.has("open=no") {
            let message = "no seat left".to_owned();
            return Err(OpenError { message });
        }
        let closed = Arc::<AtomicUsize>::default();
        self.sessions.lock().unwrap().push(Arc::clone(&closed));
        Ok(Box::new(FakeSession {
            log: self.log.clone(),
            case,
            closed,
        }))
    }
}

struct FakeSession {
    log: Log,
    case: Case,
    closed: Arc<AtomicUsize>,
}

#[async_trait]
impl Session for FakeSession {
    async fn send(&mut self, turn: TurnInput<'_>) -> Reply {
        let name = &self.case.name;
        self.log.say(format!("  send {name}[{}]", turn.index));
        let Step { takes, does, .. } = &self.case.steps[turn.index];
        if !takes.is_zero() {
            sleep(*takes).await;
        }
        let fault = |fault: fn(String) -> Fault| Reply {
            fault: Some(fault(format!("{does} {}", turn.index))),
            ..Reply::default()
        };
        match does.as_str() {
            "ok" => Reply {
                response: Some(format!("{name}{}", turn.index)),
                ..Reply::default()
            },
            "mute" => Reply::default(),
            "half" => Reply {
                response: Some(String::new()),
                ..fault(Fault::Turn)
            },
            "error" => fault(Fault::Turn),
            "session" => fault(Fault::Session),
            "fatal" => fault(Fault::Fatal),
            "nowhere" => fault(Fault::Unreachable),
            "panic" => panic!("out of cheese"),
            other => unreachable!("{other}"),
        }
    }

    async fn abandon(&mut self) -> Partial {
        self.log.say(format!("  abandon {}", self.case.name));
        if self.case.has("abandon=hang") {
            pending::<()>().await;
        }
        assert!(!self.case.has("abandon=panic"), "never give up");
        let lost = self.case.has("abandon=lost");
        Partial {
            session_lost: lost.then(|| "the line is dead".to_owned()),
            ..Partial::default()
        }
    }

    async fn close(self: Box<Self>) {
        self.closed.fetch_add(1, Ordering::SeqCst);
        self.log.say(format!("  close {}", self.case.name));
        if self.case.has("close=hang") {
            pending::<()>().await;
        }
        assert!(!self.case.has("close=panic"), "stuck door");
    }
}

#[async_trait]
impl TurnJudge for FakeAgent {
    async fn judge(
        &self,
        plan: &CasePlan,
        turn: &TurnPlan,
        _: &TurnRecord,
        previous: &[TurnOutcome],
    ) -> TurnVerdict {
        assert_eq!(previous.len(), turn.index, "earlier turns, all of them");
        let step = &self.case(plan).steps[turn.index];
        if !step.judging_takes.is_zero() {
            sleep(step.judging_takes).await;
        }
        let metrics = step.judged.iter().map(|word| metric(word)).collect();
        TurnVerdict {
            tools: Vec::new(),
            metrics,
        }
    }
}

fn metric(word: &str) -> MetricVerdict {
    assert!(word != "jpanic", "hung\njury");
    MetricVerdict {
        name: word.to_owned(),
        kind: MetricKind::Standard,
        score: if word == "nan" { f64::NAN } else { 0.0 },
        threshold: None,
        passed: word == "nan",
        error: (word == "broken").then(|| "no such module".to_owned()),
        reasoning: None,
        evaluation_time_ms: 0,
        model_used: None,
        details: None,
        output: None,
        fails_case: word == "broken",
    }
}
