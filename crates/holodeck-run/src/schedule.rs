//! Plays the cases of a plan, so many at once, and tells what happens (rules X6, X8, X9).

use std::sync::Arc;

use holodeck_model::event::Event;
use holodeck_model::outcome::CaseOutcome;
use holodeck_model::plan::{CasePlan, CaseUnreadable, RunPlan, RunSettings};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tracing::{Instrument, debug, debug_span, error};

use crate::bounded::{Stop, caught_call};
use crate::case::{Player, TurnTold, unreadable};
use crate::journal::{Footer, Journal, JournalError};
use crate::ports::Ports;
use crate::reach::Reach;
use crate::tally::RunOutcome;

/// Runs a plan: cases start in file order, `parallel_test_cases` of them at once, each finished one goes to the journal, then `on_event` hears of it.
///
/// Where the agent can't be reached at all (a turn ends [`Fault::Unreachable`](crate::ports::Fault::Unreachable) and nothing was ever answered), the run ends with that case; the others are not run.
///
/// The run is interrupted when `interrupt` becomes true: running turns are dropped, their sessions given up and closed (10 seconds at most), their cases left out of the journal. A dropped sender never interrupts.
/// To leave at once, drop this future: every task of the run ends with it, sessions unclosed.
///
/// Needs a tokio runtime with time. Memory does not grow with the number of cases.
///
/// # Errors
///
/// The journal could not be written. The run is stopped cleanly then, and what finished before is in the journal.
pub async fn run(
    plan: &RunPlan,
    ports: &Ports,
    journal: &mut Journal,
    interrupt: watch::Receiver<bool>,
    mut on_event: impl FnMut(Event<'_>),
) -> Result<RunOutcome, JournalError> {
    let mut interrupt = Stop(interrupt);
    let started = Instant::now();
    let mut outcome = RunOutcome {
        n_cases: plan.cases.len(),
        ..RunOutcome::default()
    };
    let mut crew = Crew::new(ports, plan.settings);
    let mut waiting = 0..outcome.n_cases;
    let n_at_once = plan.settings.parallel_test_cases.max(1);
    let mut failure = None;
    on_event(Event::RunStarted {
        n_cases: outcome.n_cases,
    });
    loop {
        while crew.running.len() < n_at_once && !crew.is_stopping() && !interrupt.is_asked() {
            let Some(position) = waiting.next() else {
                break;
            };
            let case = read_case(plan, position);
            tell_start(&case, &mut on_event);
            crew.start(case);
        }
        tokio::select! {
            biased;
            () = interrupt.asked(), if !crew.is_stopping() => {
                crew.stop();
                outcome.interrupted = true;
                on_event(Event::Interrupted);
            }
            Some(told) = crew.turns_told.recv() => on_event(told.event()),
            ended = crew.running.join_next() => match ended {
                None => break,
                Some(Ok(Some(mut case))) if failure.is_none() => {
                    while let Ok(told) = crew.turns_told.try_recv() {
                        on_event(told.event());
                    }
                    match journal.append(&mut case) {
                        Ok(()) => {
                            outcome.add(&case);
                            on_event(Event::CaseFinished { outcome: &case });
                            outcome.unreachable = crew.reach.unreachable();
                            if outcome.unreachable.is_some() {
                                crew.stop();
                            }
                        }
                        Err(error) => {
                            crew.stop();
                            failure = Some(error);
                        }
                    }
                }
                Some(Ok(_)) => {}
                // Panics are caught inside the task; this is a runtime that shuts down.
                Some(Err(gone)) => error!("a case was lost: {gone}"),
            },
        }
    }
    if let Some(failure) = failure {
        return Err(failure);
    }
    outcome.duration = started.elapsed();
    journal.finish(&Footer {
        finished_at: ports.clock.now(),
        interrupted: outcome.interrupted,
        n_finished: outcome.n_finished(),
        n_not_run: outcome.n_not_run(),
        duration_ms: u64::try_from(outcome.duration.as_millis()).unwrap_or(u64::MAX),
    })?;
    debug!(?outcome, "run ended");
    Ok(outcome)
}

/// The tasks that play cases, and the lines to them.
struct Crew {
    ports: Ports,
    settings: RunSettings,
    reach: Arc<Reach>,
    running: JoinSet<Option<CaseOutcome>>,
    stop: watch::Sender<bool>,
    tell_turn: mpsc::UnboundedSender<TurnTold>,
    turns_told: mpsc::UnboundedReceiver<TurnTold>,
}

impl Crew {
    fn new(ports: &Ports, settings: RunSettings) -> Self {
        // Bounded by the turns of the cases that run: their results are taken before others start.
        let (tell_turn, turns_told) = mpsc::unbounded_channel();
        Self {
            ports: ports.clone(),
            settings,
            reach: Arc::default(),
            running: JoinSet::new(),
            stop: watch::channel(false).0,
            tell_turn,
            turns_told,
        }
    }

    fn is_stopping(&self) -> bool {
        *self.stop.borrow()
    }

    fn stop(&self) {
        self.stop.send_replace(true);
    }

    fn start(&mut self, case: Result<Arc<CasePlan>, CaseUnreadable>) {
        let ports = self.ports.clone();
        let case = match case {
            Ok(case) => case,
            Err(why) => {
                let now = ports.clock.now();
                self.running
                    .spawn(async move { Some(unreadable(&why, now)) });
                return;
            }
        };
        // Not its name, which may hold secrets that only the journal masks (rule L10a).
        let span = debug_span!("case", index = case.index);
        let llm_timeout = self.settings.llm_timeout;
        let stop = Stop(self.stop.subscribe());
        let turns_told = self.tell_turn.clone();
        let reach = Arc::clone(&self.reach);
        let playing = async move {
            let player = Player {
                case: &case,
                ports: &ports,
                llm_timeout,
                stop,
                turns_told,
                reach,
            };
            player.play().await
        };
        self.running.spawn(playing.instrument(span));
    }
}

impl TurnTold {
    fn event(self) -> Event<'static> {
        Event::TurnFinished {
            index: self.index,
            turn: self.turn,
            passed: self.passed,
        }
    }
}

fn read_case(plan: &RunPlan, position: usize) -> Result<Arc<CasePlan>, CaseUnreadable> {
    caught_call(|| plan.cases.get(position)).unwrap_or_else(|panicked| {
        Err(CaseUnreadable {
            index: position,
            reason: format!("reading it {panicked}"),
        })
    })
}

fn tell_start(case: &Result<Arc<CasePlan>, CaseUnreadable>, on_event: &mut impl FnMut(Event<'_>)) {
    match case {
        Ok(case) => on_event(Event::CaseStarted {
            index: case.index,
            label: &case.label(),
            n_turns: case.turns.len(),
        }),
        Err(why) => on_event(Event::CaseStarted {
            index: why.index,
            label: &format!("test_cases[{}]", why.index),
            n_turns: 0,
        }),
    }
}
