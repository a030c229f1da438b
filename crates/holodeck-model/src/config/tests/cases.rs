//! Test cases: metrics, identity, what they need, what is advised.

use std::sync::Arc;

use expect_test::expect;

use super::{agent, all, told};
use crate::config::Config;
use crate::plan::OnTurnFailure;
use crate::select::{Selection, plan};

fn metric_names(config: &Config, case: usize, turn: usize) -> String {
    let case = &all(config)[case];
    case.turns[turn]
        .metrics
        .iter()
        .map(|m| m.name.clone())
        .collect::<Vec<_>>()
        .join(", ")
}

#[test]
fn the_most_specific_list_of_metrics_replaces_the_others() {
    let config = agent(
        "\
evaluations: {metrics: [{metric: numeric}, {metric: equality, enabled: no}]}
test_cases:
- {input: x}
- turns: [{input: x}, {input: x, evaluations: []}, {input: x, evaluations: [{metric: equality}]}]
- {evaluations: [{metric: bleu, name: b}], turns: [{input: x}, {input: x, evaluations: null}]}
",
    )
    .config();
    assert_eq!(metric_names(&config, 0, 0), "numeric");
    assert_eq!(metric_names(&config, 1, 0), "numeric");
    assert_eq!(metric_names(&config, 1, 1), "");
    assert_eq!(metric_names(&config, 1, 2), "equality");
    assert_eq!(metric_names(&config, 2, 0), "b");
    assert_eq!(metric_names(&config, 2, 1), "b");
    let cases = all(&config);
    assert!(Arc::ptr_eq(
        &cases[0].turns[0].metrics,
        &cases[1].turns[0].metrics
    ));
}

#[test]
fn metrics_of_one_name_are_told_apart() {
    let metric = "{metric: numeric}";
    let named = "{metric: equality, name: numeric (2)}";
    let code = "{grader: 'a.b:f'}, {grader: 'c:f'}";
    let list = format!("[{metric}, {named}, {metric}, {metric}, {code}]");
    let config = agent(&format!(
        "test_cases: [{{input: x, evaluations: {list}}}]\n"
    ))
    .config();
    assert_eq!(
        metric_names(&config, 0, 0),
        "numeric, numeric (2), numeric (3), numeric (4), f, f (2)"
    );
}

#[test]
fn identity_is_the_name_or_the_content_and_a_number() {
    let id = |config: &Config, i: usize| {
        let case = &all(config)[i];
        (case.id.key.clone(), case.id.occurrence)
    };
    let yaml = agent("test_cases:\n- {name: a, input: x}\n- {input: x, ground_truth: y}\n- {name: a, input: z}\n- {ground_truth: \"y\", input: x, name: null}\n").config();
    assert_eq!(id(&yaml, 0), ("a".to_owned(), 0));
    assert_eq!(id(&yaml, 2), ("a".to_owned(), 1));
    let (key, _) = id(&yaml, 1);
    assert!(key.starts_with("sha256:") && key.len() == 23, "{key}");
    assert_eq!(id(&yaml, 3), (key.clone(), 1));
    let jsonl = agent("test_cases_file: c.jsonl\n")
        .file(
            "c.jsonl",
            "{\"input\": \"x\", \"ground_truth\": \"y\"}\n{\"input\": \"x\"}",
        )
        .config();
    assert_eq!(id(&jsonl, 0), (key.clone(), 0));
    assert_ne!(id(&jsonl, 1).0, key);
}

#[test]
fn a_turn_that_fails_stops_where_the_case_or_the_settings_say_so() {
    let config = agent("execution: {on_turn_failure: stop}\ntest_cases: [{input: x}, {input: x, on_turn_failure: continue}]\n").config();
    let says = |i: usize| all(&config)[i].on_turn_failure;
    assert_eq!(
        (says(0), says(1)),
        (OnTurnFailure::Stop, OnTurnFailure::Continue)
    );
}

