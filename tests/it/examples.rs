//! The examples, as a newcomer runs them.

use std::path::{Path, PathBuf};

use holodeck_tests::program::{self, Folder, Run};
use holodeck_tests::{has_python, library, root};

/// Runs `test` on an example with its results in a folder of the test's own.
fn run(example: &str, args: &[&str]) -> (Folder, Run) {
    let folder = Folder::new();
    let agent = example_file(example);
    let mut words = vec!["test".into(), agent.into_os_string()];
    words.extend(["--results", "results", "--output", "report.json"].map(Into::into));
    words.extend(args.iter().map(Into::into));
    let run = folder.run(words);
    (folder, run)
}

fn example_file(example: &str) -> PathBuf {
    root().join("examples").join(example).join("agent.yaml")
}

#[test]
fn the_financial_assistant_fails_exactly_where_it_says() {
    let (folder, run) = run("financial-assistant", &[]);
    run.must_exit(1);
    let report = folder.json("report.json");
    let results = report["results"].as_array().unwrap();
    assert!(results.len() >= 10);
    for case in results {
        let name = case["test_name"].as_str().unwrap();
        let on_purpose = name.ends_with("-fails-on-purpose");
        assert_eq!(case["passed"], !on_purpose, "{name}: {}", case["errors"]);
    }
}

#[test]
fn the_financial_assistant_has_no_warnings() {
    let folder = Folder::new();
    let run = folder.run([
        "check".into(),
        example_file("financial-assistant").into_os_string(),
    ]);
    run.must_exit(0);
    assert!(!run.stderr.contains("warning"), "{}", run.stderr);
}

/// Plays the example with its Rust grader where its own `cargo build` line puts it.
#[test]
fn the_code_graders_see_what_was_not_computed() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    for name in ["agent.yaml", "replies.yaml", "my_benchmarks/convfinqa.py"] {
        let file = root().join("examples/code-graders").join(name);
        folder.write(name, std::fs::read(file).unwrap());
    }
    let library = library::example();
    let name = library.file_name().unwrap();
    let built = PathBuf::from("native/target/release").join(name);
    folder.write(built, std::fs::read(library).unwrap());
    folder
        .run(["test", "agent.yaml", "--output", "report.json"])
        .must_exit(1);
    let report = folder.json("report.json");
    assert_eq!(report["results"][0]["passed"], true, "{report}");
    let metrics = report["results"][1]["turns"][0]["metric_results"]
        .as_array()
        .unwrap();
    let passed: Vec<bool> = metrics.iter().map(|m| m["passed"] == true).collect();
    assert_eq!(passed, [true, false, false]);
    for grader in &metrics[1..] {
        assert_eq!(
            grader["reasoning"], "subtract was not called with [206588.0, 181001.0]",
            "{grader}"
        );
    }
}

#[test]
fn the_load_errors_are_all_told() {
    let folder = root().join("examples/load-errors");
    let mut n_files = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let stem = match name.strip_suffix(".yaml") {
            Some(stem) if stem != "replies" => stem,
            _ => continue,
        };
        n_files += 1;
        let text = check(&folder, &[&name]);
        golden_file(&folder.join(format!("told/{stem}.txt")), &text.stderr);
        let json = check(&folder, &[&name, "--message-format", "json"]);
        let all: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
        let pretty = serde_json::to_string_pretty(&all).unwrap() + "\n";
        golden_file(&folder.join(format!("told/{stem}.json")), &pretty);
    }
    assert!(n_files >= 6);
}

fn check(folder: &Path, args: &[&str]) -> Run {
    let home = Folder::new();
    let mut command = home.command(["check"].iter().chain(args));
    let run = program::run(command.current_dir(folder));
    run.must_exit(2);
    run
}

#[test]
fn the_readme_shows_what_a_run_prints() {
    let readme = root().join("README.md");
    let text = std::fs::read_to_string(&readme).unwrap();
    let folder = Folder::with(&[
        ("agent.yaml", block(&text, "yaml")),
        ("replies.yaml", README_REPLIES),
    ]);
    let run = folder.run(["test", "agent.yaml"]);
    run.must_exit(1);
    let shown = block(&text, "text");
    let printed = steady(&run.stdout);
    if shown != printed && blessing() {
        std::fs::write(&readme, text.replace(shown, &printed)).unwrap();
    }
    assert_eq!(shown, printed, "`cargo xtask bless` rewrites it");
}

/// What the README's agent answers: all right but for one argument.
const README_REPLIES: &str = r#"
default:
  - response: "206588"
    tool_calls: [{name: lookup, args: {row: net cash, year: 2009}, result: 206588}]
  - response: "25587"
    tool_calls: [{name: subtract, args: {a: 206588.0, b: "181,100"}, result: 25488}]
  - response: 14.1%
"#;

/// The content of the first fenced block of a language.
fn block<'t>(markdown: &'t str, language: &str) -> &'t str {
    let fence = format!("```{language}\n");
    let start = markdown.find(&fence).unwrap() + fence.len();
    let end = start + markdown[start..].find("```").unwrap();
    &markdown[start..end]
}

/// The same text for every run: no time is taken.
fn steady(text: &str) -> String {
    text.lines()
        .map(|line| {
            let words = line.split_inclusive(' ').map(|word| {
                let digits = word.trim_end().trim_end_matches("ms").trim_end_matches('s');
                let is_time = digits.len() < word.trim_end().len() && digits.parse::<f64>().is_ok();
                let end = &word[word.trim_end().len()..];
                if is_time {
                    format!("0ms{end}")
                } else {
                    word.to_owned()
                }
            });
            words.collect::<String>() + "\n"
        })
        .collect()
}

#[track_caller]
fn golden_file(path: &Path, told: &str) {
    let golden = std::fs::read_to_string(path).unwrap_or_default();
    if golden != told && blessing() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        return std::fs::write(path, told).unwrap();
    }
    assert!(
        golden == told,
        "{} is not what is told now (`cargo xtask bless` rewrites it):\n{told}",
        path.display()
    );
}

fn blessing() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}
