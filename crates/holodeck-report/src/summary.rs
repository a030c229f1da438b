//! The run in numbers (rule V3), added up case by case.

use holodeck_model::outcome::CaseOutcome;
use holodeck_model::record::{TokenUsage, TurnEnd};
use indexmap::IndexMap;

use crate::mean::Mean;
use crate::{rollup, wire};

/// What the cases so far come to. The order in which they are added does not matter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Selected cases, finished or not.
    pub n_selected: u64,
    /// From the beginning to the end of the run, once that is known.
    pub wall_time_ms: Option<u64>,
    /// Cases that ran.
    pub n_cases: u64,
    /// Of these.
    pub n_cases_passed: u64,
    /// Failed cases with trouble with the world among the reasons (rule X7).
    pub n_cases_in_error: u64,
    /// Turns of the cases that ran, skipped ones included.
    pub n_turns: u64,
    /// Of these.
    pub n_turns_passed: u64,
    /// Of these: not sent.
    pub n_turns_skipped: u64,
    /// Of these: the agent replied.
    pub n_turns_replied: u64,
    /// Of these: nothing was asserted, so nothing but trouble could fail them (rule N7).
    pub n_turns_unasserted: u64,
    /// Of these: ended by trouble with the world.
    pub n_turns_in_error: u64,
    /// Cases that could not be played at all: no session could be opened, or they could not be read again.
    pub n_cases_not_played: u64,
    /// Entries of `expected_tools` on turns that were judged.
    pub n_tool_assertions: u64,
    /// Of these.
    pub n_tool_assertions_held: u64,
    /// Sum over the cases.
    pub total_duration_ms: u64,
    /// Sum over the cases that counted any.
    pub usage: Option<TokenUsage>,
    metrics: IndexMap<String, MetricTotals>,
}

/// One metric of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MetricSummary<'a> {
    /// Its name.
    pub name: &'a str,
    /// Cases that ran it.
    pub n_cases: u64,
    /// Turns that ran it.
    pub n_turns: u64,
    /// Of these.
    pub n_turns_passed: u64,
    /// Mean over the cases that ran it, each case's being the mean over its turns.
    pub mean: f64,
}

#[derive(Clone, Debug, PartialEq)]
struct MetricTotals {
    /// Case and place in it of the first appearance in file order.
    first: (usize, usize),
    scores: Mean,
    n_turns: u64,
    n_turns_passed: u64,
}

impl Summary {
    /// Of a run of which nothing is known yet but how many cases were selected.
    pub fn new(n_selected: u64) -> Self {
        Self {
            n_selected,
            ..Self::default()
        }
    }

    /// Adds a finished case.
    pub fn add(&mut self, case: &CaseOutcome) {
        self.n_cases += 1;
        self.n_cases_passed += u64::from(case.passed());
        self.n_cases_in_error += u64::from(case.has_infrastructure_error());
        self.n_cases_not_played += u64::from(case.error.is_some());
        self.total_duration_ms = self
            .total_duration_ms
            .saturating_add(rollup::duration_ms(case));
        self.usage = match (self.usage, rollup::usage(case)) {
            (Some(a), Some(b)) => Some(a.plus(b)),
            (a, b) => a.or(b),
        };
        for turn in &case.turns {
            let end = &turn.record.end;
            self.n_turns += 1;
            self.n_turns_passed += u64::from(turn.passed());
            self.n_turns_skipped += u64::from(end.is_skipped());
            self.n_turns_replied += u64::from(matches!(end, TurnEnd::Replied));
            self.n_turns_unasserted += u64::from(!turn.asserted);
            self.n_turns_in_error += u64::from(end.is_infrastructure_error());
            for tool in &turn.verdict.tools {
                self.n_tool_assertions += 1;
                self.n_tool_assertions_held += u64::from(tool.passed);
            }
        }
        for (place, metric) in rollup::metrics(case).into_iter().enumerate() {
            let passed = case
                .turns
                .iter()
                .flat_map(|t| &t.verdict.metrics)
                .filter(|m| m.passed && m.name == metric.metric_name)
                .count();
            let totals = self
                .metrics
                .entry(metric.metric_name)
                .or_insert(MetricTotals {
                    first: (usize::MAX, 0),
                    scores: Mean::default(),
                    n_turns: 0,
                    n_turns_passed: 0,
                });
            totals.first = totals.first.min((case.index, place));
            totals.scores.add(metric.score);
            totals.n_turns += u64::from(metric.n_turns);
            totals.n_turns_passed += passed as u64;
        }
    }

    /// Cases that ran and did not pass.
    pub fn n_cases_failed(&self) -> u64 {
        self.n_cases - self.n_cases_passed
    }

    /// Turns that ended by trouble with the world, and cases that could not be played at all (rule X7).
    pub fn n_infrastructure_errors(&self) -> u64 {
        self.n_turns_in_error + self.n_cases_not_played
    }

    /// Selected cases that did not finish.
    pub fn n_not_run(&self) -> u64 {
        self.n_selected.saturating_sub(self.n_cases)
    }

    /// Whether all selected cases ran.
    pub fn is_complete(&self) -> bool {
        self.n_not_run() == 0
    }

    /// 0 to 100; 0 where nothing ran.
    pub fn pass_rate(&self) -> f64 {
        if self.n_cases == 0 {
            return 0.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "no run has 2^53 cases")]
        let (passed, all) = (self.n_cases_passed as f64, self.n_cases as f64);
        passed / all * 100.0
    }

    /// The metrics that ran, in order of first appearance in the file.
    pub fn metrics(&self) -> Vec<MetricSummary<'_>> {
        let mut all: Vec<_> = self.metrics.iter().collect();
        all.sort_by_key(|(_, totals)| totals.first);
        all.into_iter()
            .map(|(name, totals)| MetricSummary {
                name,
                n_cases: totals.scores.n(),
                n_turns: totals.n_turns,
                n_turns_passed: totals.n_turns_passed,
                mean: totals.scores.get().unwrap_or_default(),
            })
            .collect()
    }

    /// As the JSON report has it.
    pub fn wire(&self) -> wire::ReportSummary {
        let metrics = self.metrics();
        let by_name = || metrics.iter().map(|m| m.name.to_owned());
        wire::ReportSummary {
            total_tests: self.n_cases,
            passed: self.n_cases_passed,
            failed: self.n_cases_failed(),
            pass_rate: self.pass_rate(),
            total_duration_ms: self.total_duration_ms,
            metrics_evaluated: by_name().zip(metrics.iter().map(|m| m.n_cases)).collect(),
            average_scores: by_name().zip(metrics.iter().map(|m| m.mean)).collect(),
            turns: self.n_turns,
            turns_passed: self.n_turns_passed,
            turns_skipped: self.n_turns_skipped,
            turns_unasserted: self.n_turns_unasserted,
            infrastructure_errors: self.n_infrastructure_errors(),
            not_run: self.n_not_run(),
            complete: self.is_complete(),
            wall_time_ms: self.wall_time_ms,
            token_usage: self.usage.map(rollup::token_usage),
        }
    }
}

#[cfg(test)]
mod tests;
