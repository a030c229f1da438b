//! Plays one case: a fresh session, its turns in order, a verdict after each, the session closed whatever happened.

use std::sync::Arc;
use std::time::Duration;

use holodeck_model::outcome::{CaseOutcome, TurnOutcome};
use holodeck_model::plan::{CaseId, CasePlan, CaseUnreadable, MetricKind, OnTurnFailure, TurnPlan};
use holodeck_model::record::{TurnEnd, TurnRecord};
use holodeck_model::verdict::{MetricVerdict, TurnVerdict};
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Instant;
use tracing::{debug, warn};

use crate::bounded::{Ended, Stop, bounded, caught, within};
use crate::ports::{Fault, Partial, Ports, Reply, Session, TurnInput};
use crate::reach::Reach;
use crate::session_health::SessionHealth;

/// How long a session may take to give up a turn, and to close.
const GRACE: Duration = Duration::from_secs(6);

/// One case being played.
pub(crate) struct Player<'a> {
    pub(crate) case: &'a CasePlan,
    pub(crate) ports: &'a Ports,
    pub(crate) llm_timeout: Duration,
    pub(crate) stop: Stop,
    pub(crate) turns_told: UnboundedSender<TurnTold>,
    pub(crate) reach: Arc<Reach>,
}

/// A turn ended and was judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnTold {
    pub(crate) index: usize,
    pub(crate) turn: usize,
    pub(crate) passed: bool,
}

/// What came of saying a turn.
struct Said {
    record: TurnRecord,
    /// Why the session is lost, if giving the turn up showed that.
    session_lost: Option<String>,
    /// Why nothing was ever answered in this run, if this turn's failure says so.
    unreachable: Option<String>,
}

/// How a case came to an end of its own.
enum CaseEnd {
    Played(Vec<TurnOutcome>),
    NotOpened(String),
}

