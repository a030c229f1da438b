//! Reports of whole runs: the fields of the contract in their order, the same text when a stored run is rendered again, file order whatever finishes first.

use holodeck_tests::program::Folder;
use holodeck_tests::{root, vector};
use serde_json::{Value, json};

/// The financial assistant, run in a folder with all three report files.
fn financial_assistant() -> Folder {
    let folder = Folder::new();
    let agent = root().join("examples/financial-assistant/agent.yaml");
    let mut words = vec!["test".into(), agent.into_os_string()];
    words.extend(
        [
            "--results",
            "results",
            "--output",
            "r.json",
            "--output",
            "r.md",
            "--output",
            "r.xml",
        ]
        .map(Into::into),
    );
    folder.run(words).must_exit(1);
    folder
}

fn keys(object: &Value) -> Vec<&str> {
    object
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[track_caller]
fn in_contract_order(name: &str, object: &Value) {
    let vectors = vector::read("report_fields").unwrap();
    let vector = vectors.iter().find(|v| v.text("object") == name).unwrap();
    let wanted = vector.expected("fields_in_order").to_json();
    let wanted: Vec<String> = serde_json::from_str(&wanted).unwrap();
    assert_eq!(keys(object)[..wanted.len()], wanted, "{name}");
}

#[test]
fn a_run_has_the_fields_of_the_contract_in_their_order() {
    let folder = financial_assistant();
    let report = folder.json("r.json");
    let case = &report["results"][1];
    in_contract_order("TestResult", case);
    in_contract_order("MetricResult", &case["metric_results"][0]);
    in_contract_order("ToolInvocation", &case["tool_invocations"][0]);
    assert_eq!(report["results"][0]["turns"], Value::Null);
    let run = run_file(&folder);
    in_contract_order("EvalRun", &run);
    in_contract_order("EvalRunMetadata", &run["metadata"]);
    in_contract_order("PromptVersion", &run["metadata"]["prompt_version"]);
    assert_eq!(run["metadata"]["prompt_version"]["version"], "1.2");
    assert_eq!(run["report"], report);
}

fn run_file(folder: &Folder) -> Value {
    let name = run_file_name(folder);
    folder.json(name)
}

fn run_file_name(folder: &Folder) -> String {
    let mut names = std::fs::read_dir(folder.path("results/financial-assistant"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| Some(name.strip_suffix(".json")?.to_owned()));
    let name = names.next().unwrap();
    assert_eq!(names.next(), None);
    format!("results/financial-assistant/{name}.json")
}

#[test]
fn a_stored_run_is_rendered_to_the_same_text() {
    let folder = financial_assistant();
    let run = run_file_name(&folder);
    for (format, file) in [("json", "r.json"), ("markdown", "r.md"), ("junit", "r.xml")] {
        for stored in [
            run.as_str(),
            run.trim_end_matches(".json"),
            "results/financial-assistant",
        ] {
            let again = folder.run(["report", stored, "--format", format]);
            again.must_exit(0);
            assert!(
                again.stdout == folder.read(file),
                "{format} of {stored} differs"
            );
        }
    }
}

#[test]
fn a_stored_run_reads_on_the_console_as_the_run_did() {
    let agent = root().join("examples/financial-assistant/agent.yaml");
    for flags in [&[][..], &["-v"], &["-q"]] {
        let folder = Folder::new();
        let mut words = vec!["test".into(), agent.clone().into_os_string()];
        words.extend(["--results", "runs"].iter().chain(flags).map(Into::into));
        let run = folder.run(words);
        run.must_exit(1);
        let again = folder.run(["report", "runs"].iter().chain(flags));
        again.must_exit(0);
        assert!(
            again.stdout == run.stdout,
            "{flags:?}: {}\n{}",
            run.stdout,
            again.stdout
        );
    }
}

#[test]
fn cases_are_in_file_order_whatever_finishes_first() {
    let cases: Vec<Value> = (0..12)
        .map(|i| json!({"name": format!("c{i}"), "input": "q"}))
        .collect();
    let replies: serde_json::Map<String, Value> = (0..12)
        .map(|i| {
            (
                format!("c{i}"),
                json!([{"response": "ok", "delay_ms": (12 - i) * 20}]),
            )
        })
        .collect();
    let played = holodeck_tests::suite::play(
        &holodeck_tests::suite::agent(&json!(cases), &json!({})),
        &json!({"cases": replies}),
        &["-p", "6"],
    );
    played.run.must_exit(0);
    let names: Vec<Value> = (0..12)
        .map(|i| played.case(i).unwrap()["test_name"].clone())
        .collect();
    let wanted: Vec<String> = (0..12).map(|i| format!("c{i}")).collect();
    assert_eq!(json!(names), json!(wanted));
}

#[test]
fn a_report_on_stdout_is_alone_there() {
    let folder = Folder::with(&[
        (
            "agent.yaml",
            "name: a\nmodel: {provider: scripted, name: r.yaml}\ninstructions: {inline: hi}\ntest_cases: [{input: q}]\n",
        ),
        ("r.yaml", "default: [{response: ok}]\n"),
    ]);
    let run = folder.run(["test", "agent.yaml", "--format", "json"]);
    run.must_exit(0);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["summary"]["passed"], 1);
    let run = folder.run(["test", "agent.yaml", "--format", "junit"]);
    assert!(run.stdout.starts_with("<?xml"), "{}", run.stdout);
}