#[test]
fn what_can_not_be_run_is_named_place_by_place_for_the_selected_cases_only() {
    let config = agent(
        "\
evaluations:
  metrics: [{metric: numeric}, {metric: bleu}]
test_cases:
- {name: plain, turns: [{input: x, evaluations: []}]}
- {name: agent level, turns: [{input: x}, {input: x}]}
- {name: own, turns: [{input: x, evaluations: [{metric: numeric}, {grader: 'm:f'}, {metric: rouge, enabled: false}]}]}
- {name: case level, repeat: 2, evaluations: [{type: geval, name: g, criteria: c}], turns: [{input: x}, {input: x}]}
",
    )
    .config();
    let needs = |filter: &str| {
        let filters = if filter.is_empty() {
            Vec::new()
        } else {
            vec![filter.parse().unwrap()]
        };
        told(
            &plan(
                &config,
                &Selection {
                    filters,
                    limit: None,
                },
            )
            .needs,
        )
    };
    expect![[r#"
        agent.yaml:4:32 not-supported-yet evaluations.metrics[1]: this version does not run the metric `bleu` [`enabled: false` switches it off]
        agent.yaml:9:30 not-supported-yet case level: test_cases[3].repeat: `repeat` asks for more than this version does: it plays each test case once
        agent.yaml:9:47 not-supported-yet case level: test_cases[3].evaluations[0]: this version does not run the metric `geval` [`enabled: false` switches it off]
    "#]].assert_eq(&needs(""));
    assert_eq!(needs("plain"), "");
    expect![[r#"
        agent.yaml:4:32 not-supported-yet evaluations.metrics[1]: this version does not run the metric `bleu` [`enabled: false` switches it off]
    "#]].assert_eq(&needs("agent"));
}

#[test]
fn filters_and_the_limit_choose_in_file_order() {
    let config = agent("test_cases: [{name: a, input: x}, {input: x}, {name: ab, input: x}, {name: b, input: x}]\n").config();
    let filters = vec!["a".parse().unwrap(), "!ab".parse().unwrap()];
    let planned = plan(
        &config,
        &Selection {
            filters,
            limit: Some(1),
        },
    );
    assert_eq!(
        (
            planned.n_cases,
            planned.n_selected,
            planned.plan.cases.len()
        ),
        (4, 2, 1)
    );
    let filters = vec!["test_cases[1]".parse().unwrap()];
    let planned = plan(
        &config,
        &Selection {
            filters,
            limit: None,
        },
    );
    assert_eq!(planned.plan.cases.get(0).unwrap().index, 1);
}

#[test]
fn what_is_probably_not_meant_is_said() {
    let load = agent(
        "\
tools:
- {type: prompt, name: sub, description: d, template: t, parameters: {a: {}}}
- {type: prompt, name: subtract, description: d, template: t, parameters: {a: {}}}
evaluations: {metrics: [{metric: numeric}]}
test_cases:
- {name: c, turns: [{input: x, ground_truth: \"yes\", expected_tools: [sub]}, {input: x}, {input: x, expected_tools: [sub]}]}
- {name: d, turns: [{input: x, ground_truth: \"14%\"}, {input: x, ground_truth: \"yes\", evaluations: [{metric: equality}]}]}
- {input: x, expected_tools: [{name: f, args: {a: {fuzy: \"1\"}, b: {mode: fast}}}]}
",
    );
    let (config, diags) = load.read();
    expect![[r#"
        agent.yaml:8:46 (warning) unreadable-ground-truth c: test_cases[0].turns[0].ground_truth: `numeric` can't pass on this turn: `yes` is not a number [give the turn `evaluations` of its own, such as `equality`]
        agent.yaml:9:46 (warning) unreadable-ground-truth d: test_cases[1].turns[0].ground_truth: `numeric` can't pass on this turn: `14%` has a `%`; set `accept_percent: true` to read it
        agent.yaml:10:52 (warning) near-matcher test_cases[2]: test_cases[2].expected_tools[0].args.a: `{fuzy: ..}` is compared as a literal mapping [did you mean `fuzzy`?]
    "#]].assert_eq(&told(&diags));
    expect![[r#"
        agent.yaml:8:70 (warning) ambiguous-tool-name c: test_cases[0].turns[0].expected_tools[0]: `sub` is part of the names of several tools: `sub`, `subtract` [a call to any of them satisfies it]
        agent.yaml:8:3 (warning) nothing-asserted c: test_cases[0]: nothing is asserted on turns[1]
    "#]].assert_eq(&told(config.unwrap().advice()));
}

#[test]
fn what_is_merged_counts_as_written() {
    let yaml = "\
name: a
model: {<<: {provider: scripted}, name: r.yaml}
evaluations: {metrics: [{metric: numeric}]}
test_cases:
- {input: x, <<: {ground_truth: about ten}}
";
    super::Load::default()
        .file("agent.yaml", yaml)
        .check(&expect![[r#"
            agent.yaml:5:3 (warning) unreadable-ground-truth test_cases[0]: test_cases[0].ground_truth: `numeric` can't pass on this turn: `about ten` is not a number [give the turn `evaluations` of its own, such as `equality`]
        "#]]);
}

#[test]
fn a_colon_without_a_blank_is_pointed_at() {
    agent("test_cases:\n- {input: x, expected_tools: [{name: f, args: {a:1, b: {fuzzy:x}, c: null}}]}\n")
        .check(&expect![[r#"
            agent.yaml:4:48 (warning) glued-colon test_cases[0]: test_cases[0].expected_tools[0].args: `a:1` is one key, without a value [write `a: 1`]
            agent.yaml:4:57 (warning) glued-colon test_cases[0]: test_cases[0].expected_tools[0].args.b: `fuzzy:x` is one key, without a value [write `fuzzy: x`]
        "#]]);
}
