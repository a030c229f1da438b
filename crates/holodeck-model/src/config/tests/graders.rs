//! Graders: every place that names one, what they are told of a turn.

use expect_test::expect;

use super::*;
use crate::plan::MetricSpec;

#[test]
fn every_place_that_names_a_grader_is_told_whatever_else_is_wrong() {
    let loaded = agent(
        "\
execution: {python: venv/bin/python, grader_path: [lib, /opt/graders]}
evaluations: {metrics: [{grader: 'm:f'}, {grader: 'm:off', enabled: false}]}
test_cases:
- {name: one, evaluations: [{type: code, grader: 'm:f'}], turns: [{input: x, evaluations: [{grader: 'm:g'}]}]}
- {input: ' ', evaluations: [{grader: 'm:f', threshold: high}, {grader: 'no colon'}]}
",
    )
    .load();
    assert!(loaded.config.is_none());
    let graders = loaded.graders;
    assert_eq!(graders.references().collect::<Vec<_>>(), ["m:f", "m:g"]);
    expect![[r#"
        agent.yaml:4:34 grader-not-found evaluations.metrics[0].grader: no
        agent.yaml:6:50 grader-not-found one: test_cases[0].evaluations[0].grader: no
        agent.yaml:7:39 grader-not-found test_cases[1]: test_cases[1].evaluations[0].grader: no
    "#]]
    .assert_eq(&told(&graders.missing("m:f", "no")));
    let folders = ["", "lib", "/opt/graders"].map(std::path::PathBuf::from);
    assert_eq!(graders.folders, folders);
    assert_eq!(graders.python, Some("venv/bin/python".into()));
}

#[test]
fn graders_of_a_jsonl_file_are_named_with_its_lines() {
    let line = r#"{"input": "x", "evaluations": [{"grader": "m:f"}]}"#;
    let loaded = agent("test_cases_file: c.jsonl\n")
        .file("c.jsonl", &format!("{line}\n\n{line}\n"))
        .load();
    expect![[r#"
        c.jsonl:1:43 grader-not-found test_cases[0]: test_cases[0].evaluations[0].grader: no
        c.jsonl:3:43 grader-not-found test_cases[1]: test_cases[1].evaluations[0].grader: no
    "#]]
    .assert_eq(&told(&loaded.graders.missing("m:f", "no")));
}

#[test]
fn a_secret_in_the_cause_is_masked() {
    let loaded = agent("evaluations: {metrics: [{grader: 'm:f', name: '${API_KEY}'}]}\n")
        .var("API_KEY", "hunter2hunter2")
        .load();
    let told = told(&loaded.graders.missing("m:f", "KeyError: hunter2hunter2"));
    assert!(told.contains("KeyError: ***"), "{told}");
}

#[test]
fn code_metrics_run_without_ground_truth_under_their_functions_name() {
    let config = agent(
        "test_cases: [{input: x, evaluations: [{grader: 'a.b:f', threshold: 0.7}, {grader: 'c:f', timeout_ms: 5, fail_on_error: true}]}]\n",
    )
    .config();
    let cases = all(&config);
    let metrics = &cases[0].turns[0].metrics;
    let told: Vec<_> = metrics
        .iter()
        .map(|m| match &m.spec {
            MetricSpec::Code(code) => format!(
                "{} {} {} {} {}",
                m.name,
                code.grader,
                code.timeout_ms,
                m.fail_on_error,
                m.grades(false)
            ),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(told, ["f a.b:f 30000 false true", "f (2) c:f 5 true true"]);
}

#[test]
fn graders_are_told_the_turns_other_keys_with_its_free_form_ones_over_them() {
    let config = agent(
        "\
evaluations: {metrics: [{grader: 'm:f'}]}
test_cases:
- turns:
  - input: x
    ground_truth: g
    expected_tools: [a, {name: b, args: {n: 1.10, s: {fuzzy: '7'}}, count: 2}]
    retrieval_context: [c]
    turn_config: {turn_program: 'add(1, 2)', files: mine}
    files: []
  - {input: x, evaluations: [{metric: equality}], turn_config: {k: 1}}
- {input: x, expected_tools: [a], evaluations: [{grader: 'm:f', threshold: 0.50}]}
",
    )
    .config();
    let told = |case: usize, turn: usize| {
        let config = all(&config)[case].turns[turn].turn_config.clone();
        config.map(|object| holodeck_value::Value::Object(object).to_json())
    };
    expect![[r#"{"expected_tools":["a",{"name":"b","args":{"n":1.10,"s":{"fuzzy":"7"}},"count":2}],"files":"mine","turn_program":"add(1, 2)"}"#]]
        .assert_eq(&told(0, 0).unwrap());
    assert_eq!(told(0, 1), None, "no grader asks");
    expect![[r#"{"expected_tools":["a"],"evaluations":[{"grader":"m:f","threshold":0.50}]}"#]]
        .assert_eq(&told(1, 0).unwrap());
}
