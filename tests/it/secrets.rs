//! Secrets are `***` in everything that is written, recorded or printed (rule L10a).

use std::path::Path;

use holodeck_tests::program::{Folder, Run, run};

const SECRET: &str = "sesame-open-42";

const AGENT: &str = "\
name: agent ${API_KEY}
model: {provider: scripted, name: replies.yaml}
instructions: {inline: 'with ${API_KEY}'}
test_cases:
  - {name: 'case ${API_KEY}', input: 'say ${API_KEY}', ground_truth: other, evaluations: [{metric: equality}]}
  - {name: second, turns: [{input: q, expected_tools: [{name: t, args: {a: '${API_KEY}'}}]}]}
";

const REPLIES: &str = "\
default:
  - {response: 'it is sesame-open-42', tool_calls: [{name: t, args: {a: x sesame-open-42}, result: {sesame-open-42: [sesame-open-42]}}]}
";

fn play(folder: &Folder, args: &[&str]) -> Run {
    let mut command = folder.command(args);
    command.env("API_KEY", SECRET).env("RUST_LOG", "trace");
    run(&mut command)
}

#[track_caller]
fn holds_none(what: &str, text: &str) {
    assert!(!text.contains(SECRET), "{what}:\n{text}");
}

/// Every file and folder below, by name and content.
fn look_through(folder: &Path) -> usize {
    let mut n_files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let shown = path.display().to_string();
        holds_none("a file's name", &shown);
        if path.is_dir() {
            n_files += look_through(&path);
        } else {
            n_files += 1;
            let bytes = std::fs::read(&path).unwrap();
            holds_none(&shown, &String::from_utf8_lossy(&bytes));
        }
    }
    n_files
}

#[test]
fn nothing_that_a_run_leaves_holds_a_secret() {
    let folder = Folder::with(&[("agent.yaml", AGENT), ("replies.yaml", REPLIES)]);
    for args in [
        "test agent.yaml -v --results out --filter !sesame-open-42-none -o out/r.json -o out/r.md -o out/r.xml",
        "test agent.yaml --list",
        "check agent.yaml",
        "check agent.yaml --message-format json",
        "config show agent.yaml",
    ] {
        let words: Vec<&str> = args.split(' ').collect();
        let run = play(&folder, &words);
        holds_none(args, &run.stdout);
        holds_none(args, &run.stderr);
        let code = i32::from(args.contains("out/r.json"));
        run.must_exit(code);
    }
    assert_eq!(look_through(&folder.path("out")), 5);
    assert!(folder.read("out/r.json").contains("agent ***"));
}

#[test]
fn no_mistake_is_told_with_a_secret() {
    let agent = AGENT.replace("ground_truth", "grund_truth");
    let folder = Folder::with(&[("agent.yaml", &agent), ("replies.yaml", REPLIES)]);
    for args in [
        &["test", "agent.yaml"][..],
        &["check", "agent.yaml", "--message-format", "json"],
    ] {
        let run = play(&folder, args);
        run.must_exit(2);
        let told = format!("{}{}", run.stdout, run.stderr);
        assert!(told.contains("case ***"), "{told}");
        holds_none("a mistake", &told);
    }
}
