//! What fields of one object ask of each other.

mod scripted;
mod tools;

use std::collections::BTreeMap;

use super::check::{World, missing};
use super::leaf::cut;
use super::{Checked, ObjectShape, Record};
use crate::graders::Spot;
use crate::yaml::{Cx, Mapping, Node};

pub(super) use scripted::{scripted_case, scripted_tool_call, scripted_turn, scripted_usage};
pub(super) use tools::{hierarchical_document, keyword_index, mcp, prompt, vectorstore};

/// A key that is given, null counting as absent.
fn given<'d>(mapping: &Mapping<'d>, key: &str) -> Option<Node<'d>> {
    mapping.get(key).filter(|node| !node.is_null())
}

/// The key's own place, else the mapping's.
fn key_place<'d>(mapping: &Mapping<'d>, key: &str) -> Node<'d> {
    mapping.key_node(key).unwrap_or(mapping.node())
}

fn exactly_one(cx: &mut Cx<'_>, mapping: &Mapping<'_>, a: &'static str, b: &'static str) {
    match (given(mapping, a), given(mapping, b)) {
        (Some(_), Some(_)) => {
            let place = key_place(mapping, b);
            cx.error(
                place,
                "both-given",
                format!("has both `{a}` and `{b}`, exactly one is wanted"),
            );
        }
        (None, None) => {
            cx.error(
                mapping.node(),
                "missing-key",
                format!("has neither `{a}` nor `{b}`, exactly one is wanted"),
            );
        }
        _ => {}
    }
}

/// How a mapping looks that is often written as a string.
pub(super) fn written_out(shape: &ObjectShape) -> Option<&'static str> {
    Some(match shape.name {
        "Instructions" => "write `instructions: {inline: \"..\"}`, or `{file: ..}`",
        "Model" => "write `model: {provider: .., name: ..}`",
        "FileInput" => "write `{path: .., type: ..}`",
        "Turn" => "write `input: \"..\"`",
        _ => return None,
    })
}

/// A hint for a key that is known elsewhere.
pub(super) fn misplaced(shape: &ObjectShape, key: &str) -> Option<&'static str> {
    Some(match (shape.name, key) {
        ("Turn", "turn_program") => "put `turn_program` under `turn_config`",
        ("Turn", "name" | "on_turn_failure" | "repeat") => {
            "this belongs to the test case, not to a turn"
        }
        ("Turn" | "TestCase", "metrics") => "write `evaluations`",
        ("TestCase", "turn_config") => "put `turn_config` on a turn, under `turns`",
        ("Turn" | "TestCase", "args" | "count") => {
            "this belongs to an entry of `expected_tools`, beside its `name`"
        }
        ("Execution", "cache_directory") => "did you mean `cache_dir`?",
        ("Execution", "parallel") => "did you mean `parallel_test_cases`?",
        ("Execution", "timeout") => "did you mean `llm_timeout`?",
        ("StandardMetric", "tolerance") => "did you mean `absolute_tolerance`?",
        ("Agent", "metrics") => "put `metrics` under `evaluations`",
        ("Agent", "llm_timeout" | "parallel_test_cases") => "put this under `execution`",
        _ => return None,
    })
}

/// A code metric: its grader is to be found, unless the metric is switched off.
pub(super) fn code_metric(
    cx: &mut Cx<'_>,
    world: &World<'_>,
    mapping: &Mapping<'_>,
    record: &Record<'_>,
) {
    let Some(reference) = record.text("grader").filter(|_| record.flag("enabled")) else {
        return;
    };
    let node = mapping.get("grader").unwrap_or(mapping.node());
    world.graders.borrow_mut().note(reference, || Spot {
        case: cx.case().map(str::to_owned),
        path: cx.at("grader", |cx| cx.path().to_owned()),
        place: node.place(),
    });
}

/// agent.yaml as a whole.
pub(super) fn agent(
    cx: &mut Cx<'_>,
    world: &World<'_>,
    mapping: &Mapping<'_>,
    record: &Record<'_>,
) {
    let provider = record
        .record("model")
        .and_then(|model| model.text("provider"));
    let own_instructions =
        world.agent_replaced || matches!(provider, Some("scripted" | "command" | "http"));
    if given(mapping, "instructions").is_none() && !own_instructions {
        missing("instructions", mapping.node(), cx);
    }
    if let (Some(_), Some(file)) = (
        given(mapping, "test_cases"),
        given(mapping, "test_cases_file"),
    ) {
        cx.at("test_cases_file", |cx| {
            let place = mapping.key_node("test_cases").map(Node::place);
            let error = cx.error(
                file,
                "both-given",
                "stands beside `test_cases`; only one of them may be given",
            );
            error
                .related
                .extend(place.map(|place| (place, "`test_cases` is here".to_owned())));
        });
    }
    if let Some(tools) = record.list("tools") {
        cx.at("tools", |cx| unique_names(tools, cx));
    }
}

