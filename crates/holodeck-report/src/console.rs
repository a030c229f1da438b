//! The report that a person reads: a line a case, what went wrong under a failed one, a summary at the end.
//!
//! Pure functions from values to text; where the text goes, and whether colour makes sense there, is the caller's.
//! Everything can be read without colour.

mod case;
mod grid;
mod paint;
mod summary;
mod turn;
mod wrap;

use std::io::{self, Write};

use holodeck_model::outcome::CaseOutcome;

use crate::{Cases, Header, Summary, text};

/// What the text is printed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// ANSI colours.
    pub colour: bool,
    /// Columns; less than 40 is taken as 40.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            colour: false,
            width: 80,
        }
    }
}

/// How much is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// The summary only.
    Quiet,
    /// A line a case, and what went wrong.
    #[default]
    Normal,
    /// Passed turns too.
    Verbose,
}

/// Writes the whole report.
///
/// # Errors
/// Those of `cases` and of `out`.
pub fn write(
    header: &Header,
    summary: &Summary,
    cases: Cases<'_>,
    style: Style,
    verbosity: Verbosity,
    out: &mut dyn Write,
) -> io::Result<()> {
    if verbosity != Verbosity::Quiet {
        out.write_all(beginning(header, summary.n_selected).as_bytes())?;
    }
    for case in cases {
        out.write_all(self::case(&case?, header, style, verbosity).as_bytes())?;
    }
    out.write_all(self::summary(summary, style).as_bytes())?;
    out.flush()
}

/// What is said before the first case: the agent, how many cases, who answers. Ends with an empty line.
pub fn beginning(header: &Header, n_cases: u64) -> String {
    let name = text::one_line(&header.agent_name);
    let n_cases = text::count(n_cases, "case");
    let answered_by = match &header.answered_by {
        Some(who) => format!(", answered by {}", text::one_line(who)),
        None => String::new(),
    };
    format!("{name}: {n_cases}{answered_by}\n\n")
}

/// What is said of a finished case: its line, and below it what `verbosity` asks for. Ends with a line end unless it is empty.
pub fn case(case: &CaseOutcome, header: &Header, style: Style, verbosity: Verbosity) -> String {
    lines(&case::rows(case, header, style, verbosity))
}

/// The line of a finished case: how it ended, its name, turns and time.
pub fn case_line(case: &CaseOutcome, style: Style) -> String {
    case::line(case, style)
}

/// The run in numbers: a ruled line, the counts, and the verdict as the last line. Ends with a line end.
pub fn summary(summary: &Summary, style: Style) -> String {
    lines(&summary::rows(summary, style))
}

/// What went wrong in a case, in plain text of any width: for reports that have one text a case.
pub(crate) fn plain_details(case: &CaseOutcome, header: &Header) -> String {
    lines(&case::details(case, header, case::PLAIN))
}

fn lines(rows: &[String]) -> String {
    let mut text = String::with_capacity(rows.iter().map(|r| r.len() + 1).sum());
    for row in rows {
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests;