impl Player<'_> {
    /// Plays the case (rules X1 to X5); `None` when the run was stopped before its end.
    pub(crate) async fn play(mut self) -> Option<CaseOutcome> {
        let started_at = self.ports.clock.now();
        let mut session = None;
        let end = caught(self.open_and_converse(&mut session)).await;
        if let Some(session) = session {
            close(session).await;
        }
        let (error, turns) = match end {
            Ok(None) => {
                debug!("stopped");
                return None;
            }
            Ok(Some(CaseEnd::Played(turns))) => (None, turns),
            Ok(Some(CaseEnd::NotOpened(why))) => {
                let error = format!("the session could not be opened: {why}");
                debug!("the session could not be opened");
                let turns = all_skipped(self.case, &error);
                (Some(error), turns)
            }
            Err(panicked) => {
                let error = format!("holodeck broke on this case, please report it: {panicked}");
                let turns = all_skipped(self.case, &error);
                (Some(error), turns)
            }
        };
        Some(CaseOutcome {
            index: self.case.index,
            id: self.case.id.clone(),
            name: self.case.name.clone(),
            single_turn: self.case.single_turn,
            started_at,
            error,
            turns,
        })
    }

    /// The session is put where the caller sees it before anything else can go wrong, so that it is closed.
    async fn open_and_converse(
        &mut self,
        session: &mut Option<Box<dyn Session>>,
    ) -> Option<CaseEnd> {
        let opening = async { self.ports.backend.open(self.case).await };
        let opened = bounded(opening, Some(self.llm_timeout), &mut self.stop).await;
        let not_opened = match opened {
            Ended::Done(Ok(opened)) => {
                let session = session.insert(opened).as_mut();
                return self.converse(session).await.map(CaseEnd::Played);
            }
            Ended::Done(Err(error)) => error.message,
            Ended::TimedOut => format!("no answer within {:?} (`llm_timeout`)", self.llm_timeout),
            Ended::Panicked(panicked) => format!("the agent {panicked}"),
            Ended::Stopped => return None,
        };
        Some(CaseEnd::NotOpened(not_opened))
    }

    async fn converse(&mut self, session: &mut dyn Session) -> Option<Vec<TurnOutcome>> {
        let mut health = SessionHealth::default();
        let mut skip_reason: Option<String> = None;
        let mut turns = Vec::with_capacity(self.case.turns.len());
        for turn in &self.case.turns {
            if let Some(reason) = &skip_reason {
                turns.push(skipped(turn, reason));
                continue;
            }
            let Said {
                record,
                session_lost,
                unreachable,
            } = self.say(session, turn).await?;
            let verdict = self.judge(turn, &record, &turns).await?;
            let outcome = finished(turn, record, verdict);
            let passed = outcome.passed();
            debug!(
                turn = turn.index,
                end = kind(&outcome.record.end),
                ms = outcome.record.duration_ms,
                passed,
                "turn ended"
            );
            skip_reason = health
                .after(&outcome.record.end)
                .or_else(|| session_lost.map(|why| format!("the session was lost: {why}")))
                .or_else(|| unreachable.map(|why| format!("nothing was ever answered: {why}")))
                .or_else(|| self.why_to_stop_after(&outcome));
            // Nobody listens any more only when the run itself was dropped.
            let _ = self.turns_told.send(TurnTold {
                index: self.case.index,
                turn: turn.index,
                passed,
            });
            turns.push(outcome);
        }
        Some(turns)
    }

    /// Says one turn. `None` when the run is being stopped.
    async fn say(&mut self, session: &mut dyn Session, turn: &TurnPlan) -> Option<Said> {
        let input = TurnInput {
            index: turn.index,
            input: &turn.input,
            files: &turn.files,
        };
        let sent_at = Instant::now();
        let sending = async { session.send(input).await };
        let ended = bounded(sending, Some(self.llm_timeout), &mut self.stop).await;
        let duration = sent_at.elapsed();
        let (end, partial) = match ended {
            Ended::Done(reply) => {
                let unreachable = self.reach.after(&reply);
                return Some(Said {
                    record: replied(reply, duration),
                    session_lost: None,
                    unreachable,
                });
            }
            Ended::TimedOut => (TurnEnd::TimedOut, give_up(session).await),
            Ended::Panicked(panicked) => {
                let end = TurnEnd::SessionFailed {
                    message: format!("the agent {panicked}"),
                    unrecoverable: false,
                };
                (end, give_up(session).await)
            }
            Ended::Stopped => {
                give_up(session).await;
                return None;
            }
        };
        self.reach.after_partial(&partial);
        let record = TurnRecord {
            tool_invocations: partial.tool_invocations,
            usage: partial.usage,
            duration_ms: in_ms(duration),
            ..TurnRecord::unsent(end)
        };
        Some(Said {
            record,
            session_lost: partial.session_lost,
            unreachable: None,
        })
    }

    async fn judge(
        &mut self,
        turn: &TurnPlan,
        record: &TurnRecord,
        previous: &[TurnOutcome],
    ) -> Option<TurnVerdict> {
        let judging = async {
            let judge = &self.ports.judge;
            judge.judge(self.case, turn, record, previous).await
        };
        let mut verdict = match bounded(judging, None, &mut self.stop).await {
            Ended::Done(verdict) => verdict,
            Ended::Panicked(panicked) => broken_verdict(format!("judging this turn {panicked}")),
            Ended::TimedOut | Ended::Stopped => return None,
        };
        verdict.metrics.iter_mut().for_each(refuse_odd_score);
        Some(verdict)
    }

    fn why_to_stop_after(&self, turn: &TurnOutcome) -> Option<String> {
        let broken = turn.verdict.metrics.iter().find(|m| m.fails_case);
        if let Some(metric) = broken {
            return Some(format!(
                "the metric `{}` broke on turn {}, and its `fail_on_error` is set",
                metric.name,
                turn.index + 1
            ));
        }
        (self.case.on_turn_failure == OnTurnFailure::Stop && !turn.passed()).then(|| {
            format!(
                "turn {} failed, and `on_turn_failure` is `stop`",
                turn.index + 1
            )
        })
    }
}

/// The outcome of a case that was fine when it was checked and can't be read any more.
pub(crate) fn unreadable(why: &CaseUnreadable, now: String) -> CaseOutcome {
    CaseOutcome {
        index: why.index,
        id: CaseId {
            key: format!("test_cases[{}]", why.index),
            occurrence: 0,
        },
        name: None,
        single_turn: false,
        started_at: now,
        error: Some(why.to_string()),
        turns: Vec::new(),
    }
}

