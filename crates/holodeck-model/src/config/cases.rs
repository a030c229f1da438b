//! Test cases read into what will be played, one at a time, so that a large suite costs no more than its plan.

use std::collections::BTreeMap;
use std::sync::Arc;

use holodeck_match::{ExpectedCall, Form};
use holodeck_value::numeral::{self, Accept};
use holodeck_value::{Object, Value};

use super::advice::Advice;
use super::metrics::{MAX_SHARED, MetricList, MetricReader};
use super::needs::Needs;
use super::settings::on_turn_failure;
use crate::plan::{
    CaseId, CasePlan, FileInput, Metric, MetricKind, MetricSpec, OnTurnFailure, TurnPlan,
};
use crate::shape::check::{World, check_object};
use crate::shape::{CASE, Checked, Record};
use crate::slug::sha256_hex;
use crate::yaml::{Cx, Node};

/// What the levels above a test case give it.
#[derive(Clone, Debug)]
pub(crate) struct Inherited {
    pub(crate) metrics: MetricList,
    pub(crate) on_turn_failure: OnTurnFailure,
}

/// Reads test cases, and notes what they need that this version lacks and what may not be meant.
#[derive(Debug)]
pub(crate) struct CaseReader {
    pub(crate) inherited: Inherited,
    pub(crate) metrics: MetricReader,
    pub(crate) tools: ToolReader,
    pub(crate) needs: Needs,
    pub(crate) advice: Advice,
}

impl CaseReader {
    pub(crate) fn new(inherited: Inherited, metrics: MetricReader, advice: Advice) -> Self {
        Self {
            inherited,
            metrics,
            tools: ToolReader::default(),
            needs: Needs::default(),
            advice,
        }
    }

    /// Checks and reads the test case at `node`, at the path that `cx` is at; its identity's occurrence is left at 0.
    /// `None` where an error in it was reported.
    pub(crate) fn read(
        &mut self,
        index: usize,
        node: Node<'_>,
        cx: &mut Cx<'_>,
        world: &World<'_>,
    ) -> Option<CasePlan> {
        let name = node
            .entry("name")
            .filter(|n| !n.is_null())
            .and_then(Node::text);
        let label = name.map_or_else(|| format!("test_cases[{index}]"), str::to_owned);
        cx.in_case(label, |cx| {
            let before = cx.errors();
            let record = check_object(&CASE, node, cx, world)?;
            (cx.errors() == before).then(|| self.case(index, &record, cx))
        })
    }

    fn case(&mut self, index: usize, record: &Record<'_>, cx: &mut Cx<'_>) -> CasePlan {
        let own = record
            .list("evaluations")
            .map(|list| self.metrics.read(list));
        let single_turn = record.list("turns").is_none();
        let mut overridden = 0;
        let mut turns: Vec<TurnPlan> = match record.list("turns") {
            None => vec![self.turn(0, record, own.as_ref(), cx)],
            Some(turns) => cx.at("turns", |cx| {
                let turns = turns.iter().filter_map(Checked::as_record).enumerate();
                let turns = turns.map(|(i, turn)| {
                    cx.at(i, |cx| {
                        let list = turn.list("evaluations").map(|list| self.metrics.read(list));
                        if let Some(list) = &list {
                            overridden += 1;
                            self.needs.metrics(index, &list.deferred, cx);
                        }
                        self.turn(i, turn, list.as_ref().or(own.as_ref()), cx)
                    })
                });
                turns.collect()
            }),
        };
        turns.shrink_to_fit();
        if overridden < turns.len() {
            match &own {
                Some(own) => self.needs.metrics(index, &own.deferred, cx),
                None => self.needs.inherits(index),
            }
        }
        if record
            .number("repeat")
            .and_then(|n| n.as_u64())
            .is_some_and(|n| n > 1)
        {
            self.needs.repeat(index, record.node(), cx);
        }
        self.advice.case(&turns, single_turn, record.node(), cx);
        let name = record.text("name").map(str::to_owned);
        let key = name.clone().unwrap_or_else(|| content_key(record));
        CasePlan {
            index,
            id: CaseId { key, occurrence: 0 },
            name,
            single_turn,
            turns,
            on_turn_failure: match record.text("on_turn_failure") {
                None => self.inherited.on_turn_failure,
                text => on_turn_failure(text),
            },
        }
    }

