#![expect(
    clippy::needless_raw_string_hashes,
    reason = "so are expectations blessed"
)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use expect_test::{Expect, expect};
use holodeck_model::diagnostic::Place;
use holodeck_model::files::{FileKind, MemoryFiles};
use holodeck_model::plan::{CaseId, OnTurnFailure, TurnPlan};
use holodeck_run::ports::{Fault, Reply, TurnInput};
use tokio::time::Instant;

use super::*;

fn load(file: &str, text: &str) -> Result<Scripted, Vec<Diagnostic>> {
    let files: MemoryFiles = [(file, text)].into_iter().collect();
    Scripted::load(Path::new(file), file, Arc::new(files))
}

fn refused(file: &str, text: &str, expected: &Expect) {
    let diags = load(file, text).expect_err("it is refused");
    let lines = diags.iter().map(|d| {
        let at = |place: &Place| format!("{}:{}", place.line, place.column);
        let place = d.place.as_ref().map(at).unwrap_or_default();
        let related = d
            .related
            .iter()
            .map(|(place, why)| format!(" [{} {why}]", at(place)));
        format!(
            "{place} {}: {}{}\n",
            d.path,
            d.message,
            related.collect::<String>()
        )
    });
    expected.assert_eq(&lines.collect::<String>());
}

fn case(index: usize, name: Option<&str>, inputs: &[&str]) -> CasePlan {
    let turn = |(index, input): (usize, &&str)| TurnPlan {
        index,
        input: (*input).to_owned(),
        ground_truth: None,
        expected_tools: None,
        files: Vec::new(),
        retrieval_context: None,
        turn_config: None,
        metrics: Arc::new([]),
    };
    CasePlan {
        index,
        id: CaseId {
            key: "k".to_owned(),
            occurrence: 0,
        },
        name: name.map(str::to_owned),
        single_turn: false,
        turns: inputs.iter().enumerate().map(turn).collect(),
        on_turn_failure: OnTurnFailure::Continue,
    }
}

async fn replies(agent: &Scripted, case: &CasePlan) -> Result<Vec<Reply>, String> {
    let mut session = agent.open(case).await.map_err(|e| e.to_string())?;
    let mut out = Vec::new();
    for turn in &case.turns {
        let input = TurnInput {
            index: turn.index,
            input: &turn.input,
            files: &turn.files,
        };
        out.push(session.send(input).await);
    }
    session.close().await;
    Ok(out)
}

/// What a case plays, a line a turn.
async fn played(agent: &Scripted, case: &CasePlan) -> String {
    match replies(agent, case).await {
        Err(why) => format!("not opened: {why}"),
        Ok(replies) => {
            let lines = replies.iter().map(|reply| {
                let calls = reply.tool_invocations.iter().map(|call| {
                    let error = call.error.as_ref().map(|e| format!("!{e}"));
                    let result = error.unwrap_or_else(|| call.result.to_json());
                    format!(" {}{}={result}", call.name, call.args.to_json())
                });
                let calls: String = calls.collect();
                let fault = reply.fault.as_ref().map(|f| format!(" {f:?}"));
                format!("{:?}{calls}{}", reply.response, fault.unwrap_or_default())
            });
            lines.collect::<Vec<_>>().join("\n")
        }
    }
}

