//! What the program's end says (V4): each scenario as a whole run.

use holodeck_tests::program::{Folder, Run};
use holodeck_tests::suite;
use holodeck_tests::vector::Vector;
use holodeck_value::Value;
use serde_json::json;

/// `{scenario}`
pub(crate) fn check(vector: &Vector) -> Result<(), String> {
    let run = play(vector.text("scenario"))?;
    let code = run
        .code
        .map_or(Value::Null, |code| Value::Number(i64::from(code).into()));
    vector
        .check(&code)
        .map_err(|problem| format!("{problem}\n{}{}", run.stdout, run.stderr))
}

const HEAD: &str = "\
name: a
model: {provider: scripted, name: replies.yaml}
instructions: {inline: hi}
";

const ANSWERS_5: &str = "default: [{response: '5'}]\n";

fn play(scenario: &str) -> Result<Run, String> {
    let five = "test_cases: [{name: c, turns: [{input: q, ground_truth: '5', evaluations: [{metric: numeric}]}]}]\n";
    let six = five.replace("'5'", "'6'");
    Ok(match scenario {
        "all cases pass" => run(five, ANSWERS_5, &[]),
        "some cases fail" => run(&six, ANSWERS_5, &[]),
        "malformed regex" => run(
            "test_cases: [{turns: [{input: q, expected_tools: [{name: s, args: {a: {regex: '('}}}]}]}]\n",
            ANSWERS_5,
            &[],
        ),
        "turns: []" => run("test_cases: [{turns: []}]\n", ANSWERS_5, &[]),
        "negative tolerance" => run(
            "evaluations: {metrics: [{metric: numeric, absolute_tolerance: -0.1}]}\n",
            ANSWERS_5,
            &[],
        ),
        "${VAR} unset, in a comment only" => {
            run(&format!("# key: ${{NEVER_SET}}\n{five}"), ANSWERS_5, &[])
        }
        "backend refuses connections" => {
            run(five, "cases: {c: {open_error: connection refused}}\n", &[])
        }
        "agent.yaml does not exist" => Folder::new().run(["test", "agent.yaml"]),
        "a 401-digit integer argument meets a literal matcher" => huge_integer(),
        "no test cases" => run("", ANSWERS_5, &[]),
        "markdown report of a failed single-turn case with object-form expected_tools" => {
            return markdown();
        }
        "--output cannot be written, all cases passed" => {
            run(five, ANSWERS_5, &["--output", "agent.yaml/report.json"])
        }
        "evaluations.model set + numeric metric only" => run(
            &format!(
                "evaluations: {{model: {{provider: openai, name: gpt-4o}}, metrics: [{{type: standard, metric: numeric}}]}}\n{five}"
            ),
            ANSWERS_5,
            &[],
        ),
        "--timeout 2, one slow turn and one slow single-turn case" => return slow(),
        "grader module missing" => graded("nowhere:f", ""),
        "fail_on_error grader raises in one single-turn case" => {
            graded("g:raises", "- {name: b, input: q}\n")
        }
        "same in a multi-turn case" => graded("g:raises", "- {name: b, turns: [{input: q}]}\n"),
        "a grader calls sys.exit(7)" => graded("g:leaves", "- {name: b, input: q}\n"),
        _ => return Err("nothing in tests/vectors/exit_codes.rs plays it".to_owned()),
    })
}

fn run(rest: &str, replies: &str, args: &[&str]) -> Run {
    let folder = Folder::with(&[
        ("agent.yaml", &format!("{HEAD}{rest}")),
        ("replies.yaml", replies),
    ]);
    folder.run(["test", "agent.yaml"].iter().chain(args))
}

/// The first case's grader is `grader`; `others` are cases beside it, which are played all the same.
fn graded(grader: &str, others: &str) -> Run {
    let folder = Folder::with(&[
        (
            "agent.yaml",
            &format!(
                "{HEAD}test_cases:\n- {{name: a, input: q, evaluations: [{{grader: '{grader}', fail_on_error: true}}]}}\n{others}"
            ),
        ),
        ("replies.yaml", ANSWERS_5),
        (
            "g.py",
            "import sys\n\n\ndef raises(ctx):\n    raise ValueError('no')\n\n\ndef leaves(ctx):\n    sys.exit(7)\n",
        ),
    ]);
    let run = folder.run(["test", "agent.yaml", "--output", "report.json"]);
    if !others.is_empty() {
        let report = folder.json("report.json");
        assert_eq!(report["results"][1]["passed"], true, "{report}");
    }
    run
}

fn huge_integer() -> Run {
    let replies = format!(
        "default: [{{response: x, tool_calls: [{{name: s, args: {{a: 1{}}}}}]}}]\n",
        "0".repeat(400)
    );
    run(
        "test_cases: [{turns: [{input: q, expected_tools: [{name: s, args: {a: 1}}]}]}]\n",
        &replies,
        &[],
    )
}

fn markdown() -> Result<Run, String> {
    let case = json!({"name": "c", "input": "q", "expected_tools": [{"name": "s", "args": {"a": {"mode": "fast"}}}]});
    let played = suite::play(
        &suite::agent(&json!([case]), &json!({})),
        &json!({"default": [{"response": "x"}]}),
        &["--output", "report.md"],
    );
    if !played.folder.read("report.md").contains("mode") {
        return Err("the Markdown report does not show what was expected".to_owned());
    }
    Ok(played.run)
}

/// Each case has a turn that is too slow; one other turn is answered, for a run without any answer is exit 3.
fn slow() -> Result<Run, String> {
    let cases = json!([
        {"name": "turn", "turns": [{"input": "q"}, {"input": "r"}]},
        {"name": "single", "input": "q"},
    ]);
    let late = json!({"response": "late", "delay_ms": 4000});
    let replies = json!({"cases": {"turn": [late, {"response": "ok"}], "single": [late]}});
    let played = suite::play(
        &suite::agent(&cases, &json!({})),
        &replies,
        &["--timeout", "2", "--parallel-test-cases", "2"],
    );
    for i in 0..2 {
        if !played.case(i)?["errors"].to_string().contains("timeout") {
            return Err(format!("case {i} did not time out"));
        }
    }
    Ok(played.run)
}
