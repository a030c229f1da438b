//! A suite with a scripted agent, played by the real program.

use serde_json::{Value, json};

use crate::program::{Folder, Run};

/// An agent.yaml of these test cases and more keys; the replies are in `replies.yaml` beside it.
pub fn agent(test_cases: &Value, more: &Value) -> Value {
    let mut agent = json!({
        "name": "suite",
        "model": {"provider": "scripted", "name": "replies.yaml"},
        "instructions": {"inline": "hi"},
        "test_cases": test_cases,
    });
    if let (Value::Object(agent), Value::Object(more)) = (&mut agent, more) {
        agent.extend(more.clone());
    }
    agent
}

/// What a played suite left.
#[derive(Debug)]
pub struct Played {
    /// The folder in which it was played.
    pub folder: Folder,
    /// How it ended.
    pub run: Run,
    /// The JSON report; null where none was written.
    pub report: Value,
}

/// Plays `agent` with `replies` (the mapping of a scripted file; JSON is YAML).
pub fn play(agent: &Value, replies: &Value, args: &[&str]) -> Played {
    let folder = Folder::with(&[
        ("agent.yaml", &agent.to_string()),
        ("replies.yaml", &replies.to_string()),
    ]);
    let mut words = vec!["test", "agent.yaml", "--output", "report.json"];
    words.extend(args);
    let run = folder.run(words);
    let report = std::fs::read_to_string(folder.path("report.json"))
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    Played {
        folder,
        run,
        report,
    }
}

impl Played {
    /// The report of a case.
    pub fn case(&self, index: usize) -> Result<&Value, String> {
        self.report["results"].get(index).ok_or_else(|| {
            let (code, stderr) = (self.run.code, &self.run.stderr);
            format!("case {index} is not in the report (exit {code:?}): {stderr}")
        })
    }
}
