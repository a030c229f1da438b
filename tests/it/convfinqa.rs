//! Suites made of ConvFinQA's dialogues: answered from the gold answers they pass, and with every seventh answer off by one they fail exactly there.
//! The data is not ours to keep; where it is not beside the repository, that is said and nothing is run.

use std::path::Path;

use holodeck_model::yaml::{Cx, Dialect, Source, Vars, parse};
use holodeck_tests::outside_data;
use holodeck_tests::program::Folder;
use holodeck_tests::vector::field;
use holodeck_value::{Object, Value};
use serde_json::json;

#[test]
fn a_hundred_dialogues_pass_and_fail_where_they_should() {
    check("convfinqa_test_cases_100.yaml");
}

#[test]
fn a_hundred_dialogues_with_stated_answers_pass_and_fail_where_they_should() {
    check("convfinqa_test_cases_100_stated.yaml");
}

#[test]
fn all_dialogues_pass_and_fail_where_they_should() {
    check("convfinqa_test_cases_all_dev.yaml");
}

fn check(name: &str) {
    let Some(data) = outside_data("convfinqa") else {
        return;
    };
    let text = std::fs::read_to_string(data.join(name)).unwrap();
    let cases = cases(&text);
    assert_eq!(failed_turns(&text, &cases, usize::MAX), Vec::<usize>::new());
    let wrong: Vec<usize> = (0..n_turns(&cases)).filter(|i| i % 7 == 6).collect();
    assert!(!wrong.is_empty());
    assert_eq!(failed_turns(&text, &cases, 7), wrong);
}

/// The test cases of a file, as values.
fn cases(text: &str) -> Vec<Value> {
    let source = Source::new("cases.yaml", text, Dialect::Yaml);
    let mut diags = Vec::new();
    let document = parse(source, &mut Vars::new(&|_| None), &mut diags).unwrap();
    let root = document.root().unwrap();
    let value = Cx::new(&mut diags).value(root).unwrap();
    items(field(&value, "test_cases")).to_vec()
}

fn n_turns(cases: &[Value]) -> usize {
    cases
        .iter()
        .map(|case| items(field(case, "turns")).len())
        .sum()
}

/// Plays the suite, every `nth` answer off by one; gives the numbers of the turns that failed, counted through the file.
fn failed_turns(text: &str, cases: &[Value], nth: usize) -> Vec<usize> {
    let folder = Folder::with(&[
        ("cases.yaml", text),
        (
            "agent.yaml",
            "name: convfinqa\nmodel: {provider: openai, name: gpt-4o}\ninstructions: {inline: hi}\ntest_cases_file: cases.yaml\n",
        ),
    ]);
    write_replies(&folder.path("replies.jsonl"), cases, nth);
    let run = folder.run([
        "test",
        "agent.yaml",
        "--agent",
        "scripted:replies.jsonl",
        "--output",
        "report.json",
        "-q",
    ]);
    run.must_exit(i32::from(nth != usize::MAX));
    let report = folder.json("report.json");
    report["results"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|case| case["turns"].as_array().unwrap())
        .enumerate()
        .filter(|(_, turn)| turn["passed"] != true)
        .map(|(i, _)| i)
        .collect()
}

fn write_replies(path: &Path, cases: &[Value], nth: usize) {
    let mut n = 0;
    let mut lines = String::new();
    for case in cases {
        let mut turns = Vec::new();
        for turn in items(field(case, "turns")) {
            n += 1;
            let answer = field(turn, "ground_truth").as_str().unwrap();
            let response = if n % nth == 0 {
                off_by_one(answer)
            } else {
                answer.to_owned()
            };
            turns.push(json!({"response": response, "tool_calls": calls(turn)}));
        }
        let name = field(case, "name").as_str().unwrap();
        lines += &json!({"case": name, "turns": turns}).to_string();
        lines.push('\n');
    }
    std::fs::write(path, lines).unwrap();
}

/// Calls that satisfy a turn's `expected_tools`.
fn calls(turn: &Value) -> Vec<serde_json::Value> {
    items(field(turn, "expected_tools"))
        .iter()
        .map(|entry| {
            let name = entry.as_str().or(field(entry, "name").as_str()).unwrap();
            let args: Object = field(entry, "args")
                .as_object()
                .into_iter()
                .flat_map(Object::iter)
                .map(|(key, matcher)| (key.to_owned(), argument(matcher)))
                .collect();
            json!({"name": name, "args": args})
        })
        .collect()
}

/// A value that satisfies a matcher. The regexes of these suites are all `(0\.108|0\.109)\d*`.
fn argument(matcher: &Value) -> Value {
    if let Some(regex) = field(matcher, "regex").as_str() {
        let first = regex.trim_start_matches('(').split('|').next().unwrap();
        // One more digit, for a float that ends in 0 is shown without it.
        return Value::from_json(&(first.replace('\\', "") + "1")).unwrap();
    }
    match field(matcher, "fuzzy") {
        Value::Null => matcher.clone(),
        fuzzy => fuzzy.clone(),
    }
}

fn off_by_one(answer: &str) -> String {
    let (number, percent) = answer.strip_suffix('%').map_or((answer, ""), |n| (n, "%"));
    match number.replace(',', "").parse::<f64>() {
        Ok(number) => format!("{}{percent}", number + 1.0),
        Err(_) if answer == "yes" => "no".to_owned(),
        Err(_) => "yes".to_owned(),
    }
}

fn items(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        _ => &[],
    }
}
