//! Input that is wrong in every way: a clear word and the right exit code, never a panic, never a hang.

use holodeck_tests::program::{Folder, Run, run};

const HEAD: &str = "\
name: a
model: {provider: scripted, name: replies.yaml}
instructions: {inline: hi}
";

const ONE_CASE: &str = "test_cases: [{name: c, turns: [{input: q}]}]\n";

const REPLIES: &str = "default: [{response: ok}]\n";

/// `holodeck test agent.yaml` on these bytes.
fn test(agent: impl AsRef<[u8]>) -> Run {
    let folder = Folder::with(&[("replies.yaml", REPLIES)]);
    folder.write("agent.yaml", agent);
    folder.run(["test", "agent.yaml"])
}

/// The same with a good head.
fn test_cases(rest: &str) -> Run {
    test(format!("{HEAD}{rest}"))
}

#[test]
fn no_file_is_named() {
    Folder::new()
        .run(["test", "nowhere.yaml"])
        .must_exit(2)
        .must_complain("nowhere.yaml");
}

#[test]
fn no_argument_means_agent_yaml_here() {
    Folder::new()
        .run(["test"])
        .must_exit(2)
        .must_complain("agent.yaml");
}

#[test]
fn a_directory_is_no_file() {
    let folder = Folder::new();
    folder.write("agent.yaml/x", "");
    folder
        .run(["test", "agent.yaml"])
        .must_exit(2)
        .must_complain("folder, not a file");
}

#[test]
fn an_empty_file_lacks_everything() {
    test("").must_exit(2).must_complain("empty");
}

#[test]
fn bytes_that_are_not_utf_8_are_placed() {
    test(b"name: \xff\xfe\n")
        .must_exit(2)
        .must_complain("UTF-8");
}

#[test]
fn utf_16_is_told_apart() {
    let utf16: Vec<u8> = "\u{feff}name: a\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    test(utf16).must_exit(2).must_complain("UTF-8");
}

#[test]
fn a_byte_order_mark_and_carriage_returns_do_not_matter() {
    let text = format!("\u{feff}{HEAD}{ONE_CASE}").replace('\n', "\r\n");
    test(text).must_exit(0);
}

#[test]
fn tabs_as_indentation_are_placed() {
    test(format!("{HEAD}execution:\n\tllm_timeout: 5\n"))
        .must_exit(2)
        .must_complain("agent.yaml:5");
}

#[test]
fn an_alias_bomb_is_refused_quickly() {
    let mut lines = vec![
        "bomb:".to_owned(),
        "  a0: &a0 [x, x, x, x, x, x, x, x, x, x]".to_owned(),
    ];
    lines.extend((1..30).map(|i| {
        let aliases = vec![format!("*a{}", i - 1); 10].join(", ");
        format!("  a{i}: &a{i} [{aliases}]")
    }));
    let bomb = lines.join("\n") + "\n";
    let run = test(format!(
        "{bomb}{HEAD}test_cases: [{{turns: [{{input: q, turn_config: {{x: *a29}}}}]}}]\n"
    ));
    run.must_exit(2);
    assert!(run.elapsed.as_secs() < 10, "{:?}", run.elapsed);
}

#[test]
fn ten_thousand_levels_are_refused_in_every_shape() {
    let depth = 10_000;
    let list = format!("x: {}{}\n", "[".repeat(depth), "]".repeat(depth));
    let flow = format!("x: {}1{}\n", "{a: ".repeat(depth), "}".repeat(depth));
    let dashes = format!("x:\n  {}1\n", "- ".repeat(depth));
    let indented = (0..2_000)
        .map(|i| " ".repeat(i) + "a:")
        .collect::<Vec<_>>()
        .join("\n");
    for text in [list, flow, dashes, indented] {
        test(&text).must_exit(2);
        test_cases(&text).must_exit(2);
    }
    let json = format!("[{}{}]", "[".repeat(depth), "]".repeat(depth));
    let folder = Folder::with(&[
        (
            "agent.yaml",
            &format!("{HEAD}test_cases_file: cases.json\n"),
        ),
        ("cases.json", &json),
    ]);
    folder.run(["test", "agent.yaml"]).must_exit(2);
}

#[test]
fn a_repeated_key_shows_both_places() {
    test_cases("test_cases:\n  - turns:\n      - input: q\n        input: r\n")
        .must_exit(2)
        .must_complain("agent.yaml:7")
        .must_complain("first set here");
}

#[test]
fn a_count_of_five_hundred_digits_is_too_large() {
    let count = "9".repeat(500);
    test_cases(&format!(
        "test_cases: [{{turns: [{{input: q, expected_tools: [{{name: s, count: {count}}}]}}]}}]\n"
    ))
    .must_exit(2)
    .must_complain("count");
}

