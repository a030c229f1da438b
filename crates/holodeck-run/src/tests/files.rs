//! The journal as a file.

use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use holodeck_model::event::Event;
use holodeck_model::outcome::{CaseOutcome, TurnOutcome};
use holodeck_model::plan::{
    CaseId, CasePlan, CaseSource, CaseUnreadable, MetricKind, RunPlan, RunSettings,
};
use holodeck_model::record::{TokenUsage, ToolInvocation, TurnEnd, TurnRecord};
use holodeck_model::verdict::{MetricVerdict, ToolVerdict, TurnVerdict};
use holodeck_value::Value;
use tempfile::TempDir;
use tokio::sync::watch;

use super::fake::{FakeAgent, NOW};
use super::header;
use super::script::{Script, parse};
use crate::journal::{Footer, Header, Mask};
use crate::{Journal, JournalReader, run};

fn json(text: &str) -> Value {
    Value::from_json(text).unwrap()
}

/// A case with something in every field.
pub(super) fn case(index: usize, score: f64) -> CaseOutcome {
    let args = json(r#"{"a": 206588, "b": 1.0, "big": 123456789012345678901234567890}"#);
    let turn = TurnOutcome {
        index: 0,
        input: "what is the difference?".to_owned(),
        ground_truth: Some("25587".to_owned()),
        expected_tools: Some(vec![json(r#"{"name": "subtract", "args": {"a": 206588}}"#)]),
        asserted: true,
        record: TurnRecord {
            end: TurnEnd::Replied,
            response: Some("25587".to_owned()),
            tool_invocations: vec![ToolInvocation {
                name: "subtract".to_owned(),
                args: args.clone(),
                result: json("25587"),
                error: None,
                duration_ms: Some(3),
            }],
            usage: Some(TokenUsage::new(180, 12, None).unwrap()),
            duration_ms: 41,
            processed_files: Vec::new(),
        },
        verdict: TurnVerdict {
            tools: vec![ToolVerdict {
                expected_tool: "subtract".to_owned(),
                bare: false,
                passed: true,
                args_asserted: args.as_object().cloned(),
                count: 1,
                matched_call_index: Some(0),
                unmatched_reason: None,
                summary: "subtract(a=206588)".to_owned(),
            }],
            metrics: vec![MetricVerdict {
                name: "numeric".to_owned(),
                kind: MetricKind::Standard,
                score,
                threshold: None,
                passed: true,
                error: None,
                reasoning: None,
                evaluation_time_ms: 0,
                model_used: None,
                details: None,
                output: None,
                fails_case: false,
            }],
        },
    };
    CaseOutcome {
        index,
        id: CaseId {
            key: "convfinqa-0".to_owned(),
            occurrence: 0,
        },
        name: Some("convfinqa-0".to_owned()),
        single_turn: false,
        started_at: NOW.to_owned(),
        error: None,
        turns: vec![turn],
    }
}

fn footer(n_finished: usize) -> Footer {
    Footer {
        finished_at: NOW.to_owned(),
        interrupted: false,
        n_finished,
        n_not_run: 0,
        duration_ms: 41,
    }
}

fn no_mask() -> Mask {
    Box::new(|_| {})
}

/// A journal of the given cases, in that order, and its text.
fn written(indexes: &[usize]) -> (TempDir, String) {
    written_with(&header(&parse("a: ok")), indexes)
}

fn written_with(header: &Header, indexes: &[usize]) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results/run.jsonl");
    let mut journal = Journal::create(&path, header, no_mask()).unwrap();
    for index in indexes {
        journal.append(&mut case(*index, 1.0)).unwrap();
    }
    journal.finish(&footer(indexes.len())).unwrap();
    let text = fs::read_to_string(path).unwrap();
    (folder, text)
}

/// What reading `text` as a journal says: the indexes of its cases, then what is to be told of it.
fn read(text: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    fs::write(&path, text).unwrap();
    let told = match JournalReader::open(&path) {
        Err(error) => error.to_string(),
        Ok(mut journal) => {
            let torn = journal.torn().map(|torn| format!(" {torn}"));
            let footer = journal.footer().map_or(" no footer", |_| "");
            let cases: Vec<String> = journal
                .cases()
                .map(|read| read.map_or_else(|e| e.to_string(), |c| c.index.to_string()))
                .collect();
            cases.join(",") + footer + &torn.unwrap_or_default()
        }
    };
    told.replace(path.to_str().unwrap(), "FILE")
}

#[test]
fn cases_are_read_in_file_order_whatever_order_they_finished_in() {
    let (_folder, text) = written(&[2, 0, 3, 1]);
    assert_eq!(read(text.as_bytes()), "0,1,2,3");
}

#[test]
fn a_case_is_read_back_as_it_was_written() {
    let (folder, _) = written(&[0]);
    let path = folder.path().join("results/run.jsonl");
    let mut journal = JournalReader::open(&path).unwrap();
    assert_eq!(journal.header(), &header(&parse("a: ok")));
    let cases: Vec<_> = journal.cases().map(Result::unwrap).collect();
    assert_eq!(cases, [case(0, 1.0)]);
    let number = cases[0].turns[0].record.tool_invocations[0].args.to_json();
    assert!(number.contains("123456789012345678901234567890"));
    assert!(number.contains("1.0"), "{number}");
    assert_eq!(journal.cases().count(), 1, "and may be read again");
}

#[test]
fn deeply_nested_arguments_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut journal = Journal::create(&path, &header(&parse("a: ok")), no_mask()).unwrap();
    let mut case = case(0, 1.0);
    let deep = "[".repeat(400) + &"]".repeat(400);
    case.turns[0].record.tool_invocations[0].args = json(&deep);
    journal.append(&mut case).unwrap();
    let mut read = JournalReader::open(&path).unwrap();
    assert_eq!(read.cases().next().unwrap().unwrap(), case);
}

#[test]
fn a_last_line_that_was_cut_short_is_left_out_and_told() {
    let (_folder, text) = written(&[0, 1]);
    let whole: usize = text.split_inclusive('\n').take(2).map(str::len).sum();
    let cut = &text.as_bytes()[..whole + 40];
    assert_eq!(
        read(cut),
        "0 no footer the journal's last line (3) is cut short after 40 bytes: the run ended while writing it, and it is left out"
    );
    let zeros = [&text.as_bytes()[..whole], &[0; 4096]].concat();
    assert!(read(&zeros).starts_with("0 no footer the journal's last line (3) is cut short"));
    assert_eq!(read(&text.as_bytes()[..whole]), "0 no footer");
    assert_eq!(
        read(text.trim_end().as_bytes()),
        "0,1",
        "whole but for its line break"
    );
}

#[test]
fn a_damaged_journal_is_refused_with_the_line() {
    let (_folder, text) = written(&[0, 1]);
    let lines: Vec<&str> = text.lines().collect();
    let [first, case, _, footer] = lines[..] else {
        panic!("{text}")
    };
    let told = |lines: &[&str]| read((lines.join("\n") + "\n").as_bytes());
    assert_eq!(
        told(&[first, &case[..40], case, footer]),
        "the journal `FILE` is damaged at line 2: EOF while parsing a string, at byte 40"
    );
    assert_eq!(
        told(&[first, case, footer]),
        "the journal `FILE` is damaged at line 3: it counts 2 finished cases, and 1 are here"
    );
    assert_eq!(
        told(&[first, case, case, footer, case]),
        "the journal `FILE` is damaged at line 5: nothing may follow the footer"
    );
    assert_eq!(
        told(&[first, &case.replace("\"turns\"", "\"tunrs\"")]),
        format!(
            "the journal `FILE` is damaged at line 2: missing field `turns`, at byte {} no footer",
            case.len() - 1
        )
    );
}

#[test]
fn other_files_are_refused_by_what_they_are() {
    assert_eq!(read(b""), "`FILE` is not a journal: it is empty");
    assert_eq!(
        read(b"name: my-agent\n"),
        "`FILE` is not a journal: its first line does not begin with `{\"holodeck_journal\":` (expected ident, at byte 2)"
    );
    assert_eq!(
        read(b"{\"holodeck_journal\": 2, \"header\": 7, \"more\": 1}\n"),
        "the journal `FILE` has version 2 of the format, and this holodeck reads version 1: use the holodeck that wrote it, or run again"
    );
    let missing = JournalReader::open(Path::new("no/such.jsonl")).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "the journal `no/such.jsonl` can't be read: No such file or directory (os error 2)"
    );
    let folder = JournalReader::open(Path::new(".")).unwrap_err();
    assert_eq!(
        folder.to_string(),
        "the journal `.` can't be read: is a directory"
    );
}

#[test]
fn secrets_are_masked_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mask = Box::new(|case: &mut CaseOutcome| {
        for turn in &mut case.turns {
            turn.input = turn.input.replace("difference", "***");
        }
    });
    let mut journal = Journal::create(&path, &header(&parse("a: ok")), mask).unwrap();
    let mut case = case(0, 1.0);
    journal.append(&mut case).unwrap();
    assert_eq!(case.turns[0].input, "what is the ***?");
    assert!(!fs::read_to_string(path).unwrap().contains("difference"));
}

