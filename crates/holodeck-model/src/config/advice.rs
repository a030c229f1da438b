//! What is allowed and probably not meant: right answers that can't be read (N3), ambiguous tool names (M5), turns on which
//! nothing is asserted (N7).

use std::collections::BTreeSet;

use holodeck_match::ExpectedCall;
use holodeck_value::numeral::NumeralError;

use crate::diagnostic::{Diagnostic, Severity};
use crate::plan::TurnPlan;
use crate::shape::cut;
use crate::yaml::{Cx, Node};

/// Warnings of one kind that are kept; further ones are counted.
const MAX: usize = 100;

/// Advice gathered while test cases are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Advice {
    tools: Vec<String>,
    seen: BTreeSet<String>,
    truths: Kept,
    names: Kept,
    unasserted: Kept,
}

#[derive(Clone, Debug, Default)]
struct Kept {
    kept: Vec<Diagnostic>,
    more: usize,
}

impl Kept {
    fn add(
        &mut self,
        code: &'static str,
        node: Node<'_>,
        cx: &Cx<'_>,
        fill: impl FnOnce(&mut Diagnostic),
    ) {
        if self.kept.len() == MAX {
            self.more += 1;
            return;
        }
        let mut diagnostic = warning(code, String::new());
        cx.path().clone_into(&mut diagnostic.path);
        diagnostic.case = cx.case().map(str::to_owned);
        diagnostic.place = Some(node.place());
        fill(&mut diagnostic);
        self.kept.push(diagnostic);
    }

    fn into_diagnostics(self, code: &'static str, what: &str) -> Vec<Diagnostic> {
        let mut out = self.kept;
        if self.more > 0 {
            let message = format!("{} more {what} after this one", self.more);
            let place = out.last().and_then(|last| last.place.clone());
            out.push(Diagnostic {
                place,
                ..warning(code, message)
            });
        }
        out
    }
}

fn warning(code: &'static str, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        ..Diagnostic::error(code, message)
    }
}

impl Advice {
    /// With the names of the declared tools.
    pub(crate) fn new(tools: Vec<String>) -> Self {
        Self {
            tools,
            ..Self::default()
        }
    }

    /// A right answer that a numeric metric of its turn can't read.
    pub(crate) fn unreadable_truth(
        &mut self,
        truth: &str,
        metric: &str,
        error: &NumeralError,
        node: Node<'_>,
        cx: &Cx<'_>,
    ) {
        self.truths
            .add("unreadable-ground-truth", node, cx, |diagnostic| {
                diagnostic.path.push_str(".ground_truth");
                diagnostic.message = format!(
                    "`{metric}` can't pass on this turn: `{}` {error}",
                    cut(truth)
                );
                diagnostic.hint = match error {
                    NumeralError::NotANumber { .. } => Some(
                        "give the turn `evaluations` of its own, such as `equality`".to_owned(),
                    ),
                    _ => None,
                };
            });
    }

    /// Expected names that are part of several declared tools' names.
    pub(crate) fn tools(&mut self, expected: &[ExpectedCall], node: Node<'_>, cx: &Cx<'_>) {
        if self.tools.len() < 2 {
            return;
        }
        for (i, call) in expected.iter().enumerate() {
            let name = call.name.as_str();
            let fitting: Vec<&str> = self
                .tools
                .iter()
                .map(String::as_str)
                .filter(|tool| tool.contains(name))
                .collect();
            if fitting.len() < 2 || !self.seen.insert(name.to_owned()) {
                continue;
            }
            let list = node.entry("expected_tools");
            let place = list.and_then(|list| list.items().nth(i)).unwrap_or(node);
            let fitting = format!("`{}`", fitting.join("`, `"));
            self.names
                .add("ambiguous-tool-name", place, cx, |diagnostic| {
                    diagnostic.path = format!("{}.expected_tools[{i}]", diagnostic.path);
                    diagnostic.message = format!(
                        "`{}` is part of the names of several tools: {fitting}",
                        cut(name)
                    );
                    diagnostic.hint = Some("a call to any of them satisfies it".to_owned());
                });
        }
    }

    /// A test case with turns on which nothing is asserted.
    pub(crate) fn case(
        &mut self,
        turns: &[TurnPlan],
        single_turn: bool,
        node: Node<'_>,
        cx: &Cx<'_>,
    ) {
        let silent: Vec<usize> = turns
            .iter()
            .filter(|t| !t.asserts_something())
            .map(|t| t.index)
            .collect();
        if silent.is_empty() {
            return;
        }
        self.unasserted.add("nothing-asserted", node, cx, |diagnostic| {
            diagnostic.message = match silent.as_slice() {
                _ if single_turn || silent.len() == turns.len() => "nothing is asserted".to_owned(),
                [one] => format!("nothing is asserted on turns[{one}]"),
                [first, ..] => {
                    format!("nothing is asserted on {} of {} turns, the first of them turns[{first}]", silent.len(), turns.len())
                }
                [] => String::new(),
            };
        });
    }

    /// Warnings of every load, then those that only `check` gives.
    pub(crate) fn into_diagnostics(self) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let truths = self.truths.into_diagnostics(
            "unreadable-ground-truth",
            "right answers can't be read by their numeric metric",
        );
        let mut quiet = self.names.into_diagnostics(
            "ambiguous-tool-name",
            "expected names are part of several tools' names",
        );
        quiet.extend(self.unasserted.into_diagnostics(
            "nothing-asserted",
            "test cases have turns on which nothing is asserted",
        ));
        (truths, quiet)
    }
}
