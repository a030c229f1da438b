//! Whole conversations, played by the program: sessions and faults (X2 to X4), passing (V1), roll-up (V2), fields of the report (V3a).
//!
//! A vector's id says what is scripted; what it leaves open is filled in here.

use holodeck_tests::suite::{self, Played};
use holodeck_tests::vector::Vector;
use serde_json::{Value, json};

mod witness;

/// One vector.
pub(crate) fn check(vector: &Vector) -> Result<(), String> {
    let input = parsed(&vector.input);
    let expected = parsed(&vector.expected);
    let id = vector.id.strip_prefix("run_rules-").unwrap_or(&vector.id);
    let (kind, _) = id.split_once('_').unwrap_or((id, ""));
    match kind {
        "session-09" | "session-10" | "fields-10" => witness::check(kind, &expected),
        "pass-10" => timeout(&input, &expected),
        "session-08" => unopened(&expected),
        _ if id.starts_with("pass-") => one_turn(&input, &expected),
        _ if id.starts_with("session-") => script(&input, &expected),
        _ if id.starts_with("rollup-") => rollup(kind, &input, &expected),
        _ if id.starts_with("fields-") => fields(kind, &input, &expected),
        "single-01" => single(
            &json!({"input": "q", "ground_truth": "5", "expected_tools": ["s"]}),
            &json!({"response": "5", "tool_calls": [{"name": "s", "args": {}}]}),
            &expected,
        ),
        "single-03" => single(&json!({"input": "q"}), &json!({"response": "5"}), &expected),
        _ => Err("nothing in tests/vectors/run_rules.rs plays it".to_owned()),
    }
}

fn parsed(value: &holodeck_value::Value) -> Value {
    serde_json::from_str(&value.to_json()).expect("a value is JSON")
}

/// A case of these turns and the turns that answer it.
fn play(turns: &Value, replies: &Value, more: &Value) -> Played {
    let mut case = json!({"name": "c", "turns": turns});
    if let (Some(case), Some(evaluations)) = (case.as_object_mut(), more.get("of_the_case")) {
        case.insert("evaluations".to_owned(), evaluations.clone());
    }
    let mut more = more.clone();
    if let Some(more) = more.as_object_mut() {
        more.remove("of_the_case");
    }
    let agent = suite::agent(&json!([case]), &more);
    suite::play(&agent, &json!({"cases": {"c": replies}}), &[])
}

fn numeric_everywhere() -> Value {
    json!({"evaluations": {"metrics": [{"type": "standard", "metric": "numeric"}]}})
}

fn one_turn(input: &Value, expected: &Value) -> Result<(), String> {
    let mut turn = json!({"input": "q"});
    for (from, to) in [("ground_truth", "ground_truth"), ("metrics", "evaluations")] {
        if let Some(value) = input.get(from).filter(|value| !value.is_null()) {
            turn[to] = value.clone();
        }
    }
    let response = input.get("response").cloned().unwrap_or(json!("x"));
    let played = play(&json!([turn]), &json!([{"response": response}]), &json!({}));
    same(expected, &turn_seen(&played.case(0)?["turns"][0]))
}

fn timeout(input: &Value, expected: &Value) -> Result<(), String> {
    let played = play(
        &json!([{"input": "a"}, {"input": "b"}]),
        &json!([{"response": "late", "delay_ms": 3000}, {"response": "ok"}]),
        &json!({"execution": {"llm_timeout": input["llm_timeout"]}}),
    );
    same(expected, &case_seen(played.case(0)?))
}

fn script(input: &Value, expected: &Value) -> Result<(), String> {
    let words = input["script"].as_array().cloned().unwrap_or_default();
    let in_band =
        json!({"response": "", "fault": "error", "message": "BackendSessionError: said the agent"});
    let replies: Vec<Value> = words
        .iter()
        .map(|word| match word.as_str() {
            Some("session-error") => json!({"fault": "session_error"}),
            Some("runtime-error") => json!({"fault": "error"}),
            Some("ok" | "-") => json!({"response": "ok"}),
            _ => in_band.clone(),
        })
        .collect();
    let turns = vec![json!({"input": "q"}); words.len()];
    let played = play(&json!(turns), &json!(replies), &json!({}));
    same(expected, &case_seen(played.case(0)?))
}