#[test]
fn a_catastrophic_regex_fails_its_assertion_and_no_more() {
    let folder = Folder::with(&[
        (
            "agent.yaml",
            &format!(
                "{HEAD}test_cases:\n  - turns: [{{input: q, expected_tools: [{{name: s, args: {{a: {{regex: '(?=a)(a+)+\\1$'}}}}}}]}}]\n  - input: q\n"
            ),
        ),
        (
            "replies.yaml",
            &format!(
                "default: [{{response: ok, tool_calls: [{{name: s, args: {{a: {}!}}}}]}}]\n",
                "a".repeat(5_000)
            ),
        ),
    ]);
    let run = folder.run(["test", "agent.yaml"]);
    run.must_exit(1);
    assert!(
        run.stdout.contains("gave up") || run.stderr.contains("gave up"),
        "{}{}",
        run.stdout,
        run.stderr
    );
    assert!(run.elapsed.as_secs() < 20, "{:?}", run.elapsed);
}

#[test]
fn a_missing_scripted_file_is_named() {
    let folder = Folder::with(&[("agent.yaml", &format!("{HEAD}{ONE_CASE}"))]);
    folder
        .run(["test", "agent.yaml"])
        .must_exit(2)
        .must_complain("replies.yaml");
}

#[test]
fn a_malformed_scripted_file_is_placed() {
    for (replies, word) in [
        ("cases: [", "replies.yaml:"),
        ("- a\n", "replies.yaml"),
        ("default: [{respnse: ok}]\n", "response"),
        ("default: [{response: ok, fault: sleepy}]\n", "sleepy"),
        ("cases: {c: [{response: 5}]}\n", "replies.yaml:1"),
    ] {
        let folder = Folder::with(&[
            ("agent.yaml", &format!("{HEAD}{ONE_CASE}")),
            ("replies.yaml", replies),
        ]);
        folder
            .run(["test", "agent.yaml"])
            .must_exit(2)
            .must_complain(word);
    }
}

#[test]
fn a_live_provider_is_refused_with_the_way_on() {
    let folder = Folder::with(&[(
        "agent.yaml",
        &format!("{HEAD}{ONE_CASE}").replace("scripted", "openai"),
    )]);
    folder
        .run(["test", "agent.yaml"])
        .must_exit(2)
        .must_complain("--agent scripted:");
}

#[test]
fn a_metric_of_a_later_release_is_refused_and_placed() {
    let rest = "evaluations: {metrics: [{type: standard, metric: bleu}]}\ntest_cases: [{name: c, input: q, ground_truth: a}]\n";
    test_cases(rest).must_exit(2).must_complain("bleu");
    let folder = Folder::with(&[
        ("replies.yaml", REPLIES),
        ("agent.yaml", &format!("{HEAD}{rest}")),
    ]);
    folder.run(["check", "agent.yaml"]).must_exit(0);
}

#[test]
fn a_full_disk_is_no_success() {
    let folder = Folder::with(&[
        ("replies.yaml", REPLIES),
        ("agent.yaml", &format!("{HEAD}{ONE_CASE}")),
    ]);
    let full = std::path::Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    folder
        .run([
            "test",
            "agent.yaml",
            "--format",
            "json",
            "--output",
            "/dev/full",
        ])
        .must_exit(3)
        .must_complain("/dev/full");
    assert!(
        !full.metadata().unwrap().is_file(),
        "a device was replaced by a file"
    );
    let mut command = folder.command(["config", "show", "agent.yaml"]);
    command.stdout(std::fs::File::create(full).unwrap());
    let run = holodeck_tests::program::finish(
        command
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap(),
    );
    run.must_exit(3);
}

#[test]
fn a_filter_that_selects_nothing_is_a_mistake() {
    let folder = Folder::with(&[
        ("replies.yaml", REPLIES),
        ("agent.yaml", &format!("{HEAD}{ONE_CASE}")),
    ]);
    folder
        .run(["test", "agent.yaml", "--filter", "nothing-like-it"])
        .must_exit(2)
        .must_complain("selects none");
    folder
        .run(["test", "agent.yaml", "--filter", "/(/"])
        .must_exit(2)
        .must_complain("(");
}

#[test]
fn hostile_names_reach_every_report_harmlessly() {
    let name = "\\e[31m <script>]]> \\u0000 \\\" ' & \u{202e}";
    let agent = format!("{HEAD}test_cases: [{{name: \"{name}\", input: \"{name}\"}}]\n");
    let folder = Folder::with(&[("replies.yaml", REPLIES), ("agent.yaml", &agent)]);
    let mut command = folder.command([
        "test",
        "agent.yaml",
        "-v",
        "--output",
        "r.json",
        "--output",
        "r.md",
        "--output",
        "r.xml",
    ]);
    let run = run(&mut command);
    run.must_exit(0);
    assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'));
    for report in ["r.json", "r.md", "r.xml"] {
        let text = folder.read(report);
        assert!(!text.contains('\u{1b}') && !text.contains('\0'), "{report}");
    }
}
