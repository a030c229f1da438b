//! The JSON contract, field for field and in order (rule V3a). All fields are always written, null when unset;
//! unknown ones are ignored when read, and those that the contract doesn't require may be absent. Ours come after the contract's.
//!
//! Nothing is computed here: [`crate::rollup`] fills these.

use holodeck_value::{Object, Value};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// A whole report. [`crate::json`] writes the same text case by case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestReport {
    /// The agent's name.
    pub agent_name: String,
    /// The agent.yaml as it was typed.
    pub agent_config_path: String,
    /// One a case, in file order.
    pub results: Vec<TestResult>,
    /// Counts and means.
    pub summary: ReportSummary,
    /// When the run began, RFC 3339 in UTC with microseconds.
    pub timestamp: String,
    /// The version of the program.
    pub holodeck_version: String,
    /// `execution_config`: the resolved execution settings.
    #[serde(default)]
    pub environment: Object,
    /// Ours: what the run is known by.
    pub run_id: Option<String>,
}

/// A case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    /// The author's name for it.
    pub test_name: Option<String>,
    /// The turns' inputs joined with "\n---\n".
    pub test_input: String,
    /// Those of all turns.
    #[serde(default)]
    pub processed_files: Vec<ProcessedFileInput>,
    /// The last turn's answer.
    pub agent_response: Option<String>,
    /// Names of the called tools, in order.
    #[serde(default)]
    pub tool_calls: Vec<String>,
    /// The calls, in order.
    #[serde(default)]
    pub tool_invocations: Vec<ToolInvocation>,
    /// Those of all turns; null when no turn has any.
    pub expected_tools: Option<Vec<Value>>,
    /// Null when no turn asserts tools.
    pub tools_matched: Option<bool>,
    /// Each metric once: the mean over the turns that ran it.
    #[serde(default)]
    pub metric_results: Vec<MetricResult>,
    /// Null for a multi-turn case.
    pub ground_truth: Option<String>,
    /// Every turn passed.
    pub passed: bool,
    /// Sum over the turns, grading not included.
    pub execution_time_ms: u64,
    /// In a multi-turn case each one prefixed `[turn i] `, i from 0.
    #[serde(default)]
    pub errors: Vec<String>,
    /// When its session was opened.
    pub timestamp: String,
    /// Sum over the turns that counted any.
    pub token_usage: Option<TokenUsage>,
    /// Null for a single-turn case.
    pub turns: Option<Vec<TurnResult>>,
    /// Ours: position in the file, from 0.
    #[serde(default)]
    pub index: usize,
    /// Ours: its identity across runs (rule V5), with `occurrence`.
    #[serde(default)]
    pub case_key: String,
    /// Ours: its number among cases of the same key, from 0.
    #[serde(default)]
    pub occurrence: u32,
    /// Ours: trouble with the world is among the reasons why it failed (rule X7).
    #[serde(default)]
    pub infrastructure_error: bool,
    /// Ours: a single-turn case has no turn to carry them.
    pub arg_match_details: Option<Vec<ArgMatchDetails>>,
    /// Ours: a single-turn case has no turn to carry them.
    pub grader_details: Option<IndexMap<String, Value>>,
}

/// A turn of a multi-turn case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the contract's fields are what they are"
)]
pub struct TurnResult {
    /// From 0.
    pub turn_index: usize,
    /// What was said.
    pub input: String,
    /// What was answered.
    pub response: Option<String>,
    /// The right answer.
    pub ground_truth: Option<String>,
    /// As the author wrote it: strings and `{name, args?, count?}`.
    pub expected_tools: Option<Vec<Value>>,
    /// Names of the called tools, in order.
    #[serde(default)]
    pub tool_calls: Vec<String>,
    /// The calls, in order.
    #[serde(default)]
    pub tool_invocations: Vec<ToolInvocation>,
    /// Null when no tools are asserted.
    pub tools_matched: Option<bool>,
    /// One an object entry of `expected_tools` with `args` or a `count` above 1; null where there is none.
    pub arg_match_details: Option<Vec<ArgMatchDetails>>,
    /// One a metric that ran.
    #[serde(default)]
    pub metric_results: Vec<MetricResult>,
    /// Rule V1.
    pub passed: bool,
    /// From sending the input to the end of the turn, grading not included.
    pub execution_time_ms: u64,
    /// Tokens, where the agent counts them.
    pub token_usage: Option<TokenUsage>,
    /// Everything that went wrong.
    #[serde(default)]
    pub errors: Vec<String>,
    /// It was not sent.
    #[serde(default)]
    pub skipped: bool,
    /// What graders added, by metric name; null where nothing was.
    pub grader_details: Option<IndexMap<String, Value>>,
    /// Ours: whether anything about it could fail (rule N7).
    #[serde(default)]
    pub asserted: bool,
    /// Ours: it ended by trouble with the world (rule X7).
    #[serde(default)]
    pub infrastructure_error: bool,
}