fn unopened(expected: &Value) -> Result<(), String> {
    let cases =
        json!([{"name": "a", "turns": [{"input": "q"}]}, {"name": "b", "turns": [{"input": "q"}]}]);
    let replies =
        json!({"cases": {"a": {"open_error": "no seat left"}, "b": [{"response": "ok"}]}});
    let played = suite::play(&suite::agent(&cases, &json!({})), &replies, &[]);
    let seen = |i: usize| {
        Ok::<_, String>(json!([
            played.case(i)?["test_name"],
            played.case(i)?["passed"]
        ]))
    };
    same(expected, &json!({"results": [seen(0)?, seen(1)?]}))
}

fn rollup(kind: &str, input: &Value, expected: &Value) -> Result<(), String> {
    let equality = || json!({"type": "standard", "metric": "equality"});
    let numeric = |tolerance: &Value| json!({"type": "standard", "metric": "numeric", "absolute_tolerance": tolerance});
    let call = |name: &str| json!({"response": "x", "tool_calls": [{"name": name, "args": {}}]});
    let silent = || json!({"response": "x"});
    let played = match kind {
        "rollup-01" | "rollup-02" => {
            let scores = input["turn_scores"].as_array().cloned().unwrap_or_default();
            let turns: Vec<Value> = scores
                .iter()
                .map(|score| match score {
                    Value::Null => json!({"input": "q"}),
                    _ => json!({"input": "q", "ground_truth": "1"}),
                })
                .collect();
            let replies: Vec<Value> = scores
                .iter()
                .map(|score| json!({"response": score.as_u64().unwrap_or(7).to_string()}))
                .collect();
            play(&json!(turns), &json!(replies), &numeric_everywhere())
        }
        "rollup-03" => play(
            &json!([{"input": "q"}]),
            &json!([silent()]),
            &numeric_everywhere(),
        ),
        "rollup-05" | "rollup-06" => {
            let mut turn = json!({"input": "q", "ground_truth": "5"});
            if kind == "rollup-06" {
                turn["evaluations"] = json!([{"type": "standard", "metric": "numeric"}]);
            }
            let mut more = numeric_everywhere();
            more["of_the_case"] = json!([equality()]);
            play(&json!([turn]), &json!([{"response": "5.0"}]), &more)
        }
        "rollup-08" => play(
            &json!([{"input": "q", "expected_tools": ["s"]}, {"input": "q"}, {"input": "q", "expected_tools": ["s"]}]),
            &json!([call("s"), silent(), call("s")]),
            &json!({}),
        ),
        "rollup-10" => play(
            &json!([{"input": "q"}, {"input": "q", "expected_tools": ["s"]}]),
            &json!([call("s"), silent()]),
            &json!({}),
        ),
        "rollup-12" => play(
            &json!([
                {"input": "q", "ground_truth": "5"},
                {"input": "q", "ground_truth": "5", "evaluations": [numeric(&input["turn1"]["numeric"])]},
            ]),
            &json!([{"response": "6"}, {"response": "6"}]),
            &json!({"evaluations": {"metrics": [numeric(&input["agent"]["numeric"])]}}),
        ),
        "rollup-16" => play(
            &json!([{"input": "q", "ground_truth": input["ground_truth"]}]),
            &json!([{"response": input["response"]}]),
            &numeric_everywhere(),
        ),
        "rollup-17" => {
            let metrics: Vec<Value> = input["turn"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|entry| numeric(&entry["numeric"]))
                .collect();
            play(
                &json!([{"input": "q", "ground_truth": "5", "evaluations": metrics}]),
                &json!([{"response": "6"}]),
                &json!({}),
            )
        }
        _ => return Err(format!("nothing plays {kind}")),
    };
    let case = played.case(0)?;
    let mut seen = case_seen(case);
    seen["metrics"] = json!(metrics_seen(&case["metric_results"]));
    seen["passed"] = case["passed"].clone();
    seen["tools_matched"] = case["tools_matched"].clone();
    seen["error_present"] = json!(!case["turns"][0]["metric_results"][0]["error"].is_null());
    expected_part(expected, &seen)
}