#[test]
fn a_journal_is_never_overwritten() {
    let (folder, text) = written(&[0]);
    let path = folder.path().join("results/run.jsonl");
    let again = Journal::create(&path, &header(&parse("a: ok")), no_mask()).unwrap_err();
    assert!(
        again
            .to_string()
            .ends_with("can't be created: File exists (os error 17)")
    );
    assert_eq!(fs::read_to_string(path).unwrap(), text);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_with_the_file() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let header = header(&parse("a: ok"));
    let error = Journal::on(full, Path::new("/dev/full"), &header, no_mask()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the journal `/dev/full` can't be written: No space left on device (os error 28)"
    );
}

#[test]
fn the_documented_example_is_what_is_written() {
    let page = include_str!("../../../../docs/reference/journal.md");
    let (_, example) = page.split_once("```json\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let header = Header {
        agent: "financial-assistant".to_owned(),
        agent_config_path: "examples/financial-assistant/agent.yaml".to_owned(),
        ..header(&parse("a: ok"))
    };
    assert_eq!(written_with(&header, &[0]).1, example);
}

/// Makes its cases when asked for and counts those that are alive.
#[derive(Debug)]
struct LazyCases {
    script: Script,
    n_cases: usize,
    alive: Mutex<Vec<Weak<CasePlan>>>,
    most_alive: AtomicUsize,
}

