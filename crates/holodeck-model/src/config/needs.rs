//! What a plan needs and this version can't do, each with its place: `test` refuses such a run, `check` notes it.

use holodeck_value::Value;

use super::metrics::Deferred;
use super::{Model, Overrides, Settings, Tool};
use crate::diagnostic::{Diagnostic, Severity};
use crate::shape::{Record, peek};
use crate::yaml::{Cx, Node};

/// Places kept; further ones are counted, so that a large suite does not fill the memory with them.
const MAX_PLACES: usize = 1000;

/// Needs of test cases.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needs {
    /// Test cases that use `evaluations.metrics`.
    inherited_by: Vec<u32>,
    /// A test case and what it needs.
    own: Vec<(u32, Diagnostic)>,
    /// Test cases whose needs are not kept.
    more: Vec<u32>,
}

impl Needs {
    /// A test case uses `evaluations.metrics`.
    pub(crate) fn inherits(&mut self, case: usize) {
        let case = number(case);
        if self.inherited_by.last() != Some(&case) {
            self.inherited_by.push(case);
        }
    }

    /// A test case uses these of a list at the path that `cx` is at.
    pub(crate) fn metrics(&mut self, case: usize, deferred: &[Deferred], cx: &Cx<'_>) {
        for need in deferred {
            self.keep(case, || {
                of_metric(need, &format!("{}.evaluations", cx.path()), cx.case())
            });
        }
    }

    /// A test case is to be played more than once.
    pub(crate) fn repeat(&mut self, case: usize, node: Node<'_>, cx: &Cx<'_>) {
        self.keep(case, || {
            let mut diagnostic = not_yet(
                "`repeat` asks for more than this version does: it plays each test case once",
            );
            diagnostic.path = format!("{}.repeat", cx.path());
            diagnostic.case = cx.case().map(str::to_owned);
            diagnostic.place = Some(node.entry("repeat").unwrap_or(node).place());
            diagnostic
        });
    }

    fn keep(&mut self, case: usize, need: impl FnOnce() -> Diagnostic) {
        if self.own.len() < MAX_PLACES {
            self.own.push((number(case), need()));
        } else {
            self.more.push(number(case));
        }
    }

    /// The needs of the selected test cases; `selected` tells whether a test case is.
    pub(crate) fn of(
        &self,
        inherited: &[Deferred],
        selected: impl Fn(u32) -> bool,
    ) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        if self.inherited_by.iter().any(|case| selected(*case)) {
            out.extend(
                inherited
                    .iter()
                    .map(|need| of_metric(need, "evaluations.metrics", None)),
            );
        }
        let own = self.own.iter().filter(|(case, _)| selected(*case));
        out.extend(own.map(|(_, need)| need.clone()));
        let more = self.more.iter().filter(|case| selected(**case)).count();
        if more > 0 {
            let mut diagnostic = not_yet(&format!(
                "{more} more places after this one ask for what this version does not do"
            ));
            diagnostic.place = self.own.last().and_then(|(_, need)| need.place.clone());
            out.push(diagnostic);
        }
        out
    }
}

fn number(case: usize) -> u32 {
    u32::try_from(case).unwrap_or(u32::MAX)
}

fn of_metric(need: &Deferred, list: &str, case: Option<&str>) -> Diagnostic {
    let metric = &need.metric;
    let mut diagnostic = not_yet(&format!("this version does not run the metric `{metric}`"));
    diagnostic.path = format!("{list}[{}]", need.entry);
    diagnostic.case = case.map(str::to_owned);
    diagnostic.place = Some(need.place.clone());
    diagnostic.hint = Some("`enabled: false` switches it off".to_owned());
    diagnostic
}

/// Something that is checked and can't be done.
pub(crate) fn not_yet(message: &str) -> Diagnostic {
    Diagnostic::error("not-supported-yet", message)
}

/// Who is asked, and with what.
pub(super) struct Asked<'a> {
    pub(super) overrides: &'a Overrides,
    pub(super) agent: &'a Record<'a>,
    pub(super) model: &'a Model,
    pub(super) tools: &'a [Tool],
}

/// What the agent itself needs that this version can't do: an agent it can't ask, repetitions, tools of its own.
pub(super) fn own_needs(
    asked: &Asked<'_>,
    settings: &Settings,
    root: Node<'_>,
    execution: &[(&str, &Record<'_>)],
) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let brings_its_own = asked.overrides.agent_replaced
        || matches!(
            asked.model.provider.as_str(),
            "scripted" | "command" | "http"
        );
    if !brings_its_own {
        live_needs(asked, root, &mut out);
    }
    let place = |key: &str| {
        let layer = execution.iter().find(|(_, layer)| layer.get(key).is_some());
        layer.map(|(_, layer)| layer.node().entry(key).unwrap_or(layer.node()).place())
    };
    if settings.integer("repeat").is_some_and(|n| n > 1) {
        let mut diagnostic =
            not_yet("`repeat` asks for more than this version does: it plays each test case once");
        "execution.repeat".clone_into(&mut diagnostic.path);
        diagnostic.place = place("repeat");
        out.push(diagnostic);
    }
    let overridden = settings.get("tool_overrides").map(|s| &s.value);
    if matches!(overridden, Some(Value::Object(tools)) if !tools.is_empty()) {
        let mut diagnostic =
            not_yet("`tool_overrides` has no effect: this version does not start tools");
        "execution.tool_overrides".clone_into(&mut diagnostic.path);
        diagnostic.place = place("tool_overrides");
        if brings_its_own {
            diagnostic.severity = Severity::Warning;
        }
        out.push(diagnostic);
    }
    out
}

/// What a live agent needs that this version can't do.
fn live_needs(asked: &Asked<'_>, root: Node<'_>, out: &mut Vec<Diagnostic>) {
    let mut need = |path: &str, message: String| {
        let mut diagnostic = not_yet(&message);
        path.clone_into(&mut diagnostic.path);
        let mut node = Some(root);
        for key in path.split('.') {
            node = node.and_then(peek).and_then(|m| m.get(key));
            diagnostic.place = node.map(Node::place).or(diagnostic.place);
        }
        diagnostic.hint = Some(
            "`--agent scripted:FILE` plays replies from a file, with no key and no network; `--agent command:CMD` and `--agent http:URL` ask an agent of yours"
                .to_owned(),
        );
        out.push(diagnostic);
    };
    let how = asked
        .agent
        .record("model")
        .and_then(|m| m.text("auth_provider"));
    if let Some(how) = how.filter(|how| *how != "api_key") {
        need(
            "model.auth_provider",
            format!(
                "this version proves who asks with `api_key` only, and `auth_provider` is `{how}`"
            ),
        );
    }
    if asked.model.provider == "anthropic" && asked.agent.get("response_format").is_some() {
        let message = "this version sends no `response_format` to `anthropic`";
        need("response_format", message.to_owned());
    }
    if !asked.tools.is_empty() {
        let names: Vec<String> = asked
            .tools
            .iter()
            .map(|t| format!("`{}`", t.name))
            .collect();
        need(
            "tools",
            format!(
                "this version does not start tools, and the model is to have {}",
                names.join(", ")
            ),
        );
    }
}
