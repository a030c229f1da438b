//! Rules of declared tools.

use super::{exactly_one, given, key_place};
use crate::shape::check::World;
use crate::shape::leaf::cut;
use crate::shape::{Checked, Record};
use crate::yaml::{Cx, Mapping};

pub(in crate::shape) fn mcp(
    cx: &mut Cx<'_>,
    _: &World<'_>,
    mapping: &Mapping<'_>,
    record: &Record<'_>,
) {
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

pub(in crate::shape) fn vectorstore(
    cx: &mut Cx<'_>,
    _: &World<'_>,
    mapping: &Mapping<'_>,
    _: &Record<'_>,
) {
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

pub(in crate::shape) fn hierarchical_document(
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

pub(in crate::shape) fn prompt(
    cx: &mut Cx<'_>,
    _: &World<'_>,
    mapping: &Mapping<'_>,
    record: &Record<'_>,
) {
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

pub(in crate::shape) fn keyword_index(
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