impl CaseSource for LazyCases {
    fn len(&self) -> usize {
        self.n_cases
    }

    fn get(&self, i: usize) -> Result<Arc<CasePlan>, CaseUnreadable> {
        let case = self.script.get(0)?;
        let case = Arc::new(CasePlan {
            index: i,
            ..(*case).clone()
        });
        let mut alive = self.alive.lock().unwrap();
        alive.retain(|case| case.strong_count() > 0);
        alive.push(Arc::downgrade(&case));
        self.most_alive.fetch_max(alive.len(), Ordering::Relaxed);
        Ok(case)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_cases_are_read_one_by_one_told_in_order_and_let_go() {
    let script = parse("a: ok, ok, error, ok");
    let agent = Arc::new(FakeAgent::new(&script));
    let header = header(&script);
    let cases = Arc::new(LazyCases {
        script,
        n_cases: 500,
        alive: Mutex::default(),
        most_alive: AtomicUsize::new(0),
    });
    let plan = RunPlan {
        agent: "fake".to_owned(),
        cases: Arc::clone(&cases) as Arc<dyn CaseSource>,
        settings: RunSettings {
            llm_timeout: Duration::from_mins(1),
            parallel_test_cases: 7,
        },
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let mut journal = Journal::create(&path, &header, no_mask()).unwrap();
    let interrupt = watch::channel(false).1;
    let ports = agent.ports();
    let mut turns_told = [0; 500];
    let running = run(
        &plan,
        &ports,
        &mut journal,
        interrupt,
        |event| match event {
            Event::TurnFinished { index, turn, .. } => {
                assert_eq!(turn, turns_told[index]);
                turns_told[index] += 1;
            }
            Event::CaseFinished { outcome } => assert_eq!(turns_told[outcome.index], 4),
            _ => {}
        },
    );
    let outcome = running.await.unwrap();
    assert_eq!((outcome.n_failed, outcome.n_turns), (500, 2000));
    assert!(cases.most_alive.load(Ordering::Relaxed) <= 8);
    let mut journal = JournalReader::open(&path).unwrap();
    let indexes = journal.cases().map(|case| case.unwrap().index);
    assert!(indexes.eq(0..500));
}