#[tokio::test]
async fn turns_are_played_in_order_with_calls_before_faults() {
    let agent = load(
        "a.yaml",
        r#"
cases:
  c:
    - response: "206588"
      tool_calls:
        - {name: lookup, args: {n: 100000000000000000000, x: 1.0}, result: 1.50, duration_ms: 3}
        - {name: lookup, error: no such row}
      usage: {prompt_tokens: 180, completion_tokens: 12, cache_read_tokens: 7}
    - {fault: error, response: half, tool_calls: [{name: t}]}
    - {fault: rate_limited}
    - {fault: rate_limited, message: "429"}
    - {fault: session_error, message: gone}
    - {fault: fatal, message: "${HOME} is text"}
    - {tool_calls: [{name: only}]}
"#,
    )
    .unwrap();
    let case = case(0, Some("c"), &["q"; 8]);
    expect![[r#"
        Some("206588") lookup{"n":100000000000000000000,"x":1.0}=1.50 lookup{}=!no such row
        Some("half") t{}=null Turn("scripted error")
        None Turn("rate limited")
        None Turn("rate limited: 429")
        None Session("gone")
        None Fatal("${HOME} is text")
        Some("") only{}=null
        None Turn("`a.yaml` has no script for this turn: `c` has 7 turns there, and this is turns[7]")"#]]
    .assert_eq(&played(&agent, &case).await);
    let first = replies(&agent, &case).await.unwrap().remove(0);
    let usage = first.usage.unwrap();
    assert_eq!((usage.total_tokens, usage.cache_read_tokens), (192, 7));
    assert_eq!(first.tool_invocations[0].duration_ms, Some(3));
}

#[tokio::test]
async fn position_beats_name_and_default_takes_the_rest() {
    let agent = load(
        "a.yaml",
        r##"
cases:
  same: [{response: by name}]
  "#3": [{response: by position}]
  shut: {open_error: no seat left}
default:
  - response: "first of {{case}}"
  - {response: "{{turn}}: {{input}}", tool_calls: [{name: t, args: {q: ["{{input}}"]}}]}
"##,
    )
    .unwrap();
    let mut out = String::new();
    for (index, name) in [(0, "same"), (1, "same"), (3, "same"), (4, "shut")] {
        out += &played(&agent, &case(index, Some(name), &["q"])).await;
        out.push('\n');
    }
    out += &played(&agent, &case(9, None, &["a", "{{case}}", "c"])).await;
    expect![[r#"
        Some("by name")
        Some("by name")
        Some("by position")
        not opened: no seat left
        Some("first of test_cases[9]")
        Some("1: {{case}}") t{"q":["{{case}}"]}=null
        Some("2: c") t{"q":["c"]}=null"#]]
    .assert_eq(&out);
}

#[tokio::test]
async fn case_without_a_script_says_what_to_add() {
    let yaml = load("a.yaml", "cases: {}").unwrap();
    let jsonl = load("a.jsonl", r#"{"case": "x", "turns": []}"#).unwrap();
    let out = [
        played(&yaml, &case(2, Some("c"), &["q"])).await,
        played(&jsonl, &case(2, None, &["q"])).await,
        played(&jsonl, &case(2, Some("x"), &["q"])).await,
    ];
    expect![[r##"
        None Turn("`a.yaml` has no script for this case: add `c` or `#2` under `cases`, or a `default`")
        None Turn("`a.jsonl` has no script for this case: add a line with `case` `#2`")
        None Turn("`a.jsonl` has no script for this turn: `x` has 0 turns there, and this is turns[0]")"##]]
    .assert_eq(&out.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn delay_passes_before_the_reply() {
    let agent = load("a.yaml", "default: [{response: x, delay_ms: 2500}]").unwrap();
    let began = Instant::now();
    played(&agent, &case(0, None, &["q", "q"])).await;
    assert_eq!(began.elapsed(), Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn turn_given_up_during_its_delay_has_done_nothing() {
    let agent = load(
        "a.yaml",
        "default: [{tool_calls: [{name: t}], delay_ms: 2500}, {response: next}]",
    )
    .unwrap();
    let case = case(0, None, &["q", "q"]);
    let mut session = agent.open(&case).await.unwrap();
    let input = |index| TurnInput {
        index,
        input: "q",
        files: &[],
    };
    let late = tokio::time::timeout(Duration::from_secs(1), session.send(input(0))).await;
    assert!(late.is_err());
    assert!(session.abandon().await.tool_invocations.is_empty());
    assert_eq!(
        session.send(input(1)).await.response.as_deref(),
        Some("next")
    );
}

#[test]
fn every_mistake_in_yaml_has_its_place() {
    refused(
        "a.yaml",
        "\
cases:
  a:
    - {respons: x}
    - {fault: eror}
    - {response: x, delay_ms: -1}
    - {response: 5}
    - {message: alone}
    - {response: x, usage: {prompt_tokens: 1, completion_tokens: 2, total_tokens: 2}}
    - {response: x, tool_calls: [{args: {d: 2009-12-31, ok: 1e3}}]}
  b: {open_error: x, turns: []}
  a: []
defaults: []
",
        &expect![[r#"
            3:7 cases.a[0]: has neither `response`, `tool_calls` nor `fault`
            3:8 cases.a[0].respons: unknown key `respons`
            4:15 cases.a[1].fault: must be one of `error`, `rate_limited`, `session_error` or `fatal`; `eror` is none of them
            5:31 cases.a[2].delay_ms: must be at least 0, not -1
            6:18 cases.a[3].response: expected a string, got the number 5
            7:7 cases.a[4]: has neither `response`, `tool_calls` nor `fault`
            7:8 cases.a[4].message: `message` is what a `fault` says, and there is none
            8:69 cases.a[5].usage.total_tokens: is less than `prompt_tokens` and `completion_tokens` together
            9:34 cases.a[6].tool_calls[0].name: `name` is missing
            9:45 cases.a[6].tool_calls[0].args.d: plain `2009-12-31` is a date to YAML 1.1 readers and the string "2009-12-31" to YAML 1.2 readers
            9:61 cases.a[6].tool_calls[0].args.ok: plain `1e3` is the string "1e3" to YAML 1.1 readers and the number 1000.0 to YAML 1.2 readers
            10:22 cases.b.turns: unknown key `turns`
            11:3 cases.a: the key `a` is set twice [2:3 first set here]
            12:1 defaults: unknown key `defaults`
        "#]],
    );
}

#[test]
fn every_mistake_in_jsonl_has_its_line() {
    refused(
        "a.jsonl",
        "\u{feff}{\"case\": \"a\", \"turns\": [{\"response\": \"x\"}]}\r\n\n\
{\"case\": \"b\", \"turns\": [{\"respons\": \"x\"}]}\n\
{\"case\": \"c\", \"turns\": [\n\
{\"case\": \"d\"}\n\
{\"case\": \"a\", \"open_error\": \"x\"}\n",
        &expect![[r#"
            3:25 turns[0]: has neither `response`, `tool_calls` nor `fault`
            3:26 turns[0].respons: unknown key `respons`
            4:25 yaml: expected a value, found the end
            5:1 : has neither `turns` nor `open_error`, exactly one is wanted
            6:10 case: a second script for `a` [1:10 the first one is here]
        "#]],
    );
}

#[test]
fn what_is_no_file_is_refused() {
    let mut out = Vec::new();
    let files: MemoryFiles = [("dir/a.yaml", ""), ("empty.jsonl", "\n")]
        .into_iter()
        .collect();
    let files: Arc<dyn Files> = Arc::new(files);
    for path in [
        "none.yaml",
        "none.jsonl",
        "dir",
        "dir/a.yaml",
        "empty.jsonl",
    ] {
        let diags = Scripted::load(Path::new(path), path, Arc::clone(&files)).unwrap_err();
        out.push(diags[0].message.clone());
    }
    expect![[r#"
        can't read the scripted file `none.yaml`: entity not found
        can't read the scripted file `none.jsonl`: entity not found
        can't read the scripted file `dir`: it is a folder
        `dir/a.yaml` is empty
        `empty.jsonl` is empty"#]]
    .assert_eq(&out.join("\n"));
}

/// A file that is written to while it is in use.
#[derive(Debug, Default)]
struct Changing(Mutex<MemoryFiles>);

impl Files for Changing {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        self.0.lock().unwrap().read(path)
    }
    fn read_range(&self, path: &Path, offset: u64, len: usize) -> std::io::Result<Vec<u8>> {
        self.0.lock().unwrap().read_range(path, offset, len)
    }
    fn kind(&self, path: &Path) -> std::io::Result<FileKind> {
        self.0.lock().unwrap().kind(path)
    }
}

#[tokio::test]
async fn changed_line_is_no_script() {
    let files = Arc::new(Changing::default());
    let write = |reply: &str| {
        let line = format!("{{\"case\": \"c\", \"turns\": [{{\"response\": \"{reply}\"}}]}}");
        files.0.lock().unwrap().insert("a.jsonl", line);
    };
    write("right");
    let agent = Scripted::load(Path::new("a.jsonl"), "a.jsonl", files.clone()).unwrap();
    write("wrong");
    assert_eq!(
        played(&agent, &case(0, Some("c"), &["q"])).await,
        "not opened: line 1 of `a.jsonl` has changed since it was checked"
    );
}

/// Counts how many bytes are asked for.
#[derive(Debug)]
struct Counting(MemoryFiles, AtomicUsize);

impl Files for Counting {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        unreachable!("{path:?} is never read whole")
    }
    fn read_range(&self, path: &Path, offset: u64, len: usize) -> std::io::Result<Vec<u8>> {
        let bytes = self.0.read_range(path, offset, len)?;
        self.1.fetch_add(bytes.len(), Ordering::Relaxed);
        Ok(bytes)
    }
    fn kind(&self, path: &Path) -> std::io::Result<FileKind> {
        self.0.kind(path)
    }
    fn size(&self, path: &Path) -> std::io::Result<u64> {
        self.0.size(path)
    }
}

#[tokio::test]
async fn jsonl_is_read_again_line_by_line() {
    let line = |i: usize| {
        format!(
            "{{\"case\": \"c{i}\", \"turns\": [{{\"response\": \"{i} é {}\"}}]}}\r\n",
            "x".repeat(i % 50)
        )
    };
    let text: String = (0..50_000).map(line).collect();
    assert!(text.len() > 3 << 20, "it takes several chunks");
    let files = [("a.jsonl", text.as_str())].into_iter().collect();
    let files = Arc::new(Counting(files, AtomicUsize::new(0)));
    let agent = Scripted::load(Path::new("a.jsonl"), "a.jsonl", files.clone()).unwrap();
    assert_eq!(files.1.swap(0, Ordering::Relaxed), text.len());
    for i in [0, 1, 24_999, 49_999] {
        let name = format!("c{i}");
        let reply = replies(&agent, &case(0, Some(&name), &["q"]))
            .await
            .unwrap();
        let response = reply[0].response.clone().unwrap();
        assert_eq!(response, format!("{i} é {}", "x".repeat(i % 50)));
    }
    assert!(files.1.load(Ordering::Relaxed) < 1000);
}

#[test]
fn unscripted_turn_is_no_answer() {
    let agent = load("a.json", r#"{"cases": {"a": []}}"#).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let replies = runtime
        .block_on(replies(&agent, &case(0, Some("a"), &["q"])))
        .unwrap();
    assert!(matches!(replies[0].fault, Some(Fault::Turn(_))));
    assert_eq!(replies[0].response, None);
}