async fn give_up(session: &mut dyn Session) -> Partial {
    let lost = |why: String| Partial {
        session_lost: Some(why),
        ..Partial::default()
    };
    match within(async { session.abandon().await }, Some(GRACE)).await {
        Ended::Done(partial) => partial,
        Ended::Panicked(panicked) => lost(format!("giving up a turn {panicked}")),
        Ended::TimedOut | Ended::Stopped => lost(format!("no turn given up within {GRACE:?}")),
    }
}

async fn close(session: Box<dyn Session>) {
    match within(async { session.close().await }, Some(GRACE)).await {
        Ended::Done(()) => {}
        Ended::Panicked(_) => warn!("closing a session panicked"),
        Ended::TimedOut | Ended::Stopped => warn!("a session was not closed within {GRACE:?}"),
    }
}

fn replied(reply: Reply, duration: Duration) -> TurnRecord {
    let end = match reply.fault {
        None if reply.response.is_some() => TurnEnd::Replied,
        None => TurnEnd::BackendFailed {
            message: "neither a reply nor an error came".to_owned(),
        },
        Some(Fault::Turn(message) | Fault::Unreachable(message)) => {
            TurnEnd::BackendFailed { message }
        }
        Some(Fault::Session(message)) => TurnEnd::SessionFailed {
            message,
            unrecoverable: false,
        },
        Some(Fault::Fatal(message)) => TurnEnd::SessionFailed {
            message,
            unrecoverable: true,
        },
    };
    TurnRecord {
        end,
        response: reply.response,
        tool_invocations: reply.tool_invocations,
        usage: reply.usage,
        duration_ms: in_ms(duration),
        processed_files: reply.processed_files,
    }
}

fn in_ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn all_skipped(case: &CasePlan, reason: &str) -> Vec<TurnOutcome> {
    case.turns.iter().map(|t| skipped(t, reason)).collect()
}

fn skipped(turn: &TurnPlan, reason: &str) -> TurnOutcome {
    let reason = reason.to_owned();
    let record = TurnRecord::unsent(TurnEnd::Skipped { reason });
    finished(turn, record, TurnVerdict::default())
}

fn finished(turn: &TurnPlan, record: TurnRecord, verdict: TurnVerdict) -> TurnOutcome {
    TurnOutcome {
        index: turn.index,
        input: turn.input.clone(),
        ground_truth: turn.ground_truth.clone(),
        expected_tools: turn.expected_tools_as_written(),
        asserted: turn.asserts_something(),
        record,
        verdict,
    }
}

/// How a turn ended, for the log: without messages, which may hold secrets that only the journal masks (rule L10a).
fn kind(end: &TurnEnd) -> &'static str {
    match end {
        TurnEnd::Replied => "replied",
        TurnEnd::TimedOut => "timed out",
        TurnEnd::BackendFailed { .. } => "backend failed",
        TurnEnd::SessionFailed { .. } => "session failed",
        TurnEnd::Skipped { .. } => "skipped",
    }
}

/// The verdict of a judge that broke: a turn that was not judged must not pass.
fn broken_verdict(error: String) -> TurnVerdict {
    let metric = MetricVerdict {
        name: "judge".to_owned(),
        kind: MetricKind::Standard,
        score: 0.0,
        threshold: None,
        passed: false,
        error: Some(error),
        reasoning: None,
        evaluation_time_ms: 0,
        model_used: None,
        details: None,
        output: None,
        fails_case: false,
    };
    TurnVerdict {
        tools: Vec::new(),
        metrics: vec![metric],
    }
}

/// NaN and the infinities are no scores: nothing can be averaged with them, and JSON has no words for them.
fn refuse_odd_score(metric: &mut MetricVerdict) {
    if !metric.score.is_finite() {
        let error = format!("{} is not a score", metric.score);
        metric.error.get_or_insert(error);
        metric.score = 0.0;
        metric.passed = false;
    }
}
