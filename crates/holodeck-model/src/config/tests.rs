//! Loads from files in memory.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

mod cases;
mod graders;
mod hostile;
mod jsonl;
mod layers;
mod secrets;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use expect_test::{Expect, expect};

use super::{Config, Loaded, Options, Overrides, read};
use crate::diagnostic::{Diagnostic, Severity};
use crate::files::{Files, MemoryFiles};
use crate::plan::{CasePlan, CaseSource};

/// A load to be made.
#[derive(Default)]
struct Load {
    files: MemoryFiles,
    env: BTreeMap<String, String>,
    overrides: Overrides,
}

const HEAD: &str = "name: a\nmodel: {provider: scripted, name: r.yaml}\n";

/// An agent.yaml of the usual head and this.
fn agent(rest: &str) -> Load {
    Load::default().file("agent.yaml", &format!("{HEAD}{rest}"))
}

impl Load {
    fn file(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path, text);
        self
    }

    fn var(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    fn read(self) -> (Option<Config>, Vec<Diagnostic>) {
        let loaded = self.load();
        (loaded.config, loaded.diagnostics)
    }

    fn load(self) -> Loaded {
        let files: Arc<dyn Files> = Arc::new(self.files);
        let options = Options {
            working_folder: "started".into(),
            home: Some("me".into()),
            overrides: self.overrides,
        };
        let env = self.env;
        read(
            Path::new("agent.yaml"),
            &files,
            &|name| env.get(name).cloned(),
            &options,
        )
    }

    /// The configuration of a load without errors.
    #[track_caller]
    fn config(self) -> Config {
        let (config, diags) = self.read();
        config.unwrap_or_else(|| panic!("refused:\n{}", told(&diags)))
    }

    #[track_caller]
    fn check(self, expected: &Expect) {
        expected.assert_eq(&told(&self.read().1));
    }
}

/// A line a diagnostic: place, kind, test case, path, message, hint.
fn told(diags: &[Diagnostic]) -> String {
    let line = |d: &Diagnostic| {
        let place = d
            .place
            .as_ref()
            .map(|p| format!("{}:{}:{} ", p.file, p.line, p.column));
        let mark = if d.severity == Severity::Error {
            ""
        } else {
            "(warning) "
        };
        let case = d.case.as_ref().map(|c| format!("{c}: "));
        let hint = d.hint.as_ref().map(|h| format!(" [{h}]"));
        let or = Option::unwrap_or_default;
        format!(
            "{}{mark}{} {}{}: {}{}\n",
            or(place),
            d.code,
            or(case),
            d.path,
            d.message,
            or(hint)
        )
    };
    diags.iter().map(line).collect()
}

fn all(config: &Config) -> Vec<Arc<CasePlan>> {
    let cases = config.cases();
    (0..cases.len()).map(|i| cases.get(i).unwrap()).collect()
}