    /// `list` are the metrics of the turn or its test case, where either has any.
    fn turn(
        &mut self,
        index: usize,
        record: &Record<'_>,
        list: Option<&MetricList>,
        cx: &mut Cx<'_>,
    ) -> TurnPlan {
        let metrics = Arc::clone(&list.unwrap_or(&self.inherited.metrics).metrics);
        if let Some(truth) = record.text("ground_truth") {
            let node = record.node();
            let node = node.entry("ground_truth").unwrap_or(node);
            self.check_truth(truth, &metrics, node, cx);
        }
        let expected_tools = record.list("expected_tools");
        let expected_tools = expected_tools.map(|list| self.tools.read(list));
        if let Some(expected) = &expected_tools {
            self.advice.tools(expected, record.node(), cx);
        }
        TurnPlan {
            index,
            input: record.text("input").unwrap_or_default().to_owned(),
            ground_truth: record.text("ground_truth").map(str::to_owned),
            expected_tools,
            files: record.list("files").map(files).unwrap_or_default(),
            retrieval_context: record.texts("retrieval_context"),
            turn_config: metrics
                .iter()
                .any(|m| m.kind == MetricKind::Code)
                .then(|| turn_config(record)),
            metrics,
        }
    }

    /// A right answer that its numeric metric can't read (rule N3).
    fn check_truth(&mut self, truth: &str, metrics: &[Metric], node: Node<'_>, cx: &mut Cx<'_>) {
        for metric in metrics {
            let MetricSpec::Numeric(numeric) = &metric.spec else {
                continue;
            };
            let accept = Accept {
                percent: numeric.accept_percent,
                thousands_separators: numeric.accept_thousands_separators,
            };
            if let Err(error) = numeral::read(truth, accept) {
                self.advice
                    .unreadable_truth(truth, &metric.name, &error, node, cx);
                return;
            }
        }
    }
}

/// What an unnamed test case is known by (rule V5).
fn content_key(record: &Record<'_>) -> String {
    let mut content = String::new();
    record.fingerprint(&mut content);
    format!("sha256:{}", &sha256_hex(content.as_bytes())[..16])
}

/// Reads lists of expected calls; equal lists of different turns are shared.
#[derive(Debug, Default)]
pub(crate) struct ToolReader {
    shared: BTreeMap<String, Arc<[ExpectedCall]>>,
}

impl ToolReader {
    fn read(&mut self, list: &[Checked<'_>]) -> Arc<[ExpectedCall]> {
        let mut key = String::new();
        for entry in list {
            entry.fingerprint(&mut key);
        }
        if let Some(calls) = self.shared.get(&key) {
            return Arc::clone(calls);
        }
        let calls: Arc<[ExpectedCall]> = expected_tools(list).into();
        if self.shared.len() < MAX_SHARED {
            self.shared.insert(key, Arc::clone(&calls));
        }
        calls
    }
}

fn expected_tools(list: &[Checked<'_>]) -> Vec<ExpectedCall> {
    let call = |entry: &Checked<'_>| match entry {
        Checked::Record(record) => Some(ExpectedCall {
            name: record.text("name")?.to_owned(),
            args: match record.get("args") {
                Some(Checked::Args(args)) => Some(args.clone()),
                _ => None,
            },
            count: record
                .number("count")
                .and_then(|n| n.as_u64())
                .and_then(|n| u32::try_from(n).ok())
                .unwrap_or(1),
            form: Form::Object,
        }),
        entry => Some(ExpectedCall {
            name: entry.as_text()?.to_owned(),
            args: None,
            count: 1,
            form: Form::Bare,
        }),
    };
    list.iter().filter_map(call).collect()
}

fn files(list: &[Checked<'_>]) -> Vec<FileInput> {
    let file = |record: &Record<'_>| {
        let text = |key: &str| record.text(key).map(str::to_owned);
        let pages = |list: &[Checked<'_>]| {
            list.iter()
                .filter_map(|p| p.as_number()?.as_u64())
                .collect()
        };
        FileInput {
            path: text("path"),
            url: text("url"),
            kind: text("type").unwrap_or_default(),
            description: text("description"),
            pages: record.list("pages").map(pages),
            sheet: text("sheet"),
            range: text("range"),
            cache: record.get("cache").map(|_| record.flag("cache")),
        }
    };
    list.iter()
        .filter_map(Checked::as_record)
        .map(file)
        .collect()
}

/// What graders are told of a turn beside what their context has fields for.
fn turn_config(record: &Record<'_>) -> Object {
    let mut told = Object::new();
    for key in ["expected_tools", "files", "evaluations"] {
        if let Some(value) = record.get(key) {
            told.insert(key, value.to_value(false));
        }
    }
    let free_form = record.shape().field("turn_config");
    if let Some(Checked::Free(Value::Object(object))) =
        free_form.and_then(|_| record.get("turn_config"))
    {
        for (key, value) in object.iter() {
            told.insert(key, value.clone());
        }
    }
    told
}
