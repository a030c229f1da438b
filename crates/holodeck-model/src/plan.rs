//! What will be done: every case with its metrics resolved, ready to run.

use std::sync::Arc;
use std::time::Duration;

use holodeck_match::{ExpectedCall, Form, PyRegex};
use holodeck_value::{Decimal, Object, Value};
use serde::{Deserialize, Serialize};

/// A run, fully checked.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// The agent's name.
    pub agent: String,
    /// The cases that were selected, in file order.
    pub cases: Arc<dyn CaseSource>,
    /// How to run them.
    pub settings: RunSettings,
}

/// How to run a plan.
#[derive(Clone, Copy, Debug)]
pub struct RunSettings {
    /// Bound of one turn, retries and tool calls included (X3).
    pub llm_timeout: Duration,
    /// Cases at once (X6).
    pub parallel_test_cases: usize,
}

/// Where cases come from: a list in memory, or a JSONL file read case by case.
pub trait CaseSource: Send + Sync + std::fmt::Debug {
    /// Number of selected cases.
    fn len(&self) -> usize;
    /// The `i`th selected case.
    fn get(&self, i: usize) -> Result<Arc<CasePlan>, CaseUnreadable>;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A case that was fine when it was checked and can't be read any more.
#[derive(Clone, Debug, thiserror::Error)]
#[error("test_cases[{index}] can't be read again: {reason}")]
pub struct CaseUnreadable {
    /// Position in the file, from 0.
    pub index: usize,
    /// Why.
    pub reason: String,
}

impl CaseSource for Vec<Arc<CasePlan>> {
    fn len(&self) -> usize {
        Vec::len(self)
    }
    fn get(&self, i: usize) -> Result<Arc<CasePlan>, CaseUnreadable> {
        Ok(Arc::clone(&self[i]))
    }
}

/// What a case is known by across runs (V5).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CaseId {
    /// Its name, else `sha256:` and the first 16 hex digits of its content's hash.
    pub key: String,
    /// Its number among cases of the same key, from 0.
    pub occurrence: u32,
}

/// One conversation to play.
#[derive(Clone, Debug)]
pub struct CasePlan {
    /// Position in the file, from 0 (not among the selected ones).
    pub index: usize,
    /// Identity.
    pub id: CaseId,
    /// The author's name for it.
    pub name: Option<String>,
    /// Written with `input` (the single-turn shape).
    pub single_turn: bool,
    /// At least one.
    pub turns: Vec<TurnPlan>,
    /// What a failed turn does to the rest (X2).
    pub on_turn_failure: OnTurnFailure,
}

impl CasePlan {
    /// Its name, else `test_cases[i]`.
    pub fn label(&self) -> String {
        self.name
            .clone()
            .unwrap_or_else(|| format!("test_cases[{}]", self.index))
    }
}

/// What a failed turn does to the rest of its case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnTurnFailure {
    /// The next turn is sent all the same.
    #[default]
    Continue,
    /// The remaining turns are skipped.
    Stop,
}

/// One turn to play.
#[derive(Clone, Debug)]
pub struct TurnPlan {
    /// Position in the case, from 0.
    pub index: usize,
    /// What is said to the agent.
    pub input: String,
    /// The right answer.
    pub ground_truth: Option<String>,
    /// Tool assertions; `None` and empty assert nothing.
    pub expected_tools: Option<Arc<[ExpectedCall]>>,
    /// Files that go with this turn only (X5).
    pub files: Vec<FileInput>,
    /// Context for retrieval metrics.
    pub retrieval_context: Option<Vec<String>>,
    /// For code graders: the turn's `expected_tools`, `files` and `evaluations` as the author wrote them, its free-form `turn_config` laid over them.
    /// `None` where no code metric grades the turn.
    pub turn_config: Option<Object>,
    /// The metrics that grade it, in order, switched-off ones left out (L12).
    pub metrics: Arc<[Metric]>,
}

impl TurnPlan {
    /// Whether anything about the turn can fail (N7: the summary counts turns where nothing can).
    pub fn asserts_something(&self) -> bool {
        self.expected_tools.as_ref().is_some_and(|t| !t.is_empty())
            || self
                .metrics
                .iter()
                .any(|m| m.grades(self.ground_truth.is_some()))
    }
    /// `expected_tools` as the author wrote it: strings and `{name, args?, count?}`, a `count` of 1 left out.
    pub fn expected_tools_as_written(&self) -> Option<Vec<Value>> {
        let calls = self.expected_tools.as_ref()?;
        Some(calls.iter().map(as_written).collect())
    }
}

fn as_written(call: &ExpectedCall) -> Value {
    if call.form == Form::Bare {
        return Value::String(call.name.clone());
    }
    let mut entry = Object::new();
    entry.insert("name", Value::String(call.name.clone()));
    if let Some(args) = &call.args {
        let args = args.iter().map(|(name, m)| (name.clone(), m.to_value()));
        entry.insert("args", Value::Object(args.collect()));
    }
    if call.count != 1 {
        entry.insert("count", Value::Number(u64::from(call.count).into()));
    }
    Value::Object(entry)
}