#[test]
fn mistakes_of_all_files_come_at_once_and_in_file_order() {
    let agent = "\
nam: a
model: {provider: openai, nme: m}
instructions: {file: nope.md}
test_cases_file: c.yaml
evaluations: {metrics: [{metric: numeric, absolute_tolerance: -1}]}
";
    let cases = "\
- {name: one, turns: [{input: x, expected_tools: [{name: f, args: {a: {regex: \"(\"}}}]}, {imput: y}]}
- {input: 5, turns: [], ground_truth: z}
";
    Load::default()
        .file("agent.yaml", agent)
        .file("c.yaml", cases)
        .file(
            "config.yaml",
            "execution: {llm_timeout: 0, llmtimeout: 1}\n",
        )
        .var("HOLODECK_QUIET", "maybe")
        .check(&expect![[r#"
            bad-environment HOLODECK_QUIET: the environment variable `HOLODECK_QUIET` must be true, 1, yes, on, false, 0, no or off, not `maybe`
            agent.yaml:1:1 unknown-key nam: unknown key `nam` [did you mean `name`?]
            agent.yaml:2:8 missing-key model.name: `name` is missing
            agent.yaml:2:27 unknown-key model.nme: unknown key `nme` [did you mean `name`?]
            agent.yaml:3:22 file-not-found instructions.file: there is no file `nope.md` [paths start at the folder of agent.yaml]
            agent.yaml:5:63 out-of-range evaluations.metrics[0].absolute_tolerance: must be at least 0, not -1
            c.yaml:1:79 bad-regex one: test_cases[0].turns[0].expected_tools[0].args.a.regex: cannot compile regex: missing ), unterminated subpattern at position 0
            c.yaml:1:90 unknown-key one: test_cases[0].turns[1].imput: unknown key `imput` [did you mean `input`?]
            c.yaml:2:4 beside-turns test_cases[1]: test_cases[1].input: `input` may not stand beside `turns` [move `input` onto a turn]
            c.yaml:2:11 wrong-type test_cases[1]: test_cases[1].input: expected a string, got the number 5 [quote it: "5"]
            c.yaml:2:21 too-few test_cases[1]: test_cases[1].turns: must have at least 1 entry
            c.yaml:2:25 beside-turns test_cases[1]: test_cases[1].ground_truth: `ground_truth` may not stand beside `turns` [move `ground_truth` onto a turn]
            config.yaml:1:26 out-of-range execution.llm_timeout: must be at least 1, not 0
            config.yaml:1:29 unknown-key execution.llmtimeout: unknown key `llmtimeout` [did you mean `llm_timeout`?]
        "#]]);
}

#[test]
fn a_root_that_is_no_agent_is_said_to_be_none() {
    Load::default().check(&expect![[r#"
        file-not-found : there is no file `agent.yaml` [`holodeck init` writes a first one]
    "#]]);
    Load::default()
        .file("agent.yaml/x", "")
        .check(&expect![[r#"
            not-a-file : `agent.yaml` is a folder, not a file [name the file in it: agent.yaml/agent.yaml]
        "#]]);
    Load::default().file("agent.yaml", "").check(&expect![[r#"
            empty-file : `agent.yaml` is empty
        "#]]);
    Load::default()
        .file("agent.yaml", "- a")
        .check(&expect![[r#"
            agent.yaml:1:1 wrong-type : expected a mapping, got a list
        "#]]);
}

#[test]
fn instructions_may_be_missing_only_where_the_agent_brings_its_own() {
    let yaml = "name: a\nmodel: {provider: openai, name: m}\n";
    Load::default().file("agent.yaml", yaml).check(&expect![[r#"
            agent.yaml:1:1 missing-key instructions: `instructions` is missing
        "#]]);
    let mut load = Load::default().file("agent.yaml", yaml);
    load.overrides.agent_replaced = true;
    load.config();
    let yaml = "name: a\nmodel: {provider: http, endpoint: https://x}\n";
    Load::default().file("agent.yaml", yaml).config();
}

#[test]
fn front_matter_is_kept_apart_from_instructions() {
    let prompt = "\u{feff}---\nversion: 1.10\ntags: [a, b]\nowner: me\n---\n\nBe brief, ${NAME}.\n";
    let config = agent("instructions: {file: p.md}\n")
        .file("p.md", prompt)
        .config();
    let instructions = config.instructions().unwrap();
    assert_eq!(instructions.text, "Be brief, ${NAME}.");
    let version = &instructions.version;
    assert_eq!(
        (version.version.as_str(), version.tags.join(" ").as_str()),
        ("1.10", "a b")
    );
    assert_eq!(version.extra.iter().count(), 1);
    agent("instructions: {file: p.md}\n")
        .file("p.md", "---\na: [\n---\nx")
        .check(&expect![[r#"
            p.md:2:4 yaml-syntax instructions: the `[` here is never closed [close it with `]`]
        "#]]);
    agent("instructions: {file: p.md}\n")
        .file("p.md", " \n")
        .check(&expect![[r#"
            agent.yaml:3:22 file-unreadable instructions.file: `p.md` is blank
        "#]]);
    let ruled = agent("instructions: {inline: \"---\\nno end\"}\n").config();
    assert_eq!(ruled.instructions().unwrap().text, "---\nno end");
}

#[test]
fn fields_that_do_nothing_say_so() {
    agent("observability: {enabled: true}\nevaluations: {metrics: [{metric: equality, absolute_tolerance: 1}]}\n")
        .check(&expect![[r#"
            agent.yaml:3:1 (warning) not-acted-on observability: `observability` has no effect here: nothing is exported through OpenTelemetry
            agent.yaml:4:44 (warning) not-acted-on evaluations.metrics[0].absolute_tolerance: `equality` does not use `absolute_tolerance`
        "#]]);
}

#[test]
fn hints_tell_where_a_key_belongs() {
    agent("test_cases:\n- {name: c, turns: [{input: x, turn_program: y}], files: []}\n- {inpt: x}\nevaluations: {metrics: [{type: numeric}]}\n")
        .check(&expect![[r#"
            agent.yaml:4:32 unknown-key c: test_cases[0].turns[0].turn_program: unknown key `turn_program` [put `turn_program` under `turn_config`]
            agent.yaml:4:51 beside-turns c: test_cases[0].files: `files` may not stand beside `turns` [move `files` onto a turn]
            agent.yaml:5:3 missing-key test_cases[1]: test_cases[1]: has neither `input` nor `turns` [write `input` for a single turn, `turns` for a conversation]
            agent.yaml:5:4 unknown-key test_cases[1]: test_cases[1].inpt: unknown key `inpt` [did you mean `input`?]
            agent.yaml:6:32 unknown-value evaluations.metrics[0].type: must be one of `standard`, `geval`, `rag` or `code`; `numeric` is none of them [write `type: standard` and `metric: numeric`]
        "#]]);
}
