//! Test cases in a JSONL file.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use expect_test::expect;

use super::{HEAD, agent, all};
use crate::config::{Options, read};
use crate::files::{FileKind, Files, MemoryFiles};
use crate::plan::CaseSource;

#[test]
fn lines_are_cases_and_their_mistakes_have_their_lines() {
    agent("test_cases_file: d/c.jsonl\n")
        .file("d/c.jsonl", "\u{feff}{\"input\": \"x\"}\r\n\r\n{\"input\": 5}\n[\n{\"name\": \"n\", \"inputs\": 1}\n\"x\"")
        .check(&expect![[r#"
            d/c.jsonl:3:11 wrong-type test_cases[1]: test_cases[1].input: expected a string, got the number 5 [quote it: "5"]
            d/c.jsonl:4:2 json-syntax test_cases[2]: test_cases[2]: expected a value, found the end
            d/c.jsonl:5:1 missing-key n: test_cases[3]: has neither `input` nor `turns` [write `input` for a single turn, `turns` for a conversation]
            d/c.jsonl:5:15 unknown-key n: test_cases[3].inputs: unknown key `inputs` [did you mean `input`?]
            d/c.jsonl:6:1 wrong-type test_cases[4]: test_cases[4]: expected a mapping, got the string `x`
        "#]]);
}

#[test]
fn cases_read_again_are_those_that_were_checked() {
    let text = "{\"name\": \"a\", \"turns\": [{\"input\": \"${WHO}\", \"ground_truth\": \"1\"}]}\n\n{\"name\": \"a\", \"input\": \"y\"}\n";
    let config = agent("evaluations: {metrics: [{metric: numeric}]}\ntest_cases_file: c.jsonl\n")
        .file("c.jsonl", text)
        .var("WHO", "me")
        .config();
    let cases = all(&config);
    assert_eq!(cases[0].turns[0].input, "me");
    assert_eq!(cases[0].turns[0].metrics.len(), 1);
    assert_eq!(
        (cases[1].index, cases[1].id.occurrence, cases[1].single_turn),
        (1, 1, true)
    );
}

/// Files of which one changes on demand.
#[derive(Debug)]
struct Changing {
    files: MemoryFiles,
    changed: AtomicBool,
}

impl Files for Changing {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.read(path)
    }
    fn read_range(&self, path: &Path, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = self.files.read_range(path, offset, len)?;
        if self.changed.load(Ordering::Relaxed) {
            let at = bytes.iter().position(|b| *b == b'x').unwrap();
            bytes[at] = b'y';
        }
        Ok(bytes)
    }
    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        self.files.kind(path)
    }
    fn size(&self, path: &Path) -> io::Result<u64> {
        self.files.size(path)
    }
}

#[test]
fn a_file_that_changed_after_the_check_is_not_played() {
    let mut files = MemoryFiles::new();
    files.insert("agent.yaml", format!("{HEAD}test_cases_file: c.jsonl\n"));
    files.insert("c.jsonl", "{\"input\": \"x\"}\n");
    let changing = Arc::new(Changing {
        files,
        changed: AtomicBool::new(false),
    });
    let files: Arc<dyn Files> = Arc::clone(&changing) as Arc<dyn Files>;
    let loaded = read(
        Path::new("agent.yaml"),
        &files,
        &|_| None,
        &Options::default(),
    );
    let config = loaded.config.unwrap();
    assert!(config.cases().get(0).is_ok());
    changing.changed.store(true, Ordering::Relaxed);
    let error = config.cases().get(0).unwrap_err();
    expect!["test_cases[0] can't be read again: `c.jsonl` has changed since it was checked"]
        .assert_eq(&error.to_string());
}

#[test]
fn other_forms_of_a_test_cases_file() {
    let count = |name: &str, text: &str| {
        let config = agent(&format!("test_cases_file: {name}\n"))
            .file(name, text)
            .config();
        config.cases().len()
    };
    assert_eq!(count("c.yaml", "- {input: x}\n- {input: y}\n"), 2);
    assert_eq!(count("c.yaml", "test_cases: [{input: x}]\n"), 1);
    assert_eq!(count("c.yaml", "test_cases:\n"), 0);
    assert_eq!(count("c.json", "[{\"input\": \"x\"}]"), 1);
    assert_eq!(count("c.json", "\n"), 0);
    assert_eq!(count("c.jsonl", "\n \n"), 0);
    agent("test_cases_file: c.yaml\n")
        .file("c.yaml", "test_cases: [{input: x}]\nfoo: 1\n")
        .check(&expect![[r#"
            c.yaml:2:1 unknown-key foo: unknown key `foo`
        "#]]);
    agent("test_cases_file: c.yaml\n")
        .file("c.yaml", "x")
        .check(&expect![[r#"
            c.yaml:1:1 wrong-type test_cases_file: expected a list of test cases, or a mapping with the key `test_cases`, got the string `x`
        "#]]);
    agent("test_cases_file: c.jsonl\n").check(&expect![[r#"
        agent.yaml:3:18 file-not-found test_cases_file: there is no file `c.jsonl` [paths start at the folder of agent.yaml]
    "#]]);
    agent("test_cases_file: c.json\n")
        .file("c.json", "[{'input': 'x'}]")
        .check(&expect![[r#"
            c.json:1:3 json-syntax test_cases_file: expected a key in double quotes or `}`
        "#]]);
}

#[test]
fn bytes_that_are_no_text_have_their_line() {
    let mut load = agent("test_cases_file: c.jsonl\n");
    load.files.insert(
        "c.jsonl",
        b"{\"input\": \"x\"}\n\n{\"input\": \"caf\xe9\"}\n",
    );
    load.check(&expect![[r#"
        c.jsonl:3:15 not-utf-8 test_cases[1]: test_cases[1]: byte 0xE9 is not UTF-8 [save the file as UTF-8]
    "#]]);
}
