//! A finished case: its line, and what is told below it.

use holodeck_model::outcome::{CaseOutcome, TurnOutcome};
use holodeck_model::record::TurnEnd;

use super::paint::{BAD, DIM, GOOD, ODD};
use super::wrap::{clipped, padded};
use super::{Style, Verbosity, turn};
use crate::{Header, rollup, text};

/// How much of texts is shown, and which turns.
#[derive(Clone, Copy)]
pub(super) struct Detail {
    pub(super) style: Style,
    /// Passed turns and assertions too.
    pub(super) passed_too: bool,
    /// Rows of an input or an answer.
    pub(super) max_rows: usize,
    /// Rows of a reason.
    pub(super) max_reason: usize,
    /// Tool calls of a turn.
    pub(super) max_calls: usize,
    /// Turns of a case; a case has seldom more than ten.
    pub(super) max_turns: usize,
}

impl Detail {
    fn new(style: Style, verbosity: Verbosity) -> Self {
        let verbose = verbosity == Verbosity::Verbose;
        Self {
            style,
            passed_too: verbose,
            max_rows: if verbose { 40 } else { 10 },
            max_reason: 20,
            max_calls: if verbose { 20 } else { 5 },
            max_turns: if verbose { usize::MAX } else { 20 },
        }
    }
}

/// For reports with one text a case: no colour, hardly wrapped, cut late but bounded.
pub(super) const PLAIN: Detail = Detail {
    style: Style {
        colour: false,
        width: 120,
    },
    passed_too: false,
    max_rows: 30,
    max_reason: 60,
    max_calls: 20,
    max_turns: 20,
};

/// Where the columns after the name stand at most, so that they are not torn apart on a wide screen.
pub(super) const MAX_WIDTH: usize = 100;
/// Characters of a name; the command below a failed case has all of it.
const MAX_NAME: usize = 300;
const STATUS: usize = 7;
const TURNS: usize = 9;
const TIME: usize = 8;

pub(super) fn line(case: &CaseOutcome, style: Style) -> String {
    let status = if case.has_infrastructure_error() {
        style.paint(BAD.bold(), "ERROR  ")
    } else if case.passed() {
        style.paint(GOOD, "PASS   ")
    } else {
        style.paint(BAD.bold(), "FAIL   ")
    };
    let name_width = style
        .columns()
        .min(MAX_WIDTH)
        .saturating_sub(STATUS + 1 + TURNS + TIME);
    let name = padded(&name(case), name_width);
    let turns = text::count(case.turns.len() as u64, "turn");
    let time = text::duration(rollup::duration_ms(case));
    let end = format!("{turns:>TURNS$}{time:>TIME$}");
    format!("{status}{name} {}", style.paint(DIM, end))
}

/// The name, with its number among equals.
fn name(case: &CaseOutcome) -> String {
    let label = case.label();
    let label = text::one_line(&label);
    let label = text::shortened(&label, MAX_NAME);
    match case.id.occurrence {
        0 => label.into_owned(),
        n => format!("{label} ({})", u64::from(n) + 1),
    }
}

pub(super) fn rows(
    case: &CaseOutcome,
    header: &Header,
    style: Style,
    verbosity: Verbosity,
) -> Vec<String> {
    if verbosity == Verbosity::Quiet {
        return Vec::new();
    }
    let mut rows = vec![line(case, style)];
    if !case.passed() || verbosity == Verbosity::Verbose {
        rows.extend(details(case, header, Detail::new(style, verbosity)));
        rows.push(String::new());
    }
    rows
}

/// What is told below the line.
pub(super) fn details(case: &CaseOutcome, header: &Header, detail: Detail) -> Vec<String> {
    let style = detail.style;
    let mut rows = Vec::new();
    if let Some(error) = &case.error {
        let mark = style.mark(false);
        rows.extend(marked(&mark, &text::lines(error), detail.max_reason, style));
    }
    let mut told = 0;
    let mut rest = case.turns.as_slice();
    while let [first, ..] = rest {
        let n = skipped_alike(rest);
        let (now, later) = rest.split_at(n.max(1));
        rest = later;
        if n > 0 {
            if case.error.is_none() {
                rows.extend(skipped(now, case.turns.len(), style));
            }
        } else if !first.passed() || detail.passed_too {
            told += 1;
            if told <= detail.max_turns {
                rows.extend(turn::rows(first, case, detail));
            }
        }
    }
    if told > detail.max_turns {
        let more = text::count((told - detail.max_turns) as u64, "more turn");
        rows.push(format!("  {more} like these: see the JSON report"));
    }
    if !case.passed()
        && let Some(rerun) = &header.rerun
    {
        let command = rerun.command(&case.label());
        rows.push(format!("  {} {command}", style.paint(DIM, "run it alone:")));
    }
    rows
}

/// How many turns at the beginning of `turns` were skipped for one reason.
fn skipped_alike(turns: &[TurnOutcome]) -> usize {
    match &turns[0].record.end {
        TurnEnd::Skipped { .. } => turns
            .iter()
            .take_while(|t| t.record.end == turns[0].record.end)
            .count(),
        _ => 0,
    }
}

fn skipped(turns: &[TurnOutcome], n_turns: usize, style: Style) -> Vec<String> {
    let (Some(first), Some(last)) = (turns.first(), turns.last()) else {
        return Vec::new();
    };
    let which = if turns.len() == 1 {
        format!("turn {} of {n_turns}", first.index + 1)
    } else {
        format!(
            "turns {} to {} of {n_turns}",
            first.index + 1,
            last.index + 1
        )
    };
    let why = first.record.end.error().unwrap_or_default();
    let told = format!("{which} {}", text::one_line(&why));
    marked(&style.paint(ODD, '-'), &told, 6, style)
}

/// A text after a mark, its further rows under its beginning.
fn marked(mark: &str, text: &str, max_rows: usize, style: Style) -> Vec<String> {
    let rows = clipped(text, style.columns() - 4, max_rows);
    let marks = std::iter::once(mark).chain(std::iter::repeat(" "));
    marks
        .zip(rows)
        .map(|(mark, row)| format!("  {mark} {row}"))
        .collect()
}