/// Reports a second tool of the same name.
pub(crate) fn unique_names(tools: &[Checked<'_>], cx: &mut Cx<'_>) {
    let mut seen: BTreeMap<&str, Node<'_>> = BTreeMap::new();
    for tool in tools.iter().filter_map(Checked::as_record) {
        let Some(name) = tool.text("name") else {
            continue;
        };
        let Some(first) = seen.get(name) else {
            seen.insert(name, tool.node());
            continue;
        };
        let first = first.place();
        let message = format!("a second tool is called `{}`", cut(name));
        let error = cx.error(tool.node(), "duplicate-tool", message);
        error
            .related
            .push((first, "the first one is here".to_owned()));
    }
}

pub(super) fn instructions(cx: &mut Cx<'_>, _: &World<'_>, mapping: &Mapping<'_>, _: &Record<'_>) {
    exactly_one(cx, mapping, "file", "inline");
}

pub(super) fn model(
    cx: &mut Cx<'_>,
    world: &World<'_>,
    mapping: &Mapping<'_>,
    record: &Record<'_>,
) {
    let Some(provider) = record.text("provider") else {
        return;
    };
    let lent = |key: &str| {
        world
            .providers
            .get(provider)
            .is_some_and(|keys| keys.contains(key))
    };
    let mut need = |key: &'static str, why: &str| {
        if given(mapping, key).is_none() && !lent(key) {
            cx.at(key, |cx| {
                cx.error(
                    mapping.node(),
                    "missing-key",
                    format!("`{key}` is missing{why}"),
                );
            });
        }
    };
    match provider {
        "azure_openai" => {
            need("name", "");
            need("endpoint", ", which `azure_openai` needs");
        }
        "command" => need("command", ": the program and its arguments, as a list"),
        "http" => need("endpoint", ", which `http` needs"),
        _ => need("name", ""),
    }
    if provider != "command" && given(mapping, "command").is_some() {
        cx.at("command", |cx| {
            let place = key_place(mapping, "command");
            cx.warning(
                place,
                "not-acted-on",
                format!("`command` has no effect with provider `{provider}`"),
            );
        });
    }
}

pub(super) fn claude(cx: &mut Cx<'_>, _: &World<'_>, mapping: &Mapping<'_>, record: &Record<'_>) {
    let Some(sources) = record.texts("setting_sources") else {
        return;
    };
    if sources.len() > 1 && sources.iter().any(|s| s == "all") {
        cx.at("setting_sources", |cx| {
            cx.error(
                key_place(mapping, "setting_sources"),
                "both-given",
                "`all` stands alone",
            );
        });
    }
}

pub(super) fn subagent(cx: &mut Cx<'_>, _: &World<'_>, mapping: &Mapping<'_>, _: &Record<'_>) {
    exactly_one(cx, mapping, "prompt", "prompt_file");
}

/// Settings that the chosen metric does not use.
pub(super) fn standard_metric(
    cx: &mut Cx<'_>,
    _: &World<'_>,
    mapping: &Mapping<'_>,
    record: &Record<'_>,
) {
    const JUDGED: [&str; 5] = [
        "model",
        "retry_on_failure",
        "timeout_ms",
        "custom_prompt",
        "samples",
    ];
    const EQUALITY: [&str; 3] = ["case_insensitive", "strip_whitespace", "strip_punctuation"];
    const NUMERIC: [&str; 5] = [
        "absolute_tolerance",
        "relative_tolerance",
        "accept_percent",
        "accept_thousands_separators",
        "extract",
    ];
    let Some(metric) = record.text("metric") else {
        return;
    };
    let unused: Vec<&[&str]> = match metric {
        "equality" => vec![&JUDGED, &NUMERIC],
        "numeric" => vec![&JUDGED, &EQUALITY],
        "bleu" | "rouge" | "meteor" => vec![&JUDGED, &EQUALITY, &NUMERIC],
        _ => vec![&EQUALITY, &NUMERIC],
    };
    for key in unused.into_iter().flatten() {
        if given(mapping, key).is_some() {
            cx.at(*key, |cx| {
                let place = key_place(mapping, key);
                cx.warning(
                    place,
                    "not-acted-on",
                    format!("`{metric}` does not use `{key}`"),
                );
            });
        }
    }
}

/// Single turn or several (rule L5).
pub(super) fn case(cx: &mut Cx<'_>, _: &World<'_>, mapping: &Mapping<'_>, _: &Record<'_>) {
    const ON_TURNS: [&str; 5] = [
        "input",
        "ground_truth",
        "expected_tools",
        "files",
        "retrieval_context",
    ];
    if given(mapping, "turns").is_none() {
        if given(mapping, "input").is_none() {
            cx.error(
                mapping.node(),
                "missing-key",
                "has neither `input` nor `turns`",
            )
            .hint = Some("write `input` for a single turn, `turns` for a conversation".to_owned());
        }
        return;
    }
    for key in ON_TURNS {
        if given(mapping, key).is_some() {
            cx.at(key, |cx| {
                let place = key_place(mapping, key);
                cx.error(
                    place,
                    "beside-turns",
                    format!("`{key}` may not stand beside `turns`"),
                )
                .hint = Some(format!("move `{key}` onto a turn"));
            });
        }
    }
}

pub(super) fn file_input(cx: &mut Cx<'_>, _: &World<'_>, mapping: &Mapping<'_>, _: &Record<'_>) {
    exactly_one(cx, mapping, "path", "url");
}
