//! JUnit XML for CI servers: a suite a file, a testcase a case; failures (wrong answers) and errors (trouble with the world) told apart.
//!
//! The library builds the whole document before it is written, so memory grows with the number of cases: each one's text is bounded.

use std::io;
use std::time::Duration;

use holodeck_model::outcome::CaseOutcome;
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use crate::{Cases, Header, Summary, console, rollup, text};

/// Characters of the one-line message.
const MAX_MESSAGE: usize = 300;
/// Characters of a case's text.
const MAX_TEXT: usize = 64 * 1024;

/// Writes the report.
pub fn write(
    header: &Header,
    summary: &Summary,
    cases: Cases<'_>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut suite = TestSuite::new(&*text::one_line(&header.agent_config_path));
    suite.extra.insert(
        "timestamp".into(),
        text::one_line(&header.timestamp).as_ref().into(),
    );
    suite.set_time(Duration::from_millis(summary.total_duration_ms));
    for (name, value) in suite_properties(header, summary) {
        suite.add_property(Property::new(name, &*text::one_line(&value)));
    }
    for case in cases {
        suite.add_test_case(test_case(&case?, header));
    }
    if !summary.is_complete() {
        let mut status = TestCaseStatus::skipped();
        status.set_message("the run ended before these");
        let what = format!("{} not run", text::count(summary.n_not_run(), "case"));
        let mut rest = TestCase::new(what, status);
        rest.set_classname(&*text::one_line(&header.agent_name));
        suite.add_test_case(rest);
    }
    let mut report = Report::new(&*text::one_line(&header.agent_name));
    report.set_time(Duration::from_millis(summary.total_duration_ms));
    report.add_test_suite(suite);
    let mut out = Remembering { out, error: None };
    let written = report.serialize(io::BufWriter::new(&mut out));
    match out.error.take() {
        Some(error) => Err(error),
        None => written.map_err(io::Error::other),
    }
}

/// Keeps the error of writing as it was, which the library wraps and a buffer drops: whoever asked for the report must be able to
/// tell a closed pipe from a full disk.
struct Remembering<'a> {
    out: &'a mut dyn io::Write,
    error: Option<io::Error>,
}

impl io::Write for Remembering<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.error = Some(error);
            }
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn suite_properties(header: &Header, summary: &Summary) -> Vec<(String, String)> {
    let mut all = vec![
        (
            "holodeck_version".to_owned(),
            header.holodeck_version.clone(),
        ),
        ("complete".to_owned(), summary.is_complete().to_string()),
        ("turns".to_owned(), summary.n_turns.to_string()),
    ];
    if let Some(id) = &header.run_id {
        all.push(("run_id".to_owned(), id.clone()));
    }
    if let Some(ms) = summary.wall_time_ms {
        all.push(("wall_time_ms".to_owned(), ms.to_string()));
    }
    let scores = summary.metrics();
    all.extend(scores.iter().map(|m| {
        let name = text::one_line(m.name);
        (format!("average_score.{name}"), m.mean.to_string())
    }));
    all
}

fn test_case(case: &CaseOutcome, header: &Header) -> TestCase {
    let label = case.label();
    let mut name = text::one_line(&label).into_owned();
    if case.id.occurrence > 0 {
        name = format!("{name} ({})", u64::from(case.id.occurrence) + 1);
    }
    let mut told = TestCase::new(name, status(case, header));
    told.set_classname(&*text::one_line(&header.agent_name));
    told.set_time(Duration::from_millis(rollup::duration_ms(case)));
    told.extra.insert(
        "timestamp".into(),
        text::one_line(&case.started_at).as_ref().into(),
    );
    told.add_property(Property::new("turns", case.turns.len().to_string()));
    for metric in rollup::metrics(case) {
        let name = format!("score.{}", text::one_line(&metric.metric_name));
        told.add_property(Property::new(name, metric.score.to_string()));
    }
    told
}

fn status(case: &CaseOutcome, header: &Header) -> TestCaseStatus {
    if case.passed() {
        return TestCaseStatus::success();
    }
    let (kind, name) = if case.has_infrastructure_error() {
        (NonSuccessKind::Error, "infrastructure")
    } else {
        (NonSuccessKind::Failure, "assertion")
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(name);
    let message = message(case);
    status.set_message(&*text::cut(&text::one_line(&message), MAX_MESSAGE));
    let details = console::plain_details(case, header);
    status.set_description(&*text::cut(&details, MAX_TEXT));
    status
}

/// What went wrong first, and how much else did.
fn message(case: &CaseOutcome) -> String {
    if let Some(error) = &case.error {
        return error.clone();
    }
    // The trouble that makes it an error, else the first failed turn.
    let in_error = || {
        case.turns
            .iter()
            .find(|t| t.record.end.is_infrastructure_error())
    };
    let failed = || {
        let sent = case.turns.iter().filter(|t| !t.record.end.is_skipped());
        sent.filter(|t| !t.passed())
    };
    let Some(turn) = in_error().or_else(|| failed().next()) else {
        return String::new();
    };
    let metric = turn.verdict.metrics.iter().find(|m| !m.passed);
    let why = turn.errors().into_iter().next().or_else(|| {
        let m = metric?;
        let why = m.error.as_deref().or(m.reasoning.as_deref());
        Some(format!("{}: {}", m.name, why.unwrap_or("failed")))
    });
    let why = why.unwrap_or_default();
    if case.single_turn {
        return why;
    }
    let n = failed().count();
    let more = if n > 1 {
        format!(" ({n} turns failed)")
    } else {
        String::new()
    };
    format!(
        "turn {} of {}: {why}{more}",
        turn.index + 1,
        case.turns.len()
    )
}

#[cfg(test)]
mod tests;
