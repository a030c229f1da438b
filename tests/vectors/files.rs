//! Whole files of `conformance/files/`, the wanted outcome on their first line.

use holodeck_tests::program::Folder;
use holodeck_tests::vector::{self, field};
use holodeck_value::Value;
use libtest_mimic::Trial;

use crate::loading::errors;

/// What is wanted of a file's errors: path, line and column, and a word of the hint or message.
struct Wanted {
    path: &'static str,
    place: Option<(u64, u64)>,
    word: &'static str,
}

const fn wanted(path: &'static str, word: &'static str) -> Wanted {
    Wanted {
        path,
        place: None,
        word,
    }
}

/// Each file with all the errors that it must have; none where it loads.
const FILES: &[(&str, &[Wanted])] = &[
    (
        "y01_misindented_assert",
        &[wanted(
            "test_cases[0].turns[0].expected_tool",
            "expected_tools",
        )],
    ),
    (
        "y03_duplicate_key",
        &[Wanted {
            path: "test_cases[0].turns[0].ground_truth",
            place: Some((8, 9)),
            word: "ground_truth",
        }],
    ),
    (
        "y05_both_matchers",
        &[wanted(
            "test_cases[0].turns[0].expected_tools[0].args.a",
            "fuzzy",
        )],
    ),
    ("y07_literal_dict_ok", &[]),
    (
        "y09_unquoted_number",
        &[wanted("test_cases[0].turns[0].ground_truth", "\"206588\"")],
    ),
    (
        "y11_bad_count",
        &[
            wanted("test_cases[0].turns[0].expected_tools[0].count", ""),
            wanted("test_cases[1].turns[0].expected_tools[0].count", ""),
            wanted("test_cases[2].turns[0].expected_tools[0].count", ""),
            wanted("test_cases[3].turns[0].expected_tools[0].count", ""),
            wanted("test_cases[4].turns[0].expected_tools[0].count", ""),
        ],
    ),
    (
        "y13_grader_paths",
        &[
            wanted(
                "test_cases[0].turns[0].evaluations[0].grader",
                "no_such_mod:f",
            ),
            wanted(
                "test_cases[1].turns[0].evaluations[0].grader",
                "json:no_such_fn",
            ),
            wanted("test_cases[2].turns[0].evaluations[0].grader", "json.dumps"),
            wanted("test_cases[3].turns[0].evaluations[0].grader", "a:b:c"),
        ],
    ),
    (
        "y15_blank_input",
        &[
            wanted("test_cases[0].turns[0].input", ""),
            wanted("test_cases[0].turns[1].input", ""),
            wanted("test_cases[0].turns[2].input", ""),
        ],
    ),
    ("y17_duplicate_names", &[]),
    ("y19_merge_key_anchor", &[wanted("defaults", "")]),
];

/// A test a file; one that no line of [`FILES`] claims fails.
pub(crate) fn trials() -> Vec<Trial> {
    let mut names: Vec<String> = std::fs::read_dir(vector::folder().join("files"))
        .expect("the files are in the repository")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".yaml").map(str::to_owned))
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| Trial::test(format!("files/{name}"), move || Ok(check(&name)?)))
        .collect()
}

fn check(name: &str) -> Result<(), String> {
    let (_, wanted) = FILES
        .iter()
        .find(|(file, _)| *file == name)
        .ok_or("no line of FILES in tests/vectors/files.rs claims it")?;
    let path = vector::folder().join("files").join(format!("{name}.yaml"));
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let folder = Folder::with(&[
        ("agent.yaml", &text),
        ("replies.yaml", "default: [{response: '{{input}}'}]\n"),
    ]);
    let run = folder.run(["check", "agent.yaml", "--message-format", "json"]);
    let code = if wanted.is_empty() { 0 } else { 2 };
    if run.code != Some(code) {
        return Err(format!(
            "exit {:?}, expected {code}:\n{}",
            run.code, run.stdout
        ));
    }
    let errors = errors(&run.stdout)?;
    if errors.len() != wanted.len() {
        return Err(format!("expected {} errors:\n{}", wanted.len(), run.stdout));
    }
    for (wanted, error) in wanted.iter().zip(&errors) {
        wanted.check(error)?;
    }
    if name == "y17_duplicate_names" {
        return both_are_reported(&folder);
    }
    Ok(())
}

impl Wanted {
    fn check(&self, error: &Value) -> Result<(), String> {
        let text = error.to_json();
        let number = |name: &str| match field(error, name) {
            Value::Number(number) => number.as_u64(),
            _ => None,
        };
        let place = number("line").zip(number("column"));
        let said = |name: &str| {
            field(error, name)
                .as_str()
                .is_some_and(|t| t.contains(self.word))
        };
        let fits = field(error, "path").as_str() == Some(self.path)
            && (self.place.is_none() || self.place == place)
            && (said("message") || said("hint"));
        if fits {
            return Ok(());
        }
        Err(format!(
            "expected an error at {} {:?} that says `{}`, got {text}",
            self.path, self.place, self.word
        ))
    }
}

fn both_are_reported(folder: &Folder) -> Result<(), String> {
    let run = folder.run(["test", "agent.yaml", "--output", "r.json"]);
    if run.code != Some(0) {
        return Err(format!("exit {:?}: {}", run.code, run.stderr));
    }
    let report = folder.json("r.json");
    let answers: Vec<_> = (0..2)
        .map(|i| &report["results"][i]["agent_response"])
        .collect();
    if answers != ["one", "two"] {
        return Err(format!("got {answers:?}"));
    }
    Ok(())
}
