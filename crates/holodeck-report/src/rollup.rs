//! A finished case as the report tells it: its turns, and the case from its turns (rule V2).

use holodeck_model::outcome::{CaseOutcome, TurnOutcome};
use holodeck_model::plan::MetricKind;
use holodeck_model::record::{TokenUsage, ToolInvocation};
use holodeck_model::verdict::{MetricVerdict, ToolVerdict};
use holodeck_value::Value;
use indexmap::IndexMap;

use crate::mean::{Mean, in_range};
use crate::wire;

/// A case.
pub fn case(case: &CaseOutcome) -> wire::TestResult {
    let turns = &case.turns;
    let single = case.single_turn.then(|| turns.first()).flatten();
    let inputs: Vec<&str> = turns.iter().map(|t| t.input.as_str()).collect();
    wire::TestResult {
        test_name: case.name.clone(),
        test_input: inputs.join("\n---\n"),
        processed_files: turns.iter().flat_map(processed_files).collect(),
        agent_response: turns.last().and_then(|t| t.record.response.clone()),
        tool_calls: turns.iter().flat_map(tool_calls).collect(),
        tool_invocations: turns.iter().flat_map(tool_invocations).collect(),
        expected_tools: expected_tools(turns),
        tools_matched: tools_matched(turns),
        metric_results: metrics(case),
        ground_truth: single.and_then(|t| t.ground_truth.clone()),
        passed: case.passed(),
        execution_time_ms: duration_ms(case),
        errors: errors(case),
        timestamp: case.started_at.clone(),
        token_usage: usage(case).map(token_usage),
        turns: (!case.single_turn).then(|| turns.iter().map(turn).collect()),
        index: case.index,
        case_key: case.id.key.clone(),
        occurrence: case.id.occurrence,
        infrastructure_error: case.has_infrastructure_error(),
        arg_match_details: single.and_then(arg_match_details),
        grader_details: single.and_then(grader_details),
    }
}

/// A turn.
pub fn turn(turn: &TurnOutcome) -> wire::TurnResult {
    wire::TurnResult {
        turn_index: turn.index,
        input: turn.input.clone(),
        response: turn.record.response.clone(),
        ground_truth: turn.ground_truth.clone(),
        expected_tools: turn.expected_tools.clone(),
        tool_calls: tool_calls(turn).collect(),
        tool_invocations: tool_invocations(turn).collect(),
        tools_matched: turn.verdict.tools_matched(),
        arg_match_details: arg_match_details(turn),
        metric_results: turn.verdict.metrics.iter().map(metric).collect(),
        passed: turn.passed(),
        execution_time_ms: turn.record.duration_ms,
        token_usage: turn.record.usage.map(token_usage),
        errors: turn.errors(),
        skipped: turn.record.end.is_skipped(),
        grader_details: grader_details(turn),
        asserted: turn.asserted,
        infrastructure_error: turn.record.end.is_infrastructure_error(),
    }
}

/// Everything that went wrong in a case, in words; in a multi-turn case each turn's with `[turn i] ` before it.
pub fn errors(case: &CaseOutcome) -> Vec<String> {
    let of_turns = case.turns.iter().flat_map(|t| {
        t.errors()
            .into_iter()
            .map(|e| format!("{}{e}", prefix(case, t)))
    });
    case.error.iter().cloned().chain(of_turns).collect()
}

/// Each metric of a case once, in order of first appearance: score = mean over the turns that ran it, passed = all of them did.
pub fn metrics(case: &CaseOutcome) -> Vec<wire::MetricResult> {
    let mut by_name: IndexMap<&str, Vec<(&TurnOutcome, &MetricVerdict)>> = IndexMap::new();
    for turn in &case.turns {
        for m in &turn.verdict.metrics {
            by_name.entry(&m.name).or_default().push((turn, m));
        }
    }
    by_name
        .into_values()
        .filter_map(|runs| rolled_up(case, &runs))
        .collect()
}

/// Milliseconds that a case took: the sum over its turns.
pub fn duration_ms(case: &CaseOutcome) -> u64 {
    let turns = case.turns.iter().map(|t| t.record.duration_ms);
    turns.fold(0, u64::saturating_add)
}

/// Tokens of a case: the sum over the turns that counted any.
pub fn usage(case: &CaseOutcome) -> Option<TokenUsage> {
    case.turns
        .iter()
        .filter_map(|t| t.record.usage)
        .reduce(TokenUsage::plus)
}

/// Whether the tool assertions of all turns hold; `None` where no turn has any.
pub fn tools_matched(turns: &[TurnOutcome]) -> Option<bool> {
    turns
        .iter()
        .filter_map(|t| t.verdict.tools_matched())
        .reduce(|a, b| a && b)
}

