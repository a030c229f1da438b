//! Lists of metrics, read once each: equal lists of different turns are shared (rule L12).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use holodeck_match::PyRegex;
use holodeck_value::{Decimal, Number};

use crate::diagnostic::Place;
use crate::plan::{
    CodeMetric, Equality, Extract, Metric, MetricKind, MetricSpec, Numeric, ResponsePath, Threshold,
};
use crate::shape::{Checked, Record};

/// Lists kept for sharing; suites with more different ones than this gain little from it.
pub(super) const MAX_SHARED: usize = 1024;

/// A metric that this version can't run.
#[derive(Clone, Debug)]
pub(crate) struct Deferred {
    /// Its place in its list, counting switched-off entries.
    pub(crate) entry: usize,
    /// As the author wrote it.
    pub(crate) metric: String,
    /// Where it stands.
    pub(crate) place: Place,
}

/// A list of metrics, read.
#[derive(Clone, Debug)]
pub(crate) struct MetricList {
    /// Switched-off ones left out.
    pub(crate) metrics: Arc<[Metric]>,
    /// Those that this version can't run.
    pub(crate) deferred: Vec<Deferred>,
}

/// Reads lists of metrics.
#[derive(Debug, Default)]
pub(crate) struct MetricReader {
    shared: BTreeMap<String, Arc<[Metric]>>,
}

impl MetricReader {
    /// Reads a checked list.
    pub(crate) fn read(&mut self, list: &[Checked<'_>]) -> MetricList {
        let records = list
            .iter()
            .enumerate()
            .filter_map(|(i, m)| Some((i, m.as_record()?)));
        let enabled: Vec<(usize, &Record<'_>)> =
            records.filter(|(_, r)| r.flag("enabled")).collect();
        let mut key = String::new();
        for (_, record) in &enabled {
            record.fingerprint(&mut key);
        }
        let metrics = self.shared.get(&key).cloned().unwrap_or_else(|| {
            let metrics = enabled.iter().map(|(_, r)| metric(r)).collect();
            named(metrics).into()
        });
        if self.shared.len() < MAX_SHARED {
            self.shared.insert(key, Arc::clone(&metrics));
        }
        let deferred =
            enabled
                .iter()
                .zip(metrics.iter())
                .filter_map(|((entry, record), metric)| {
                    let MetricSpec::Deferred { metric, .. } = &metric.spec else {
                        return None;
                    };
                    Some(Deferred {
                        entry: *entry,
                        metric: metric.clone(),
                        place: record.node().place(),
                    })
                });
        MetricList {
            deferred: deferred.collect(),
            metrics,
        }
    }
}

/// Makes names differ: the second `numeric` becomes `numeric (2)`.
fn named(mut metrics: Vec<Metric>) -> Vec<Metric> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut next: BTreeMap<String, usize> = BTreeMap::new();
    for metric in &mut metrics {
        let mut name = metric.name.clone();
        let n = next.entry(metric.name.clone()).or_insert(1);
        while taken.contains(&name) {
            *n += 1;
            name = format!("{} ({n})", metric.name);
        }
        taken.insert(name.clone());
        metric.name = name;
    }
    metrics
}

fn metric(record: &Record<'_>) -> Metric {
    let text = |key: &str| record.text(key).unwrap_or_default().to_owned();
    let (kind, what) = match record.shape().name {
        "GevalMetric" => (MetricKind::Geval, "geval".to_owned()),
        "RagMetric" => (MetricKind::Rag, text("metric_type")),
        "CodeMetric" => (MetricKind::Code, "code".to_owned()),
        _ => (MetricKind::Standard, text("metric")),
    };
    let name = record.text("name").map(str::to_owned);
    let name = name.unwrap_or_else(|| match kind {
        MetricKind::Code => text("grader")
            .rsplit(':')
            .next()
            .unwrap_or_default()
            .to_owned(),
        _ => what.clone(),
    });
    Metric {
        name,
        kind,
        threshold: record
            .number("threshold")
            .and_then(|n| n.decimal())
            .map(Threshold),
        fail_on_error: record.flag("fail_on_error"),
        response_path: record
            .text("response_path")
            .and_then(|p| ResponsePath::parse(p).ok()),
        spec: spec(record, kind, what),
    }
}

fn spec(record: &Record<'_>, kind: MetricKind, what: String) -> MetricSpec {
    match (kind, what.as_str()) {
        (MetricKind::Standard, "equality") => MetricSpec::Equality(Equality {
            case_insensitive: record.flag("case_insensitive"),
            strip_punctuation: record.flag("strip_punctuation"),
            strip_whitespace: record.flag("strip_whitespace"),
        }),
        (MetricKind::Standard, "numeric") => MetricSpec::Numeric(Numeric {
            absolute_tolerance: tolerance(record, "absolute_tolerance"),
            relative_tolerance: tolerance(record, "relative_tolerance"),
            accept_percent: record.flag("accept_percent"),
            accept_thousands_separators: record.flag("accept_thousands_separators"),
            extract: extract(record),
        }),
        (MetricKind::Code, _) => MetricSpec::Code(CodeMetric {
            grader: record.text("grader").unwrap_or_default().to_owned(),
            timeout_ms: record
                .number("timeout_ms")
                .and_then(|n| n.as_u64())
                .unwrap_or(u64::MAX),
        }),
        (_, metric) => MetricSpec::Deferred {
            needs_ground_truth: needs_ground_truth(record, metric),
            metric: what,
        },
    }
}

fn tolerance(record: &Record<'_>, key: &str) -> Decimal {
    let given = record.number(key).and_then(|n| n.decimal());
    given.unwrap_or_else(zero_decimal)
}

fn zero_decimal() -> Decimal {
    Number::from(0_u64).decimal().expect("0 is finite")
}

fn extract(record: &Record<'_>) -> Option<Extract> {
    match record.get("extract")? {
        Checked::Text("first") => Some(Extract::First),
        Checked::Text(_) => Some(Extract::Last),
        Checked::Record(record) => match record.get("regex")? {
            Checked::Regex(regex) => Some(Extract::Regex(PyRegex::clone(regex))),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a metric that comes later compares with `ground_truth` (rule N7).
fn needs_ground_truth(record: &Record<'_>, metric: &str) -> bool {
    match metric {
        "bleu" | "rouge" | "meteor" | "contextual_precision" | "contextual_recall" => true,
        "geval" => record
            .texts("evaluation_params")
            .is_some_and(|params| params.iter().any(|p| p == "expected_output")),
        _ => false,
    }
}
