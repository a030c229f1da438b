//! Whole runs that ask a model: a small server here, and the workshop's stub where it is beside the repository.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use holodeck_tests::program::Folder;
use holodeck_tests::root;
use serde::Deserialize;

const KEY: &str = "sk-quite-secret-1234";

/// Answers every request with this status and body; its address.
fn server(status: u16, body: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream, status, body));
        }
    });
    address
}

fn answer(stream: TcpStream, status: u16, body: &str) -> Option<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if line.trim().is_empty() {
                break;
            }
            if let Some(n) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = n.trim().parse().ok()?;
            }
        }
        reader.read_exact(&mut vec![0; length]).ok()?;
        let n = body.len();
        let text = format!("HTTP/1.1 {status} X\r\ncontent-length: {n}\r\n\r\n{body}");
        reader.get_mut().write_all(text.as_bytes()).ok()?;
    }
}

fn agent(provider: &str, endpoint: &str, cases: &str) -> Folder {
    let text = format!(
        "name: live\nmodel: {{provider: {provider}, name: m, endpoint: \"{endpoint}\"}}\ninstructions: {{inline: Be brief.}}\n{cases}"
    );
    Folder::with(&[
        ("agent.yaml", &text),
        (".env", &format!("OPENAI_API_KEY={KEY}\n")),
    ])
}

const TWO_CASES: &str =
    "test_cases:\n  - {name: a, turns: [{input: x}, {input: y}]}\n  - {name: b, input: x}\n";

#[test]
fn a_key_is_in_no_file_though_the_model_says_it() {
    let body = r#"{"choices":[{"message":{"content":"your key is sk-quite-secret-1234"}}]}"#;
    let endpoint = server(200, body);
    let folder = agent("openai", &endpoint, TWO_CASES);
    let run = folder.run(["test", "agent.yaml", "-v"]);
    run.must_exit(0);
    let shown = format!("answered by openai m at {endpoint}");
    assert!(run.stdout.contains(&shown), "{}", run.stdout);
    assert!(run.stdout.contains("your key is ***"), "{}", run.stdout);
    assert!(!(run.stdout.clone() + &run.stderr).contains(KEY));
    let mut n_files = 0;
    let mut folders = vec![folder.path("results")];
    while let Some(inside) = folders.pop() {
        for entry in std::fs::read_dir(inside).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(!text.contains(KEY), "{}", path.display());
            n_files += 1;
        }
    }
    assert!(n_files > 1, "{n_files}");
}

#[test]
fn a_refused_key_ends_the_run_with_the_first_case() {
    let endpoint = server(
        401,
        r#"{"error":{"message":"who is sk-quite-secret-1234?"}}"#,
    );
    let folder = agent("openai", &endpoint, TWO_CASES);
    let run = folder.run(["test", "agent.yaml"]);
    run.must_exit(3);
    let said = "error: nothing was ever answered: HTTP 401 Unauthorized: who is ***?; the key is refused: check `OPENAI_API_KEY` or `model.api_key`";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(run.stdout.contains("1 not run"), "{}", run.stdout);
}

#[test]
fn a_live_check_asks_once_and_says_what_came() {
    let endpoint = server(
        200,
        r#"{"choices":[{"message":{"content":"OK, sk-quite-secret-1234"}}]}"#,
    );
    let folder = agent("openai", &endpoint, TWO_CASES);
    let run = folder.run(["check", "agent.yaml", "--live"]);
    run.must_exit(0)
        .must_complain(&format!("openai m at {endpoint} answers: OK, ***\n"));

    let refusing = agent("anthropic", &server(500, "down"), TWO_CASES);
    refusing.write(".env", "HOLODECK_LLM_TIMEOUT=1\n");
    let run = refusing.run(["check", "agent.yaml", "--live"]);
    run.must_exit(3).must_complain("does not answer: HTTP 500");

    let keyless = agent("openai", "https://models.invalid/v1", TWO_CASES);
    keyless.write(".env", "");
    keyless.run(["check", "agent.yaml"]).must_exit(0);
    let run = keyless.run(["check", "agent.yaml", "--live"]);
    run.must_exit(2).must_complain("set OPENAI_API_KEY");

    let scripted = Folder::with(&[
        (
            "agent.yaml",
            "name: s\nmodel: {provider: scripted, name: r.yaml}\ntest_cases: [{input: x}]\n",
        ),
        ("r.yaml", "default: [{response: x}]\n"),
    ]);
    let run = scripted.run(["check", "agent.yaml", "--live"]);
    run.must_exit(0).must_complain("--live asks models");
}

/// The stub, ended with the test.
struct Stub(Child);

impl Drop for Stub {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn each_misbehaviour_of_the_stub_costs_its_own_turn() {
    let stub = root().parent().unwrap().join("shared/bench/stub_server.py");
    if !stub.exists() {
        eprintln!("not run: there is no ../shared/bench/stub_server.py beside the repository");
        return;
    }
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut child = Command::new("python3")
        .arg(&stub)
        .arg(port.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    let _stub = Stub(child);
    let modes = [
        ("http500", "HTTP 500"),
        ("http429", "HTTP 429"),
        ("http400", "HTTP 400"),
        ("sessionerr", "HTTP 400"),
        ("drop", "broke"),
        ("garbage", "can't be read"),
        ("slow", "timeout"),
        ("loop", "max_tool_rounds"),
        ("empty", ""),
        ("parallel", ""),
        ("hugeint", ""),
        ("nanarg", ""),
        ("noargs", ""),
    ];
    let cases = modes.map(|(mode, _)| {
        format!("  - {{name: {mode}, turns: [{{input: \"[case 1 mode={mode} at=0] x\"}}, {{input: y}}]}}\n")
    });
    let cases = format!(
        "execution: {{llm_timeout: 1, parallel_test_cases: 13}}\ntest_cases:\n{}",
        cases.concat()
    );
    let folder = agent("openai", &format!("http://127.0.0.1:{port}/v1"), &cases);
    let run = folder.run([
        "test",
        "agent.yaml",
        "--output",
        "-",
        "--format",
        "json",
        "-q",
    ]);
    // Read field by field: a number of 400 digits is more than a JSON value of Rust holds.
    let report: Report = serde_json::from_str(&run.stdout).unwrap();
    for ((mode, error), case) in modes.iter().zip(&report.results) {
        let errors = case.turns[0].errors.join("; ");
        assert_eq!(errors.is_empty(), error.is_empty(), "{mode}: {errors}");
        assert!(errors.contains(error), "{mode}: {errors}");
        assert!(case.turns[1].passed, "{mode}: {:?}", case.turns[1]);
    }
}

#[derive(Deserialize)]
struct Report {
    results: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    turns: Vec<Turn>,
}

#[derive(Debug, Deserialize)]
struct Turn {
    errors: Vec<String>,
    passed: bool,
}
