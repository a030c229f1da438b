//! What fields of one object ask of each other.

use super::check::{World, missing};
use super::leaf::cut;
use super::{Checked, ObjectShape, Record};
use crate::yaml::{Cx, Mapping, Node};

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

/// agent.yaml as a whole.
pub(super) fn agent(
    cx: &mut Cx<'_>,
    world: &World<'_>,
    mapping: &Mapping<'_>,
    record: &Record<'_>,
) {
    let provider = given(mapping, "model").and_then(|model| model.entry("provider")?.text());
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
    let mut seen: Vec<(&str, Node<'_>)> = Vec::new();
    for tool in tools.iter().filter_map(Checked::as_record) {
        let Some(name) = tool.text("name") else {
            continue;
        };
        match seen.iter().find(|(other, _)| *other == name) {
            Some((_, first)) => {
                let first = first.place();
                let error = cx.error(
                    tool.node(),
                    "duplicate-tool",
                    format!("a second tool is called `{}`", cut(name)),
                );
                error
                    .related
                    .push((first, "the first one is here".to_owned()));
            }
            None => seen.push((name, tool.node())),
        }
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

pub(super) fn mcp(cx: &mut Cx<'_>, _: &World<'_>, mapping: &Mapping<'_>, record: &Record<'_>) {
    if given(mapping, "transport").is_some() && record.text("transport").is_none() {
        return;
    }
    let transport = record.text_or_default("transport").unwrap_or("stdio");
    if transport == "stdio" {
        if given(mapping, "command").is_none() {
            cx.at("command", |cx| {
                cx.error(
                    mapping.node(),
                    "missing-key",
                    "`command` is missing, which `transport: stdio` needs",
                );
            });
        }
        return;
    }
    match given(mapping, "url") {
        None => cx.at("url", |cx| {
            let message = format!("`url` is missing, which `transport: {transport}` needs");
            cx.error(mapping.node(), "missing-key", message);
        }),
        Some(node) => {
            if let Some(url) = record.text("url").filter(|url| !safe_url(url)) {
                cx.at("url", |cx| {
                    let message = format!("`{}` is not a safe address", cut(url));
                    cx.error(node, "bad-url", message).hint = Some(
                        "use https or wss; http and ws are for servers on this machine".to_owned(),
                    );
                });
            }
        }
    }
}

/// Encrypted, or a server on this machine: the host is compared whole, not as a prefix.
fn safe_url(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else {
        return false;
    };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host_port = authority.rsplit('@').next().unwrap_or_default();
    let host = match host_port.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => host_port.split(':').next().unwrap_or_default(),
    };
    let here = matches!(
        host.to_ascii_lowercase().as_str(),
        "localhost" | "127.0.0.1" | "::1"
    );
    match scheme.to_ascii_lowercase().as_str() {
        "https" | "wss" => !host.is_empty(),
        "http" | "ws" => here,
        _ => false,
    }
}

pub(super) fn vectorstore(cx: &mut Cx<'_>, _: &World<'_>, mapping: &Mapping<'_>, _: &Record<'_>) {
    if given(mapping, "vector_field").is_some() && given(mapping, "id_field").is_none() {
        cx.at("id_field", |cx| {
            cx.error(
                mapping.node(),
                "missing-key",
                "`id_field` is missing, which `vector_field` needs",
            );
        });
    }
}

pub(super) fn hierarchical_document(
    cx: &mut Cx<'_>,
    _: &World<'_>,
    mapping: &Mapping<'_>,
    record: &Record<'_>,
) {
    const WEIGHTS: [&str; 3] = ["semantic_weight", "keyword_weight", "exact_weight"];
    if record.flag("enable_reranking") && given(mapping, "reranker_model").is_none() {
        cx.at("reranker_model", |cx| {
            cx.error(
                mapping.node(),
                "missing-key",
                "`reranker_model` is missing, which `enable_reranking` needs",
            );
        });
    }
    let unread = |key: &&str| given(mapping, key).is_some() && record.get(key).is_none();
    if WEIGHTS.iter().chain(&["search_mode"]).any(unread)
        || record.text_or_default("search_mode") != Some("hybrid")
    {
        return;
    }
    let weights: Vec<f64> = WEIGHTS
        .iter()
        .filter_map(|key| Some(record.number(key)?.as_f64()))
        .collect();
    let sum: f64 = weights.iter().sum();
    if (sum - 1.0).abs() > 1e-6 + f64::EPSILON {
        let place = WEIGHTS
            .iter()
            .find_map(|key| mapping.key_node(key))
            .unwrap_or(mapping.node());
        let message = format!(
            "the three weights sum to {}, not to 1",
            (sum * 1e6).round() / 1e6
        );
        cx.error(place, "weights-sum", message).hint =
            Some("`semantic_weight`, `keyword_weight` and `exact_weight` count with their defaults 0.5, 0.3 and 0.2".to_owned());
    }
}

pub(super) fn prompt(cx: &mut Cx<'_>, _: &World<'_>, mapping: &Mapping<'_>, record: &Record<'_>) {
    exactly_one(cx, mapping, "template", "file");
    if let Some(Checked::Map(entries)) = record.get("parameters")
        && mapping
            .get("parameters")
            .is_some_and(|p| p.written_entries().len() == 0)
        && entries.is_empty()
    {
        cx.at("parameters", |cx| {
            cx.error(
                key_place(mapping, "parameters"),
                "too-few",
                "must have at least 1 entry",
            );
        });
    }
}

pub(super) fn keyword_index(
    cx: &mut Cx<'_>,
    _: &World<'_>,
    mapping: &Mapping<'_>,
    record: &Record<'_>,
) {
    if record.text("provider") != Some("opensearch") {
        return;
    }
    for key in ["endpoint", "index_name"] {
        if given(mapping, key).is_none() {
            cx.at(key, |cx| {
                cx.error(
                    mapping.node(),
                    "missing-key",
                    format!("`{key}` is missing, which `opensearch` needs"),
                );
            });
        }
    }
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

pub(super) fn scripted_case(cx: &mut Cx<'_>, _: &World<'_>, mapping: &Mapping<'_>, _: &Record<'_>) {
    exactly_one(cx, mapping, "turns", "open_error");
}

pub(super) fn scripted_turn(cx: &mut Cx<'_>, _: &World<'_>, mapping: &Mapping<'_>, _: &Record<'_>) {
    if given(mapping, "message").is_some() && given(mapping, "fault").is_none() {
        cx.at("message", |cx| {
            let place = key_place(mapping, "message");
            cx.error(
                place,
                "missing-key",
                "`message` is what a `fault` says, and there is none",
            );
        });
    }
    let nothing = ["response", "tool_calls", "fault"]
        .iter()
        .all(|key| given(mapping, key).is_none());
    if nothing {
        cx.error(
            mapping.node(),
            "missing-key",
            "has neither `response`, `tool_calls` nor `fault`",
        );
    }
}

pub(super) fn scripted_tool_call(
    cx: &mut Cx<'_>,
    _: &World<'_>,
    mapping: &Mapping<'_>,
    _: &Record<'_>,
) {
    if given(mapping, "error").is_some() && given(mapping, "result").is_some() {
        let place = key_place(mapping, "error");
        cx.error(
            place,
            "both-given",
            "has both `result` and `error`, at most one is wanted",
        );
    }
}

pub(super) fn scripted_usage(
    cx: &mut Cx<'_>,
    _: &World<'_>,
    mapping: &Mapping<'_>,
    record: &Record<'_>,
) {
    let number = |key: &str| Some(record.number(key)?.as_u64());
    let (Some(prompt), Some(completion), Some(total)) = (
        number("prompt_tokens"),
        number("completion_tokens"),
        number("total_tokens"),
    ) else {
        return;
    };
    let parts = prompt.zip(completion).and_then(|(a, b)| a.checked_add(b));
    if parts.is_none_or(|parts| total.is_some_and(|total| total < parts)) {
        cx.at("total_tokens", |cx| {
            let place = key_place(mapping, "total_tokens");
            cx.error(
                place,
                "out-of-range",
                "is less than `prompt_tokens` and `completion_tokens` together",
            );
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_may_be_reached_in_the_clear() {
        for url in [
            "https://x",
            "wss://x/y",
            "http://localhost:1/x",
            "HTTP://LOCALHOST",
            "ws://127.0.0.1",
            "http://[::1]:8/",
        ] {
            assert!(safe_url(url), "{url}");
        }
        for url in [
            "http://localhost.evil.example/x",
            "http://localhost@evil.example/",
            "http://localhost:80@evil.example/",
            "http://evil.example\\@localhost/",
            "ftp://localhost",
            "https://",
            "localhost",
        ] {
            assert!(!safe_url(url), "{url}");
        }
    }
}
