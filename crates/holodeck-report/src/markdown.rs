//! Markdown for a pull request or a wiki.
//!
//! Nothing that an author or an agent wrote can become markup: texts stand in fences longer than any in them, names and reasons
//! are escaped . Passed cases are folded.

mod quote;

use std::io::{self, Write};

use holodeck_model::outcome::{CaseOutcome, TurnOutcome};
use holodeck_model::record::ToolInvocation;

use crate::{Cases, Header, Summary, rollup, text};
use quote::{cell, fenced, plain};

/// Characters of one text; the JSON report has all of it.
const MAX_TEXT: usize = 64 * 1024;
/// Characters of one reason.
const MAX_REASON: usize = 4_000;
/// Characters of one tool call's arguments or result.
const MAX_VALUE: usize = 2_000;

/// Writes the report.
pub fn write(
    header: &Header,
    summary: &Summary,
    cases: Cases<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    head(header, summary, out)?;
    let mut none = true;
    for case in cases {
        if std::mem::take(&mut none) {
            writeln!(out, "\n## Cases")?;
        }
        self::case(&case?, header, out)?;
    }
    out.flush()
}

fn head(header: &Header, s: &Summary, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# Test report: {}\n", plain(&header.agent_name))?;
    writeln!(out, "| | |\n|---|---|")?;
    let mut row = |label: &str, value: &str| writeln!(out, "| {label} | {value} |");
    row("Agent file", &plain(&header.agent_config_path))?;
    row("Started", &plain(&header.timestamp))?;
    if let Some(id) = &header.run_id {
        row("Run", &plain(id))?;
    }
    row("holodeck", &plain(&header.holodeck_version))?;

    writeln!(out, "\n## Summary\n")?;
    writeln!(out, "| | |\n|---|---:|")?;
    let mut row = |label: &str, value: String| writeln!(out, "| {label} | {value} |");
    row("Cases", s.n_cases.to_string())?;
    row("Passed", s.n_cases_passed.to_string())?;
    row("Failed", s.n_cases_failed().to_string())?;
    row("Pass rate", format!("{:.1}%", floor_tenth(s.pass_rate())))?;
    let mut some = |label: &str, n: u64| {
        if n == 0 {
            Ok(())
        } else {
            row(label, n.to_string())
        }
    };
    some("Not run", s.n_not_run())?;
    some("Turns", s.n_turns)?;
    some("Turns skipped", s.n_turns_skipped)?;
    some("Turns with nothing asserted", s.n_turns_unasserted)?;
    some("Infrastructure errors", s.n_infrastructure_errors())?;
    if s.n_tool_assertions > 0 {
        let held = format!("{} of {}", s.n_tool_assertions_held, s.n_tool_assertions);
        row("Tool assertions held", held)?;
    }
    row("Time of all turns", text::duration(s.total_duration_ms))?;
    if let Some(ms) = s.wall_time_ms {
        row("Time of the run", text::duration(ms))?;
    }

    let metrics = s.metrics();
    if !metrics.is_empty() {
        writeln!(out, "\n## Average scores\n")?;
        writeln!(
            out,
            "| Metric | Mean | Cases | Turns passed |\n|---|---:|---:|---:|"
        )?;
        for m in metrics {
            let (name, mean) = (plain(m.name), text::score(m.mean));
            let turns = format!("{} of {}", m.n_turns_passed, m.n_turns);
            writeln!(out, "| {name} | {mean} | {} | {turns} |", m.n_cases)?;
        }
    }
    Ok(())
}

/// 99.97 is no 100.
fn floor_tenth(percent: f64) -> f64 {
    // A hair more, so that 28.999999999999996 stays 29.
    (percent * 10.0 + 1e-9).floor() / 10.0
}