/// How an entry of `expected_tools` with arguments or a count fared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArgMatchDetails {
    /// The entry's `name`.
    pub expected_tool: String,
    /// Asserted arguments as the author wrote them.
    pub args_asserted: Option<Object>,
    /// The first satisfying call of an entry that passed, else -1.
    pub matched_call_index: i64,
    /// Why it failed.
    pub unmatched_reason: Option<String>,
}

/// A metric of a turn, or of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetricResult {
    /// Its name.
    pub metric_name: String,
    /// Its family.
    pub kind: MetricKind,
    /// 0 to 1.
    pub score: f64,
    /// As the author set it; of a case, null where its turns set different ones.
    pub threshold: Option<f64>,
    /// Whether it passed.
    pub passed: Option<bool>,
    /// `0-1`
    pub scale: Option<String>,
    /// Why it could not be computed.
    pub error: Option<String>,
    /// How often it was tried again.
    #[serde(default)]
    pub retry_count: u32,
    /// In milliseconds.
    pub evaluation_time_ms: Option<u64>,
    /// Which model judged.
    pub model_used: Option<String>,
    /// Why it came out so.
    pub reasoning: Option<String>,
    /// Ours: the turns that ran it.
    #[serde(default)]
    pub n_turns: u32,
}

/// A metric's family.
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

/// One tool call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolInvocation {
    /// The tool's full name.
    pub name: String,
    /// Exactly as the agent wrote them.
    #[serde(default)]
    pub args: Value,
    /// What it gave back.
    #[serde(default)]
    pub result: Value,
    /// Length of the result's JSON text with ASCII escapes.
    pub bytes: usize,
    /// How long it took.
    pub duration_ms: Option<u64>,
    /// Why it failed.
    pub error: Option<String>,
}

/// Tokens of a turn or a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Read.
    pub prompt_tokens: u64,
    /// Written.
    pub completion_tokens: u64,
    /// In all.
    pub total_tokens: u64,
    /// Written to a cache.
    #[serde(default)]
    pub cache_creation_tokens: u64,
    /// Read from a cache.
    #[serde(default)]
    pub cache_read_tokens: u64,
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProcessedFileInput {
    /// As the author wrote it.
    pub original: Value,
    /// Its text.
    pub markdown_content: String,
    /// What its reader found out.
    pub metadata: Option<Value>,
    /// Where its copy is.
    pub cached_path: Option<String>,
    /// How long it took.
    pub processing_time_ms: Option<u64>,
    /// Why it could not be read.
    pub error: Option<String>,
}

/// Counts and means (rule V3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportSummary {
    /// Cases that ran.
    pub total_tests: u64,
    /// Of these.
    pub passed: u64,
    /// Of these.
    pub failed: u64,
    /// 0 to 100; 0 where nothing ran.
    pub pass_rate: f64,
    /// Sum over the cases.
    pub total_duration_ms: u64,
    /// For each metric, the cases that ran it.
    #[serde(default)]
    pub metrics_evaluated: IndexMap<String, u64>,
    /// For each metric, the mean over these, zeros included.
    #[serde(default)]
    pub average_scores: IndexMap<String, f64>,
    /// Ours: turns of these cases, skipped ones included.
    #[serde(default)]
    pub turns: u64,
    /// Ours: of these.
    #[serde(default)]
    pub turns_passed: u64,
    /// Ours: of these.
    #[serde(default)]
    pub turns_skipped: u64,
    /// Ours: turns on which nothing was asserted (rule N7).
    #[serde(default)]
    pub turns_unasserted: u64,
    /// Ours: turns that ended by trouble with the world, and cases that could not be played at all (rule X7).
    #[serde(default)]
    pub infrastructure_errors: u64,
    /// Ours: selected cases that did not finish.
    #[serde(default)]
    pub not_run: u64,
    /// Ours: all selected cases ran.
    #[serde(default)]
    pub complete: bool,
    /// Ours: from the beginning to the end of the run.
    pub wall_time_ms: Option<u64>,
    /// Ours: sum over the cases that counted any.
    pub token_usage: Option<TokenUsage>,
}

/// The run file under `results/`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvalRun {
    /// What came out.
    pub report: TestReport,
    /// What went in.
    pub metadata: EvalRunMetadata,
}

/// What a run was made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvalRunMetadata {
    /// The agent's whole configuration, secrets masked.
    pub agent_config: Value,
    /// Which instructions it had.
    pub prompt_version: PromptVersion,
    /// The version of the program.
    pub holodeck_version: String,
    /// As typed, without the program's name.
    pub cli_args: Vec<String>,
    /// The commit that the working folder was at.
    pub git_commit: Option<String>,
}

/// Which instructions an agent had.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PromptVersion {
    /// As the instructions file says, else `auto-` and the first 8 digits of `body_hash`.
    pub version: String,
    /// As the instructions file says.
    pub author: Option<String>,
    /// As the instructions file says.
    pub description: Option<String>,
    /// As the instructions file says.
    #[serde(default)]
    pub tags: Vec<String>,
    /// `file` or `inline`.
    pub source: String,
    /// The file, where there is one.
    pub file_path: Option<String>,
    /// SHA-256 of the instructions in hex.
    pub body_hash: String,
    /// Whatever else the instructions file says.
    #[serde(default)]
    pub extra: Object,
}
