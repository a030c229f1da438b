//! The calls of a turn against its `expected_tools` (M5 to M7), as a whole run reports them.

use holodeck_tests::suite;
use holodeck_tests::vector::Vector;
use serde_json::{Value, json};

/// `{expected_tools, calls}`
pub(crate) fn expected_tools(vector: &Vector) -> Result<(), String> {
    let parsed = |value: &holodeck_value::Value| -> Value {
        serde_json::from_str(&value.to_json()).expect("a value is JSON")
    };
    let turn = json!({"input": "q", "expected_tools": parsed(vector.input("expected_tools"))});
    let reply = json!({"response": "x", "tool_calls": parsed(vector.input("calls"))});
    let played = suite::play(
        &suite::agent(&json!([{"name": "c", "turns": [turn]}]), &json!({})),
        &json!({"cases": {"c": [reply]}}),
        &[],
    );
    let expected = parsed(&vector.expected);
    if expected["raises"] == "ConfigError" {
        return match played.run.code {
            Some(2) => Ok(()),
            code => Err(format!("exit {code:?}, expected 2")),
        };
    }
    let turn = &played.case(0)?["turns"][0];
    let details: Vec<Value> = turn["arg_match_details"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|detail| {
            json!({
                "expected_tool": detail["expected_tool"],
                "matched_call_index": detail["matched_call_index"],
                "has_reason": !detail["unmatched_reason"].is_null(),
            })
        })
        .collect();
    let seen = json!({"tools_matched": turn["tools_matched"], "details": details});
    if seen == expected {
        return Ok(());
    }
    Err(format!("expected {expected}\n    seen {seen}"))
}
