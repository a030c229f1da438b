//! Python's `re` (rule M4): what it refuses and in which words, what `fullmatch` says, where `search` finds group 1.
//!
//! Patterns: those of `xtask/oracles/regex_hand.json`, random ones of several kinds, and scans of all characters.

use std::rc::Rc;

use holodeck_match::PyRegex;
use holodeck_match::regex::RegexError;
use serde_json::{Value, json};

use super::{Python, Rng, Tally};
use crate::workspace::Result;

mod patterns;

/// Random patterns of each kind.
const N_PATTERNS: usize = 6_000;

/// Characters of a text for which the linear engine is built.
const LONG: usize = 5_000;

const HAND: &str = include_str!("../../oracles/regex_hand.json");

/// Refusals of our own, by how their messages begin, and how docs/reference/regex.md calls them.
const REFUSALS: &[(&str, &str)] = &[
    ("named characters are not supported", "`\\N{..}`"),
    ("flag 't' is not supported", "the flag `t`"),
    ("pattern nested too deeply", "groups nested deeper than 200"),
];

/// Classes that are held against every character there is.
const CLASSES: &[&str] = &[
    r"\w",
    r"\d",
    r"\s",
    r"\W",
    r"\D",
    r"\S",
    ".",
    r"(?a)\w",
    r"(?i)[a-z]",
    r"(?i)[^a-z]",
    r"(?i)[\wa]",
    r"(?i)[\u0100-\uffff]",
    r"(?ai)[a-z]",
    r"(?i)[\U00010400-\U00010500]",
    r"[^\w\s]",
];

/// Asks both sides the same.
pub(crate) fn run(python: &Python) -> Result<Tally> {
    let mut tally = Tally::new("regular expressions");
    let hand: Value = serde_json::from_str(HAND)?;
    let mut questions: Vec<Question> = texts(&hand["patterns"])
        .into_iter()
        .map(|pattern| Question::Texts(pattern, texts(&hand["subjects"])))
        .collect();
    for (i, kind) in patterns::KINDS.iter().enumerate() {
        let mut rng = Rng::new(311 + i as u64);
        for _ in 0..N_PATTERNS {
            let (pattern, subjects) = kind(&mut rng);
            questions.push(Question::Texts(pattern, subjects));
        }
    }
    let all: Rc<[char]> = ('\0'..=char::MAX).collect();
    let scan = |class: &&str| Question::Chars((*class).to_owned(), "all", all.clone());
    questions.extend(CLASSES.iter().map(scan));
    questions.extend(cased(python)?);
    let asked: Vec<String> = questions.iter().map(Question::json).collect();
    let answers = python.ask("regex.py", &asked)?;
    for (i, (question, answer)) in questions.iter().zip(answers).enumerate() {
        compare(
            question,
            i % 2 == 0,
            &serde_json::from_str(&answer)?,
            &mut tally,
        );
    }
    Ok(tally)
}

