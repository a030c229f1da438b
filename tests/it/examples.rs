//! The examples, as a newcomer runs them.

use std::path::PathBuf;

use holodeck_tests::program::{Folder, Run};
use holodeck_tests::root;

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