/// A file of a turn, as the author described it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileInput {
    /// A local path, or
    pub path: Option<String>,
    /// an address.
    pub url: Option<String>,
    /// image, pdf, text, excel, word, powerpoint, csv
    pub kind: String,
    /// In words.
    pub description: Option<String>,
    /// Pages to read, from 1.
    pub pages: Option<Vec<u64>>,
    /// Sheet of a workbook.
    pub sheet: Option<String>,
    /// Cells of a sheet.
    pub range: Option<String>,
    /// Whether a download may be kept.
    pub cache: Option<bool>,
}

/// A metric's family, as the report calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MetricKind {
    /// Built in.
    Standard,
    /// Retrieval metrics.
    Rag,
    /// Judged by criteria.
    Geval,
    /// The author's own grader.
    Code,
}

/// One metric of a turn.
#[derive(Clone, Debug)]
pub struct Metric {
    /// Its name in reports: the author's `name`, else the metric; a second one of a list is `numeric (2)`.
    pub name: String,
    /// Its family.
    pub kind: MetricKind,
    /// Passed = score >= threshold where given (N8).
    pub threshold: Option<Threshold>,
    /// An error of the metric itself fails the case at once.
    pub fail_on_error: bool,
    /// Grades this part of a JSON reply (N6).
    pub response_path: Option<ResponsePath>,
    /// What it does.
    pub spec: MetricSpec,
}

impl Metric {
    /// Whether it runs on a turn (N7).
    pub fn grades(&self, has_ground_truth: bool) -> bool {
        match self.spec {
            MetricSpec::Equality(_) | MetricSpec::Numeric(_) => has_ground_truth,
            MetricSpec::Code(_) => true,
            MetricSpec::Deferred {
                needs_ground_truth, ..
            } => has_ground_truth || !needs_ground_truth,
        }
    }
}

/// A score to reach.
#[derive(Clone, Debug)]
pub struct Threshold(pub Decimal);

/// What a metric does.
#[derive(Clone, Debug)]
pub enum MetricSpec {
    /// Text equality (N5).
    Equality(Equality),
    /// Number equality (N1 to N4).
    Numeric(Numeric),
    /// The author's own grader.
    Code(CodeMetric),
    /// Checked at load; a run that needs it is refused.
    Deferred {
        /// As the author wrote it: `bleu`, `geval` ...
        metric: String,
        /// Whether it is left out on a turn without `ground_truth`.
        needs_ground_truth: bool,
    },
}

/// A grader of the author's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeMetric {
    /// `module.path:function`.
    pub grader: String,
    /// Time for one call, in milliseconds.
    pub timeout_ms: u64,
}

/// Normalisations of `equality`, in the order they are applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Equality {
    /// Unicode case folding.
    pub case_insensitive: bool,
    /// The 32 of Python's `string.punctuation` removed.
    pub strip_punctuation: bool,
    /// Runs of white space to one space, ends trimmed.
    pub strip_whitespace: bool,
}

/// Settings of `numeric`.
#[derive(Clone, Debug)]
pub struct Numeric {
    /// Inclusive.
    pub absolute_tolerance: Decimal,
    /// Of |expected|; 0 is off.
    pub relative_tolerance: Decimal,
    /// `14%` reads as 0.14.
    pub accept_percent: bool,
    /// `1,234` reads as 1234.
    pub accept_thousands_separators: bool,
    /// Picks a number out of the reply (N4).
    pub extract: Option<Extract>,
}

/// Which number of a reply is graded.
#[derive(Clone, Debug)]
pub enum Extract {
    /// The last one.
    Last,
    /// The first one.
    First,
    /// The first group of a Python regex.
    Regex(PyRegex),
}

/// `key(.key)*` with `[n]` after a key (N6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponsePath {
    text: String,
    steps: Vec<Step>,
}

/// One step of a [`ResponsePath`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Into a mapping.
    Key(String),
    /// Into a list, from 0. A number too large for any list is `usize::MAX`.
    Index(usize),
}

/// A text that is not a response path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a response path: write keys joined by `.`, each with `[n]` after it where it is a list, such as `data.items[0].score`"
)]
pub struct BadResponsePath(pub String);

impl ResponsePath {
    /// Reads a path; key `[A-Za-z_][A-Za-z0-9_-]*`, n `[0-9]+`.
    pub fn parse(text: &str) -> Result<Self, BadResponsePath> {
        let bad = || BadResponsePath(text.to_owned());
        let mut steps = Vec::new();
        for part in text.split('.') {
            let (key, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
            let mut chars = key.chars();
            let head_ok = chars
                .next()
                .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
            if !head_ok || !chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
                return Err(bad());
            }
            steps.push(Step::Key(key.to_owned()));
            while !rest.is_empty() {
                let (digits, after) = rest
                    .strip_prefix('[')
                    .and_then(|r| r.split_once(']'))
                    .ok_or_else(bad)?;
                if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                    return Err(bad());
                }
                steps.push(Step::Index(digits.parse().unwrap_or(usize::MAX)));
                rest = after;
            }
        }
        Ok(Self {
            text: text.to_owned(),
            steps,
        })
    }
    /// As written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
    /// Its steps, at least one.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }
}