fn rolled_up(
    case: &CaseOutcome,
    runs: &[(&TurnOutcome, &MetricVerdict)],
) -> Option<wire::MetricResult> {
    let (_, first) = runs.first()?;
    let verdicts = || runs.iter().map(|(_, m)| *m);
    let mut scores = Mean::default();
    verdicts().for_each(|m| scores.add(m.score));
    let told = |what: fn(&MetricVerdict) -> Option<&String>| {
        let lines: Vec<String> = runs
            .iter()
            .filter_map(|(t, m)| what(m).map(|text| format!("{}{text}", prefix(case, t))))
            .collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    };
    let same_threshold =
        verdicts().all(|m| m.threshold.map(f64::to_bits) == first.threshold.map(f64::to_bits));
    let same_model = verdicts().all(|m| m.model_used == first.model_used);
    Some(wire::MetricResult {
        score: scores.get().unwrap_or_default(),
        threshold: first.threshold.filter(|t| same_threshold && t.is_finite()),
        passed: Some(verdicts().all(|m| m.passed)),
        error: told(|m| m.error.as_ref()),
        evaluation_time_ms: Some(
            verdicts().fold(0, |ms, m| ms.saturating_add(m.evaluation_time_ms)),
        ),
        model_used: first.model_used.clone().filter(|_| same_model),
        reasoning: told(|m| m.reasoning.as_ref()),
        n_turns: u32::try_from(scores.n()).unwrap_or(u32::MAX),
        ..metric(first)
    })
}

fn prefix(case: &CaseOutcome, turn: &TurnOutcome) -> String {
    if case.single_turn {
        String::new()
    } else {
        format!("[turn {}] ", turn.index)
    }
}

fn metric(m: &MetricVerdict) -> wire::MetricResult {
    wire::MetricResult {
        metric_name: m.name.clone(),
        kind: match m.kind {
            MetricKind::Standard => wire::MetricKind::Standard,
            MetricKind::Rag => wire::MetricKind::Rag,
            MetricKind::Geval => wire::MetricKind::Geval,
            MetricKind::Code => wire::MetricKind::Code,
        },
        score: in_range(m.score),
        threshold: m.threshold.filter(|t| t.is_finite()),
        passed: Some(m.passed),
        scale: Some("0-1".to_owned()),
        error: m.error.clone(),
        retry_count: 0,
        evaluation_time_ms: Some(m.evaluation_time_ms),
        model_used: m.model_used.clone(),
        reasoning: m.reasoning.clone(),
        n_turns: 1,
    }
}

fn tool_calls(turn: &TurnOutcome) -> impl Iterator<Item = String> {
    turn.record.tool_invocations.iter().map(|c| c.name.clone())
}

fn tool_invocations(turn: &TurnOutcome) -> impl Iterator<Item = wire::ToolInvocation> {
    turn.record.tool_invocations.iter().map(tool_invocation)
}

fn tool_invocation(call: &ToolInvocation) -> wire::ToolInvocation {
    wire::ToolInvocation {
        name: call.name.clone(),
        args: call.args.clone(),
        bytes: call.result.ascii_json_len(),
        result: call.result.clone(),
        duration_ms: call.duration_ms,
        error: call.error.clone(),
    }
}

fn expected_tools(turns: &[TurnOutcome]) -> Option<Vec<Value>> {
    let mut lists = turns
        .iter()
        .filter_map(|t| t.expected_tools.as_ref())
        .peekable();
    lists.peek()?;
    Some(lists.flatten().cloned().collect())
}

fn arg_match_details(turn: &TurnOutcome) -> Option<Vec<wire::ArgMatchDetails>> {
    let told = |t: &&ToolVerdict| !t.bare && (t.args_asserted.is_some() || t.count > 1);
    let details: Vec<_> = turn
        .verdict
        .tools
        .iter()
        .filter(told)
        .map(|t| wire::ArgMatchDetails {
            expected_tool: t.expected_tool.clone(),
            args_asserted: t.args_asserted.clone(),
            matched_call_index: t
                .matched_call_index
                .and_then(|i| i64::try_from(i).ok())
                .unwrap_or(-1),
            unmatched_reason: t.unmatched_reason.clone(),
        })
        .collect();
    (!details.is_empty()).then_some(details)
}

fn grader_details(turn: &TurnOutcome) -> Option<IndexMap<String, Value>> {
    let details: IndexMap<String, Value> = turn
        .verdict
        .metrics
        .iter()
        .filter_map(|m| Some((m.name.clone(), m.details.clone()?)))
        .collect();
    (!details.is_empty()).then_some(details)
}

fn processed_files(turn: &TurnOutcome) -> impl Iterator<Item = wire::ProcessedFileInput> {
    turn.record.processed_files.iter().map(processed_file)
}

fn processed_file(file: &Value) -> wire::ProcessedFileInput {
    let field = |key: &str| file.as_object().and_then(|o| o.get(key));
    let string = |key: &str| field(key).and_then(Value::as_str).map(str::to_owned);
    let ms = match field("processing_time_ms") {
        Some(Value::Number(n)) => n.as_u64(),
        _ => None,
    };
    wire::ProcessedFileInput {
        original: field("original").cloned().unwrap_or_default(),
        markdown_content: string("markdown_content").unwrap_or_default(),
        metadata: field("metadata")
            .filter(|m| !matches!(m, Value::Null))
            .cloned(),
        cached_path: string("cached_path"),
        processing_time_ms: ms,
        error: string("error"),
    }
}

pub(crate) fn token_usage(usage: TokenUsage) -> wire::TokenUsage {
    wire::TokenUsage {
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
        total_tokens: usage.total_tokens,
        cache_creation_tokens: usage.cache_creation_tokens,
        cache_read_tokens: usage.cache_read_tokens,
    }
}

#[cfg(test)]
mod tests;