fn fields(kind: &str, input: &Value, expected: &Value) -> Result<(), String> {
    let expecting = |name: &str| json!({"input": "q", "expected_tools": [name]});
    let ok = || json!({"response": "ok"});
    let played = match kind {
        "fields-01" => {
            let turns: Vec<Value> = input["inputs"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|text| json!({"input": text, "ground_truth": text}))
                .collect();
            play(
                &json!(turns),
                &json!([{"response": "1"}, {"response": "2"}]),
                &json!({}),
            )
        }
        "fields-03" => play(
            &json!([{"input": "q"}]),
            &json!([{"response": "late", "delay_ms": 3000}]),
            &json!({"execution": {"llm_timeout": 1}}),
        ),
        "fields-04" => play(
            &json!([expecting("s"), expecting("t")]),
            &json!([ok(), ok()]),
            &json!({}),
        ),
        "fields-05" => play(
            &json!([{"input": "a"}, {"input": "b"}]),
            &json!([ok(), {"fault": "error"}]),
            &json!({}),
        ),
        "fields-07" => play(
            &json!([{"input": "a"}, expecting("s")]),
            &json!([{"fault": "fatal"}, ok()]),
            &json!({}),
        ),
        "fields-08" => {
            let agent = suite::agent(&json!([{"name": "c", "input": "q"}]), &json!({}));
            suite::play(&agent, &json!({"cases": {"c": [ok()]}}), &[])
        }
        "fields-11" => {
            let file = json!({"path": "replies.yaml", "type": "text"});
            play(
                &json!([{"input": "a", "files": [file]}, {"input": "b"}]),
                &json!([ok(), ok()]),
                &json!({}),
            )
        }
        _ => return Err(format!("nothing plays {kind}")),
    };
    let mut seen = played.case(0)?.clone();
    seen["n_processed_files"] = json!(seen["processed_files"].as_array().map_or(0, Vec::len));
    if kind == "fields-07" {
        same(
            expected,
            &json!({"expected_tools": seen["turns"][1]["expected_tools"]}),
        )?;
    }
    expected_part(expected, &seen)
}

fn single(case: &Value, reply: &Value, expected: &Value) -> Result<(), String> {
    let agent = suite::agent(&json!([case]), &numeric_everywhere());
    let played = suite::play(&agent, &json!({"default": [reply]}), &[]);
    let case = played.case(0)?;
    let metrics: Vec<Value> = case["metric_results"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|m| {
            json!([
                m["metric_name"],
                m["score"],
                m["passed"],
                !m["error"].is_null()
            ])
        })
        .collect();
    let seen = json!({
        "passed": case["passed"],
        "tools_matched": case["tools_matched"],
        "n_errors": case["errors"].as_array().map_or(0, Vec::len),
        "metrics": metrics,
    });
    same(expected, &seen)
}

fn case_seen(case: &Value) -> Value {
    let turns: Vec<Value> = case["turns"]
        .as_array()
        .into_iter()
        .flatten()
        .map(turn_seen)
        .collect();
    json!({"case_passed": case["passed"], "turns": turns})
}

fn turn_seen(turn: &Value) -> Value {
    json!({
        "passed": turn["passed"],
        "skipped": turn["skipped"],
        "tools_matched": turn["tools_matched"],
        "metrics": metrics_seen(&turn["metric_results"]),
        "n_errors": turn["errors"].as_array().map_or(0, Vec::len),
        "response": turn["response"],
    })
}

fn metrics_seen(metrics: &Value) -> Vec<Value> {
    metrics
        .as_array()
        .into_iter()
        .flatten()
        .map(|m| json!({"name": m["metric_name"], "score": m["score"], "passed": m["passed"]}))
        .collect()
}

/// Holds the keys that are expected against those that were seen.
fn expected_part(expected: &Value, seen: &Value) -> Result<(), String> {
    let keys = expected.as_object().into_iter().flat_map(|o| o.keys());
    let part: serde_json::Map<String, Value> =
        keys.map(|key| (key.clone(), seen[key].clone())).collect();
    same(expected, &Value::Object(part))
}

/// Equal, numbers to 1e-12.
fn same(expected: &Value, seen: &Value) -> Result<(), String> {
    if alike(expected, seen) {
        return Ok(());
    }
    Err(format!("expected {expected}\n    seen {seen}"))
}

fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-12,
            _ => false,
        },
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| alike(a, b)))
        }
        _ => a == b,
    }
}
