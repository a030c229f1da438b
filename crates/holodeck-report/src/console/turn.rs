//! A turn: what was said, called and answered, and what was held against it.

use holodeck_model::outcome::{CaseOutcome, TurnOutcome};
use holodeck_model::record::{ToolInvocation, TurnEnd};
use holodeck_model::verdict::{GraderOutput, MetricVerdict, ToolVerdict};
use holodeck_value::Value;

use super::case::Detail;
use super::grid::{self, Entry};
use super::paint::BOLD;
use crate::text;

/// Characters of one argument or result of a tool call.
const MAX_VALUE: usize = 48;

pub(super) fn rows(turn: &TurnOutcome, case: &CaseOutcome, detail: Detail) -> Vec<String> {
    let style = detail.style;
    let entries = entries(turn, detail);
    if case.single_turn {
        return grid::rows(&entries, 2, style);
    }
    let which = format!("turn {} of {}", turn.index + 1, case.turns.len());
    let mut rows = vec![format!(
        "  {} {}",
        style.mark(turn.passed()),
        style.paint(BOLD, which)
    )];
    rows.extend(grid::rows(&entries, 4, style));
    rows
}

fn entries(turn: &TurnOutcome, detail: Detail) -> Vec<Entry> {
    let fact = |label: &str, text: String| Entry {
        mark: None,
        label: label.to_owned(),
        text,
        max_rows: detail.max_rows,
    };
    let said = |text: &str| text::lines(text).trim_end().to_owned();
    let mut entries = vec![fact("input", said(&turn.input))];
    let calls = &turn.record.tool_invocations;
    if !calls.is_empty() {
        entries.push(Entry {
            max_rows: detail.max_reason,
            ..fact("called", calls_in_words(calls, detail.max_calls))
        });
    }
    match turn.record.response.as_deref() {
        Some("") => entries.push(fact("answer", "(empty)".to_owned())),
        Some(answer) => entries.push(fact("answer", said(answer))),
        None => {}
    }
    if let Some(expected) = &turn.ground_truth {
        entries.push(fact("expected", said(expected)));
    }
    entries.extend(ending(turn, detail));
    let told = |passed: bool| !passed || detail.passed_too;
    let metrics = turn.verdict.metrics.iter().filter(|m| told(m.passed));
    for m in metrics {
        entries.push(metric(m, detail));
        if let Some(output) = m.output.as_ref().filter(|_| detail.passed_too) {
            let printed = printed(output).into_iter();
            entries.extend(printed.map(|(label, text)| fact(label, said(text))));
        }
    }
    let tools = turn.verdict.tools.iter().filter(|t| told(t.passed));
    entries.extend(tools.map(|t| tool(t, detail)));
    entries
}

/// How it ended, unless with a reply.
fn ending(turn: &TurnOutcome, detail: Detail) -> Option<Entry> {
    let error = turn.record.end.error()?;
    let text = match turn.record.end {
        TurnEnd::TimedOut => format!(
            "timeout: no answer within {}",
            text::duration(turn.record.duration_ms)
        ),
        _ => text::lines(&error).into_owned(),
    };
    Some(Entry {
        mark: Some(false),
        label: "error".to_owned(),
        text,
        max_rows: detail.max_reason,
    })
}

fn metric(m: &MetricVerdict, detail: Detail) -> Entry {
    let yes_or_no = m.threshold.is_none() && (m.score >= 1.0 || m.score <= 0.0);
    let mut lines = Vec::new();
    if !yes_or_no {
        let threshold = m
            .threshold
            .map(|t| format!(", threshold {}", text::score(t)));
        lines.push(format!(
            "score {}{}",
            text::score(m.score),
            threshold.unwrap_or_default()
        ));
    }
    let why = m.reasoning.as_deref();
    let error = m
        .error
        .as_deref()
        .filter(|e| !why.is_some_and(|w| w.contains(e)));
    for told in error.into_iter().chain(why) {
        lines.push(text::lines(told).into_owned());
    }
    if lines.is_empty() {
        lines.push(if m.passed { "passed" } else { "failed" }.to_owned());
    }
    Entry {
        mark: Some(m.passed),
        label: text::shortened(&text::one_line(&m.name), 80).into_owned(),
        text: lines.join("\n"),
        max_rows: detail.max_reason,
    }
}

/// What a grader printed, under what it is called.
fn printed(output: &GraderOutput) -> Vec<(&'static str, &str)> {
    [
        ("stdout", output.stdout.as_str()),
        ("stderr", &output.stderr),
        ("trace", &output.trace),
    ]
    .into_iter()
    .filter(|(_, text)| !text.trim().is_empty())
    .collect()
}

fn tool(t: &ToolVerdict, detail: Detail) -> Entry {
    let mut lines = vec![text::shortened(&text::one_line(&t.summary), 400).into_owned()];
    if let Some(why) = &t.unmatched_reason {
        lines.push(text::lines(why).into_owned());
    }
    Entry {
        mark: Some(t.passed),
        label: "tool".to_owned(),
        text: lines.join("\n"),
        max_rows: detail.max_reason,
    }
}

/// `subtract(a=1, b="2") -> -1`, a line a call; several are numbered, as reasons name calls by number.
fn calls_in_words(calls: &[ToolInvocation], max: usize) -> String {
    let mut lines: Vec<String> = match calls {
        [only] => vec![call(only)],
        calls => (1..)
            .zip(calls.iter().take(max))
            .map(|(n, c)| format!("{n}. {}", call(c)))
            .collect(),
    };
    if calls.len() > max {
        let more = (calls.len() - max) as u64;
        lines.push(format!("and {}", text::count(more, "more call")));
    }
    lines.join("\n")
}

fn call(call: &ToolInvocation) -> String {
    let name = text::shortened(&text::one_line(&call.name), MAX_VALUE).into_owned();
    let args = match &call.args {
        Value::Object(args) => {
            let shown = args
                .iter()
                .take(8)
                .map(|(key, v)| {
                    format!(
                        "{}={}",
                        text::shortened(&text::one_line(key), MAX_VALUE),
                        value(v)
                    )
                })
                .chain((args.len() > 8).then(|| "...".to_owned()));
            shown.collect::<Vec<_>>().join(", ")
        }
        Value::Null => String::new(),
        other => value(other),
    };
    let came_of_it = match (&call.error, &call.result) {
        (Some(error), _) => format!(" failed: {}", text::shortened(&text::one_line(error), 200)),
        (None, Value::Null) => String::new(),
        (None, result) => format!(" -> {}", value(result)),
    };
    format!("{name}({args}){came_of_it}")
}

fn value(value: &Value) -> String {
    text::shortened(&text::one_line(&value.to_json()), MAX_VALUE).into_owned()
}
