//! Files that nobody means to write.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{agent, all};
use crate::select::{Selection, plan};

const RICH: &str = "\
description: &d \"a: ${VAR} b\"
instructions: {inline: *d}
tools: [{type: mcp, name: m, description: d, command: npx, args: [x], env: {A_KEY: b}}]
evaluations:
  model: {provider: openai, name: x}
  metrics: [{type: standard, metric: numeric, absolute_tolerance: 0.01, extract: {regex: \"(\\\\d+)\"}}]
execution: {llm_timeout: 5, parallel_test_cases: 2}
test_cases:
- name: one
  turns:
  - &t {input: x, ground_truth: \"1,234\"}
  - {<<: *t, expected_tools: [f, {name: g, args: {a: 1e3, b: {fuzzy: \"1\"}, c: {regex: \"^x$\"}, d: [1, {e: ~}]}, count: 2}]}
- {input: y, evaluations: [{type: code, grader: \"a:b\"}], files: [{url: u, type: pdf, pages: [1]}]}
";
const LINE: &str = r#"{"name": "a", "turns": [{"input": "x", "expected_tools": [{"name": "f", "args": {"a": 1.0}}], "turn_config": {"k": [1]}}]}"#;

/// The text with some of its characters taken out, doubled or replaced.
fn mutated(text: &str, changes: &[(usize, u8, char)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (at, what, c) in changes {
        let at = at % chars.len().max(1);
        match what {
            0 if !chars.is_empty() => drop(chars.remove(at)),
            1 => chars.insert(at.min(chars.len()), *c),
            2 => chars.truncate(at),
            3 => {
                let tail = chars[at..].to_vec();
                chars.splice(at..at, tail.into_iter().take(40));
            }
            _ if !chars.is_empty() => chars[at] = *c,
            _ => {}
        }
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_file_breaks_the_loader(
        changes in prop::collection::vec((any::<usize>(), 0..6_u8, prop::char::any()), 0..6),
        marks in prop::collection::vec((any::<usize>(), Just(1_u8), prop::sample::select("{}[]:,&*!|>'\"%@-#?\n ".chars().collect::<Vec<_>>())), 0..4),
    ) {
        let changes = [changes, marks].concat();
        let loads = [
            agent(&mutated(RICH, &changes)).var("VAR", "v"),
            agent("test_cases_file: c.jsonl\n").file("c.jsonl", &mutated(&format!("{LINE}\n{LINE}"), &changes)),
        ];
        for load in loads {
            let (config, diags) = load.read();
            prop_assert!(config.is_some() || !diags.is_empty());
            if let Some(config) = config {
                plan(&config, &Selection::default());
                all(&config);
            }
        }
    }
}

#[test]
fn long_lists_of_mistakes_and_names_are_read_in_time() {
    let mut unknown = String::new();
    let mut tools = String::from("tools:\n");
    let mut metrics = String::new();
    for i in 0..20_000 {
        let _ = writeln!(unknown, "key{i}: 1");
        let _ = writeln!(
            tools,
            "- {{type: prompt, name: t{i}, description: d, template: t, parameters: {{a: {{}}}}}}"
        );
        metrics.push_str("{metric: numeric}, ");
    }
    let (_, diags) = agent(&format!("{unknown}{tools}")).read();
    assert_eq!(diags.len(), 10_001);
    let config = agent(&format!(
        "test_cases: [{{input: x, evaluations: [{metrics}]}}]\n"
    ))
    .config();
    assert_eq!(
        all(&config)[0].turns[0].metrics[19_999].name,
        "numeric (20000)"
    );
    let lines = "{}\n".repeat(10_005);
    let (_, diags) = agent("test_cases_file: c.jsonl\n")
        .file("c.jsonl", &lines)
        .read();
    assert_eq!(diags.len(), 10_001);
}
