//! The run in numbers, and the verdict.

use super::Style;
use super::case::MAX_WIDTH;
use super::paint::{BAD, DIM, GOOD, ODD};
use super::wrap::{columns, padded, wrap};
use crate::{Summary, text};

/// `label   passed of all  word   note`
struct Line {
    label: String,
    passed: u64,
    all: u64,
    word: &'static str,
    note: String,
}

/// The widest label that the column is made for.
const MAX_LABEL: usize = 30;

pub(super) fn rows(summary: &Summary, style: Style) -> Vec<String> {
    let lines = lines(summary);
    let label_width = lines.iter().map(|l| columns(&l.label)).max().unwrap_or(0);
    let digits = |of: fn(&Line) -> u64| {
        lines
            .iter()
            .map(|l| of(l).to_string().len())
            .max()
            .unwrap_or(0)
    };
    let (passed_width, all_width) = (digits(|l| l.passed), digits(|l| l.all));
    let counts_width = passed_width + " of ".len() + all_width + " passed".len();
    let label = |label: &str| style.paint(DIM, padded(label, label_width));

    let rule = "─".repeat(style.columns().min(MAX_WIDTH));
    let mut rows = vec![style.paint(DIM, rule)];
    for line in &lines {
        let (passed, all, word) = (line.passed, line.all, line.word);
        let counts = format!("{passed:>passed_width$} of {all:>all_width$} {word}");
        let counts = padded(&counts, counts_width);
        let counts = if passed == all {
            counts
        } else {
            style.paint(BAD, counts)
        };
        let note_at = 2 + label_width + 2 + counts_width + 3;
        let mut notes = wrap(&line.note, style.columns().saturating_sub(note_at)).into_iter();
        let row = format!("  {}  {counts}", label(&line.label));
        rows.push(match notes.next() {
            Some(note) if !note.is_empty() => format!("{row}   {}", style.paint(DIM, note)),
            _ => row,
        });
        rows.extend(notes.map(|note| format!("{:note_at$}{}", "", style.paint(DIM, note))));
    }
    let summed = summary.total_duration_ms;
    let time = match summary.wall_time_ms {
        // Cases ran beside each other: how long they would have taken one by one.
        Some(wall) if summed > wall => {
            let note = format!("   {} summed over the turns", text::duration(summed));
            format!("{}{}", text::duration(wall), style.paint(DIM, note))
        }
        wall => text::duration(wall.unwrap_or(summed)),
    };
    rows.push(format!("  {}  {time}", label("time")));
    rows.push(String::new());
    rows.push(verdict(summary, style));
    rows
}

fn lines(s: &Summary) -> Vec<Line> {
    // By their answers; those in error are told apart.
    let cases_failed = s.n_cases_failed().saturating_sub(s.n_cases_in_error);
    let turns_failed = s
        .n_turns
        .saturating_sub(s.n_turns_passed + s.n_turns_skipped + s.n_turns_in_error);
    let mut lines = vec![Line {
        label: "cases".to_owned(),
        passed: s.n_cases_passed,
        all: s.n_cases,
        word: "passed",
        note: joined(&[
            (cases_failed, "failed"),
            (s.n_cases_in_error, "in error"),
            (s.n_not_run(), "not run"),
        ]),
    }];
    lines.push(Line {
        label: "turns".to_owned(),
        passed: s.n_turns_passed,
        all: s.n_turns,
        word: "passed",
        note: joined(&[
            (turns_failed, "failed"),
            (s.n_turns_skipped, "skipped"),
            (s.n_turns_in_error, "in error"),
            (s.n_turns_unasserted, "asserting nothing"),
        ]),
    });
    if s.n_tool_assertions > 0 {
        lines.push(Line {
            label: "tool assertions".to_owned(),
            passed: s.n_tool_assertions_held,
            all: s.n_tool_assertions,
            word: "held",
            note: String::new(),
        });
    }
    lines.extend(s.metrics().into_iter().map(|m| Line {
        label: text::shortened(&text::one_line(m.name), MAX_LABEL).into_owned(),
        passed: m.n_turns_passed,
        all: m.n_turns,
        word: "passed",
        note: format!(
            "mean {} over {}",
            text::score(m.mean),
            text::count(m.n_cases, "case")
        ),
    }));
    lines
}

fn joined(counts: &[(u64, &str)]) -> String {
    let some = counts.iter().filter(|(n, _)| *n > 0);
    some.map(|(n, what)| format!("{n} {what}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The last line: what a person scrolls down for.
fn verdict(s: &Summary, style: Style) -> String {
    let all = text::count(s.n_cases, "case");
    let not_run = match s.n_not_run() {
        0 => String::new(),
        n => format!(", {n} not run"),
    };
    if s.n_cases_failed() > 0 {
        let told = format!("{} of {all} failed{not_run}", s.n_cases_failed());
        style.paint(BAD.bold(), told)
    } else if s.n_not_run() > 0 {
        let told = if s.n_cases == 0 {
            format!("{} not run", text::count(s.n_not_run(), "case"))
        } else {
            format!("{all} passed{not_run}")
        };
        style.paint(ODD.bold(), told)
    } else if s.n_cases == 0 {
        style.paint(ODD.bold(), "no cases")
    } else {
        let told = match s.n_cases {
            1 => "the case passed".to_owned(),
            n => format!("all {n} cases passed"),
        };
        style.paint(GOOD.bold(), told)
    }
}
