//! `holodeck grader`: what it writes works, and what it calls is told.

use std::process::Command;

use holodeck_tests::program::{self, Folder, target};
use holodeck_tests::{has_python, root};

const CONTEXT: &str =
    r#"{"turn_input": "Where?", "agent_response": "It is paris.", "ground_truth": "Paris"}"#;

#[test]
fn a_new_python_grader_passes_its_test_and_judges() {
    if !has_python() {
        return;
    }
    let folder = Folder::with(&[("context.json", CONTEXT)]);
    folder
        .run(["grader", "new", "capital", "--python", "graders"])
        .must_exit(0)
        .must_complain("grader: \"capital:grade\"");
    let mut python = Command::new("python3");
    python
        .args(["-m", "unittest", "test_capital"])
        .current_dir(folder.path("graders"));
    program::run(&mut python)
        .must_exit(0)
        .must_complain("Ran 2 tests");
    let run = ["grader", "run", "capital:grade", "--folder", "graders"];
    let run = folder.run(run.iter().chain(&["--context", "context.json"]));
    run.must_exit(0);
    assert!(
        run.stdout.contains("result   passed\nscore    1\n"),
        "{run:?}"
    );
}

#[test]
fn a_new_grader_overwrites_none() {
    let folder = Folder::new();
    let new = ["grader", "new", "capital", "--python", "graders"];
    folder.run(new).must_exit(0);
    folder
        .run(new)
        .must_exit(2)
        .must_complain("already has capital.py and test_capital.py; nothing was written");
}

#[test]
fn a_new_native_grader_passes_its_test_and_judges() {
    let folder = Folder::with(&[("context.json", CONTEXT)]);
    folder
        .run(["grader", "new", "capital", "--native"])
        .must_exit(0)
        .must_complain("grader_path: [capital/target/release]");
    let sdk = root().join("crates/holodeck-grader");
    let patch = format!(
        "patch.crates-io.holodeck-grader.path={:?}",
        sdk.display().to_string()
    );
    let built = target().join("examples");
    for command in ["test", "build"] {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo
            .args([command, "--quiet", "--config", &patch, "--target-dir"])
            .arg(&built)
            .current_dir(folder.path("capital"));
        program::run(&mut cargo).must_exit(0);
    }
    let library = built.join("debug");
    let mut command = folder.command(["grader", "run", "capital:grade", "--folder"]);
    command.arg(library).args(["--context", "context.json"]);
    let run = program::run(&mut command);
    run.must_exit(0);
    assert!(
        run.stdout.contains("reason   looked for `Paris`"),
        "{run:?}"
    );
}

#[test]
fn a_name_that_is_none_is_refused() {
    let folder = Folder::new();
    for name in ["a-b", "1a", "a.b", "", "../a", "é"] {
        let run = folder.run(["grader", "new", "--python", "--", name]);
        run.must_exit(2).must_complain("can't be the name");
    }
    folder.run(["grader", "new", "a"]).must_exit(2);
}

#[test]
fn a_call_tells_result_reason_output_and_time() {
    if !has_python() {
        return;
    }
    let folder = Folder::with(&[(
        "g.py",
        "\
import os
from holodeck import GraderResult


def half(ctx):
    print('looking at', ctx.turn_input)
    return GraderResult(0.5, reason='half\\nof it', details={'k': [1, 2.50]})


def raises(ctx):
    raise ValueError('no program')


def exits(ctx):
    os._exit(3)
",
    )]);
    folder.write("context.json", r#"{"turn_input": "x", "turn_imput": "y"}"#);
    let call = |reference: &str, more: &[&str]| {
        let words = ["grader", "run", reference, "--context", "context.json"];
        folder.run(words.iter().chain(more))
    };
    let run = call("g:half", &[]);
    run.must_exit(0).must_complain("`turn_imput`");
    let told = "result   passed\nscore    0.5\nreason   half\n         of it\ndetails  {\"k\":[1,2.5]}\ntime     ";
    assert!(run.stdout.starts_with(told), "{run:?}");
    assert!(
        run.stdout.ends_with("--- stdout\nlooking at x\n"),
        "{run:?}"
    );

    let strict = call("g:half", &["--threshold", "0.6"]);
    strict.must_exit(1);
    let raises = call("g:raises", &[]);
    raises.must_exit(1);
    assert!(
        raises.stdout.contains("error    ValueError: no program\n"),
        "{raises:?}"
    );
    assert!(raises.stdout.contains("--- trace\nTraceback"), "{raises:?}");
    let exits = call("g:exits", &[]);
    exits.must_exit(1);
    assert!(exits.stdout.contains("exited with status 3"), "{exits:?}");

    call("g:nobody", &[]).must_exit(2).must_complain("nobody");
}

#[test]
fn a_call_that_can_t_be_made_is_refused() {
    let folder = Folder::with(&[("g.py", "def f(ctx):\n    return True\n")]);
    let call =
        |reference: &str| folder.run(["grader", "run", reference, "--context", "context.json"]);
    call("g:f").must_exit(2).must_complain("context.json");
    for broken in ["[1]", "{"] {
        folder.write("context.json", broken);
        call("g:f").must_exit(2).must_complain("context.json");
    }
    folder.write("context.json", CONTEXT);
    call("nonsense")
        .must_exit(2)
        .must_complain("module.path:function");
}
