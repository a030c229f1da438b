//! The words of a test script.
//!
//! A line a case: `name flag..: step, step ..`. A step is a word, before it the seconds that it takes (`3s ok`), behind it what the judge makes of it.
//!
//! - steps: `ok` replies, `mute` replies nothing, `error`, `session`, `fatal`, `nowhere` (unreachable) are faults, `half` is an error beside an empty reply, `panic`
//! - judge: `wrong` fails the turn, `broken` has a metric with `fail_on_error`, `nan` gives an odd score, `jpanic` panics, `j3s` takes three seconds
//! - flags: `stop` (`on_turn_failure`), `open=no|hang|panic`, `abandon=lost|hang|panic`, `close=hang|panic`, `unreadable`, `rotten` (reading it panics)
//!
//! A first line `parallel N` or `interrupt 1.5` sets up the run. `llm_timeout` is 2 s.

use std::sync::Arc;
use std::time::Duration;

use holodeck_model::plan::{CaseId, CasePlan, CaseSource, CaseUnreadable, OnTurnFailure, TurnPlan};

#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) parallel: usize,
    pub(super) interrupt_at: Option<Duration>,
    pub(super) cases: Vec<Case>,
}

#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) name: String,
    pub(super) flags: Vec<String>,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    pub(super) takes: Duration,
    pub(super) does: String,
    pub(super) judged: Vec<String>,
    pub(super) judging_takes: Duration,
}

impl Case {
    pub(super) fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|f| f == flag)
    }
}

pub(super) fn parse(text: &str) -> Script {
    let mut script = Script {
        parallel: 1,
        interrupt_at: None,
        cases: Vec::new(),
    };
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        if let Some(n) = line.strip_prefix("parallel ") {
            script.parallel = n.parse().unwrap();
        } else if let Some(at) = line.strip_prefix("interrupt ") {
            script.interrupt_at = Some(Duration::from_secs_f64(at.parse().unwrap()));
        } else {
            script.cases.push(case(line));
        }
    }
    script
}

fn case(line: &str) -> Case {
    let (head, steps) = line.split_once(':').unwrap();
    let mut head = head.split_whitespace().map(str::to_owned);
    Case {
        name: head.next().unwrap(),
        flags: head.collect(),
        steps: steps.split(',').map(step).collect(),
    }
}

fn step(text: &str) -> Step {
    let mut step = Step::default();
    for word in text.split_whitespace() {
        if let Some(takes) = seconds(word) {
            step.takes = takes;
        } else if let Some(takes) = word.strip_prefix('j').and_then(seconds) {
            step.judging_takes = takes;
        } else if step.does.is_empty() {
            step.does = word.to_owned();
        } else {
            step.judged.push(word.to_owned());
        }
    }
    step
}

fn seconds(word: &str) -> Option<Duration> {
    let n: u64 = word.strip_suffix('s')?.parse().ok()?;
    Some(Duration::from_secs(n))
}

impl CaseSource for Script {
    fn len(&self) -> usize {
        self.cases.len()
    }

    fn get(&self, i: usize) -> Result<Arc<CasePlan>, CaseUnreadable> {
        let case = &self.cases[i];
        assert!(!case.has("rotten"), "rotten");
        if case.has("unreadable") {
            let reason = "the file is gone".to_owned();
            return Err(CaseUnreadable { index: i, reason });
        }
        let turn = |index| TurnPlan {
            index,
            input: format!("{}?", case.name),
            ground_truth: None,
            expected_tools: None,
            files: Vec::new(),
            retrieval_context: None,
            turn_config: None,
            metrics: Arc::default(),
        };
        Ok(Arc::new(CasePlan {
            index: i,
            id: CaseId {
                key: case.name.clone(),
                occurrence: 0,
            },
            name: Some(case.name.clone()),
            single_turn: false,
            turns: (0..case.steps.len()).map(turn).collect(),
            on_turn_failure: if case.has("stop") {
                OnTurnFailure::Stop
            } else {
                OnTurnFailure::Continue
            },
        }))
    }
}