/// What both sides are asked.
enum Question {
    /// A pattern and subjects.
    Texts(String, Vec<String>),
    /// A pattern and an alphabet: which characters does it match alone?
    Chars(String, &'static str, Rc<[char]>),
}

impl Question {
    fn pattern(&self) -> &str {
        match self {
            Self::Texts(pattern, _) | Self::Chars(pattern, ..) => pattern,
        }
    }
    fn json(&self) -> String {
        match self {
            Self::Texts(pattern, subjects) => json!({ "pattern": pattern, "subjects": subjects }),
            Self::Chars(pattern, name, _) => json!({ "pattern": pattern, "alphabet": name }),
        }
        .to_string()
    }
}

fn texts(list: &Value) -> Vec<String> {
    let items = list.as_array().map(Vec::as_slice).unwrap_or_default();
    items
        .iter()
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}

/// Every other character that has case, alone and in a set, against all that have.
fn cased(python: &Python) -> Result<Vec<Question>> {
    let all = json!({ "pattern": "(?s).", "alphabet": "cased" }).to_string();
    let answers = python.ask("regex.py", &[all])?;
    let answer: Value = serde_json::from_str(answers.first().ok_or("no answer")?)?;
    let cased: Rc<[char]> = answer["chars"]
        .as_str()
        .unwrap_or_default()
        .chars()
        .collect();
    let ask = |pattern| Question::Chars(pattern, "cased", cased.clone());
    let mut questions = Vec::new();
    for chunk in cased.chunks(6) {
        questions.extend(chunk.iter().step_by(2).map(|c| ask(format!("(?i){c}"))));
        let set: String = chunk.iter().collect();
        questions.push(ask(format!("(?i)[{set}]")));
    }
    Ok(questions)
}

/// `long_first`: a long text first makes the linear engine take over where it can, for the short ones too.
fn compare(question: &Question, long_first: bool, python: &Value, tally: &mut Tally) {
    if python["slow"] == true {
        return;
    }
    let pattern = question.pattern();
    let shown = json!(pattern).to_string();
    let regex = match PyRegex::new(pattern) {
        Ok(regex) => regex,
        Err(error) => {
            compare_errors(&error, &shown, python, tally);
            return;
        }
    };
    if long_first {
        // What comes of it does not matter.
        let _ = regex.full_match(&"\u{1}".repeat(LONG));
    }
    if python["error"].is_string() {
        tally.compare(&shown, &python.to_string(), "takes it");
        return;
    }
    match question {
        Question::Texts(_, subjects) => compare_texts(&regex, &shown, subjects, python, tally),
        Question::Chars(_, _, alphabet) => {
            let theirs: Vec<char> = python["chars"]
                .as_str()
                .unwrap_or_default()
                .chars()
                .collect();
            let ours: Vec<char> = alphabet
                .iter()
                .filter(|c| regex.full_match(&c.to_string()) == Ok(true))
                .copied()
                .collect();
            let odd =
                |a: &[char], b: &[char]| a.iter().find(|c| b.binary_search(c).is_err()).copied();
            let first = odd(&theirs, &ours).or_else(|| odd(&ours, &theirs));
            let ours = first.map_or(String::new(), |c| format!("not on {c:?}"));
            tally.compare(&shown, "", &ours);
        }
    }
}

fn compare_errors(error: &RegexError, shown: &str, python: &Value, tally: &mut Tally) {
    let mut refusals = REFUSALS.iter();
    if let Some((_, name)) = refusals.find(|(start, _)| error.message.starts_with(start)) {
        tally.refuse(name);
    } else {
        let ours = json!({ "error": error.message, "position": error.position });
        tally.compare(shown, &python.to_string(), &ours.to_string());
    }
}

fn compare_texts(
    regex: &PyRegex,
    shown: &str,
    subjects: &[String],
    python: &Value,
    tally: &mut Tally,
) {
    let full = python["full"].as_str().unwrap_or_default().bytes();
    let search = python["search"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    for ((subject, full), search) in subjects.iter().zip(full).zip(search) {
        let on = || format!("{shown} on {}", json!(subject));
        if full == b'?' {
            continue;
        }
        match regex.full_match(subject) {
            Ok(ours) => tally.compare(&on(), &(full == b'1').to_string(), &ours.to_string()),
            Err(_) => tally.refuse("more steps than the limit"),
        }
        match regex.search(subject) {
            Ok(ours) => {
                let n_chars = |to: usize| subject.get(..to).map_or(0, |head| head.chars().count());
                let picked = ours.and_then(|found| found.picked);
                let ours = json!(picked.map(|found| [n_chars(found.start), n_chars(found.end)]));
                tally.compare(
                    &format!("search: {}", on()),
                    &search.to_string(),
                    &ours.to_string(),
                );
            }
            Err(_) => tally.refuse("more steps than the limit"),
        }
    }
}
