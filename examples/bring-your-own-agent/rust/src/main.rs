//! An agent that holodeck can talk with: lines of JSON on stdin and stdout.
//!
//! Put your own agent in place of `Conversation`; `main` stays as it is.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

const NET_CASH: [(u64, i64); 2] = [(2008, 181_001), (2009, 206_588)];

/// What a real agent would do with a model: looks figures up and calculates, and remembers what it said before.
#[derive(Default)]
struct Conversation {
    years: Vec<u64>,
    numbers: Vec<i64>,
}

impl Conversation {
    /// The answer to `text`; the tools that were called go to `calls`.
    fn answer(&mut self, text: &str, calls: &mut Vec<Value>) -> Result<String, String> {
        let words = text.split(|c: char| !c.is_ascii_digit());
        self.years.extend(words.filter(|w| w.len() == 4).filter_map(|w| w.parse::<u64>().ok()));
        let year = *self.years.last().ok_or("which year?")?;
        if text.contains("percent") {
            let a = *self.numbers.last().ok_or("a percentage of what?")?;
            let b = lookup(year)?;
            let quotient = a as f64 / b as f64;
            calls.push(json!({"name": "divide", "args": {"a": a, "b": b}, "result": quotient}));
            return Ok(format!("{:.1}%", quotient * 100.0));
        }
        let number = if text.contains("difference") {
            let [a, b, ..] = self.numbers[..] else {
                return Err("the difference of what?".to_owned());
            };
            calls.push(json!({"name": "subtract", "args": {"a": a, "b": b}, "result": a - b}));
            a - b
        } else {
            let found = lookup(year)?;
            let args = json!({"row": "net cash", "year": year});
            calls.push(json!({"name": "lookup", "args": args, "result": found}));
            found
        };
        self.numbers.push(number);
        Ok(number.to_string())
    }
}

fn lookup(year: u64) -> Result<i64, String> {
    let found = NET_CASH.iter().find(|(known, _)| *known == year);
    found.map(|(_, cash)| *cash).ok_or(format!("nothing is known of {year}"))
}

fn main() -> io::Result<()> {
    let mut conversation = Conversation::default();
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        match message["type"].as_str() {
            Some("turn") => {
                let mut calls = Vec::new();
                let text = message["input"].as_str().unwrap_or_default();
                let answer = conversation.answer(text, &mut calls);
                let mut reply = json!({
                    "id": message["id"],
                    "turn_index": message["turn_index"],
                    "tool_calls": calls,
                });
                match answer {
                    Ok(response) => reply["response"] = json!(response),
                    Err(message) => reply["error"] = json!({"message": message}),
                }
                // One line, and at once. Everything else that is printed belongs on stderr.
                let mut stdout = io::stdout().lock();
                writeln!(stdout, "{reply}")?;
                stdout.flush()?;
            }
            Some("close") => break,
            // A `cancel` is read here only after its turn was answered, which acknowledged it.
            _ => {}
        }
    }
    Ok(())
}