fn case(case: &CaseOutcome, header: &Header, out: &mut dyn Write) -> io::Result<()> {
    let status = if case.has_infrastructure_error() {
        "❌ ERROR"
    } else if case.passed() {
        "✅ PASS"
    } else {
        "❌ FAIL"
    };
    let again = match case.id.occurrence {
        0 => String::new(),
        n => format!(" ({})", u64::from(n) + 1),
    };
    writeln!(out, "\n### {status} {}{again}\n", plain(&case.label()))?;
    let turns = text::count(case.turns.len() as u64, "turn");
    let time = text::duration(rollup::duration_ms(case));
    writeln!(out, "{turns}, {time}, started {}", plain(&case.started_at))?;
    if case.passed() {
        writeln!(out, "\n<details>\n<summary>Turns</summary>")?;
    }
    if let Some(error) = &case.error {
        writeln!(
            out,
            "\n**Error**\n\n{}",
            fenced(&text::cut(error, MAX_TEXT))
        )?;
    }
    if !case.single_turn {
        averages(case, out)?;
    }
    for turn in &case.turns {
        if !case.single_turn {
            let how = match (turn.passed(), turn.record.end.is_skipped()) {
                (true, _) => "passed",
                (false, true) => "skipped",
                (false, false) => "**failed**",
            };
            let n = case.turns.len();
            writeln!(out, "\n#### Turn {} of {n}: {how}", turn.index + 1)?;
        }
        self::turn(turn, out)?;
    }
    if case.passed() {
        writeln!(out, "\n</details>")?;
    } else if let Some(rerun) = &header.rerun {
        writeln!(
            out,
            "\n**Run it alone**\n\n{}",
            fenced(&rerun.command(&case.label()))
        )?;
    }
    Ok(())
}

/// A multi-turn case's metrics, where several turns ran one.
fn averages(case: &CaseOutcome, out: &mut dyn Write) -> io::Result<()> {
    let metrics = rollup::metrics(case);
    if metrics.iter().all(|m| m.n_turns < 2) {
        return Ok(());
    }
    writeln!(
        out,
        "\n| Metric | Result | Mean | Turns |\n|---|---|---:|---:|"
    )?;
    for m in metrics {
        let (name, result) = (plain(&m.metric_name), result(m.passed == Some(true)));
        writeln!(
            out,
            "| {name} | {result} | {} | {} |",
            text::score(m.score),
            m.n_turns
        )?;
    }
    Ok(())
}

fn turn(turn: &TurnOutcome, out: &mut dyn Write) -> io::Result<()> {
    let mut block = |label: &str, text: &str| {
        writeln!(
            out,
            "\n**{label}**\n\n{}",
            fenced(&text::cut(text, MAX_TEXT))
        )
    };
    block("Input", &turn.input)?;
    let calls = &turn.record.tool_invocations;
    if !calls.is_empty() {
        let calls: Vec<String> = calls.iter().map(call).collect();
        block("Tools called", &calls.join("\n"))?;
    }
    if let Some(answer) = &turn.record.response {
        block("Answer", answer)?;
    }
    if let Some(expected) = &turn.ground_truth {
        block("Expected", expected)?;
    }
    if let Some(error) = turn.record.end.error() {
        block("Error", &error)?;
    }
    let reason = |why: &str| cell(&text::cut(why, MAX_REASON));
    if !turn.verdict.metrics.is_empty() {
        writeln!(
            out,
            "\n| Metric | Result | Score | Why |\n|---|---|---:|---|"
        )?;
        for m in &turn.verdict.metrics {
            let why: Vec<&str> = [&m.error, &m.reasoning]
                .into_iter()
                .flatten()
                .map(String::as_str)
                .collect();
            let threshold = m
                .threshold
                .map(|t| format!(" (threshold {})", text::score(t)));
            let score = format!("{}{}", text::score(m.score), threshold.unwrap_or_default());
            let (name, result) = (plain(&m.name), result(m.passed));
            writeln!(
                out,
                "| {name} | {result} | {score} | {} |",
                reason(&why.join("\n"))
            )?;
        }
    }
    if !turn.verdict.tools.is_empty() {
        writeln!(out, "\n| Expected tool | Result | Why |\n|---|---|---|")?;
        for t in &turn.verdict.tools {
            let why = reason(t.unmatched_reason.as_deref().unwrap_or_default());
            let (tool, result) = (reason(&t.summary), result(t.passed));
            writeln!(out, "| {tool} | {result} | {why} |")?;
        }
    }
    Ok(())
}

fn result(passed: bool) -> &'static str {
    if passed { "passed" } else { "**failed**" }
}

/// A line or two a call.
fn call(call: &ToolInvocation) -> String {
    let value = |v: &holodeck_value::Value| text::cut(&v.to_json(), MAX_VALUE).into_owned();
    let name = text::cut(&call.name, MAX_VALUE);
    let came_of_it = match &call.error {
        Some(error) => format!("failed: {}", text::cut(error, MAX_VALUE)),
        None => value(&call.result),
    };
    format!("{name} {}\n  -> {came_of_it}", value(&call.args))
}

#[cfg(test)]
mod tests;
