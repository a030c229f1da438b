//! Suites of any size, each case a conversation of four turns with tools, matchers and a number, all of which pass.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::workspace::Result;

const HEAD: &str = "\
name: bench
model: {provider: scripted, name: replies.jsonl}
instructions: {inline: Answer with a figure.}
evaluations:
  metrics:
    - {type: standard, metric: numeric, accept_thousands_separators: true, absolute_tolerance: 0.01}
execution: {parallel_test_cases: 16}
";

/// The cases in agent.yaml, in block style as people write them.
pub(super) fn write_yaml(folder: &Path, n_cases: usize) -> Result<()> {
    write_agent(folder, HEAD, n_cases)?;
    write_replies(folder, n_cases)
}

/// The same for a live agent, so that nothing but agent.yaml is read.
pub(super) fn write_live(folder: &Path, n_cases: usize) -> Result<()> {
    write_agent(folder, &HEAD.replace("scripted", "openai"), n_cases)
}

/// One case with a regex that does not compile.
pub(super) fn write_mistake(folder: &Path) -> Result<()> {
    let head = HEAD.replace("scripted", "openai");
    let case = "  - {turns: [{input: a, expected_tools: [{name: s, args: {a: {regex: \"(\"}}}]}]}";
    let text = format!("{head}test_cases:\n{case}\n");
    Ok(std::fs::write(folder.join("agent.yaml"), text)?)
}

fn write_agent(folder: &Path, head: &str, n_cases: usize) -> Result<()> {
    let mut file = BufWriter::new(File::create(folder.join("agent.yaml"))?);
    writeln!(file, "{head}test_cases:")?;
    for i in 0..n_cases {
        let (now, before, less) = figures(i);
        write!(
            file,
            "  - name: filing-{i}
    turns:
      - input: What was the net cash from operating activities in 2009?
        ground_truth: \"{now}\"
        expected_tools: [lookup]
      - input: What about in 2008?
        ground_truth: \"{before}\"
        expected_tools:
          - name: lookup
            args: {{row: {{fuzzy: \"Net Cash\"}}, year: {{regex: \"200[89]\"}}}}
      - input: What is the difference?
        ground_truth: \"{less}\"
        expected_tools:
          - name: subtract
            args: {{a: {now}, b: {{fuzzy: \"{before}\"}}}}
            count: 1
      - input: Was it a good year?
        ground_truth: \"yes\"
        evaluations: [{{type: standard, metric: equality, case_insensitive: true}}]
"
        )?;
    }
    Ok(file.flush()?)
}

/// The cases in a JSONL file.
pub(super) fn write_jsonl(folder: &Path, n_cases: usize) -> Result<()> {
    std::fs::write(
        folder.join("agent.yaml"),
        format!("{HEAD}test_cases_file: cases.jsonl\n"),
    )?;
    write_lines(&folder.join("cases.jsonl"), n_cases, |i| {
        let (now, before, less) = figures(i);
        json!({"name": format!("filing-{i}"), "turns": [
            {"input": "What was the net cash from operating activities in 2009?", "ground_truth": now.to_string(), "expected_tools": ["lookup"]},
            {"input": "What about in 2008?", "ground_truth": before.to_string(),
             "expected_tools": [{"name": "lookup", "args": {"row": {"fuzzy": "Net Cash"}, "year": {"regex": "200[89]"}}}]},
            {"input": "What is the difference?", "ground_truth": less.to_string(),
             "expected_tools": [{"name": "subtract", "args": {"a": now, "b": {"fuzzy": before.to_string()}}, "count": 1}]},
            {"input": "Was it a good year?", "ground_truth": "yes", "evaluations": [{"type": "standard", "metric": "equality", "case_insensitive": true}]},
        ]})
    })?;
    write_replies(folder, n_cases)
}

fn write_replies(folder: &Path, n_cases: usize) -> Result<()> {
    write_lines(&folder.join("replies.jsonl"), n_cases, |i| {
        let (now, before, less) = figures(i);
        json!({"case": format!("filing-{i}"), "turns": [
            {"response": now.to_string(), "tool_calls": [{"name": "lookup", "args": {"row": "net cash", "year": 2009}, "result": now}]},
            {"response": before.to_string(), "tool_calls": [{"name": "lookup", "args": {"row": "net cash", "year": 2008}, "result": before}]},
            {"response": less.to_string(), "tool_calls": [{"name": "subtract", "args": {"a": now, "b": before.to_string()}, "result": less}]},
            {"response": "Yes"},
        ]})
    })
}

fn write_lines(path: &Path, n: usize, line: impl Fn(usize) -> Value) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for i in 0..n {
        writeln!(file, "{}", line(i))?;
    }
    Ok(file.flush()?)
}

/// This year's, last year's, and the difference.
fn figures(i: usize) -> (usize, usize, usize) {
    let before = 181_001 + i;
    let less = 25_587 + i % 97;
    (before + less, before, less)
}
