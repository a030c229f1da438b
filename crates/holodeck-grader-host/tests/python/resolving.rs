//! Where a grader is found, and what is said when it is not.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use holodeck_grader_host::{GraderHost, HostConfig};

use super::{has_python, host_of, hostile, result};

/// The problem alone, without the reference in front and what was looked for behind.
async fn problem(host: &GraderHost, reference: &str) -> String {
    let error = host.resolve(reference).await.unwrap_err().to_string();
    assert!(!error.contains('\n'), "{error}");
    let problem = error
        .strip_prefix(&format!("`{reference}`: "))
        .unwrap_or(&error);
    problem.split(" (Python ").next().unwrap().to_owned()
}

#[tokio::test]
async fn modules_packages_and_namespaces_are_found() {
    if !has_python() {
        return;
    }
    let (host, _dir) = host_of(&[
        ("top.py", "def f(c): return True"),
        ("pkg/__init__.py", "def f(c): return True"),
        (
            "pkg/inner.py",
            "from . import f as g\ndef f(c): return g(c)",
        ),
        ("space/inner/deep.py", "from space.other import f"),
        ("space/other.py", "def f(c): return True"),
        ("größe.py", "def prüfe(c): return True"),
        ("statistics.py", "def f(c): return True"),
        ("lambdas.py", "f = lambda c: True"),
    ]);
    for reference in [
        "top:f",
        "pkg:f",
        "pkg.inner:f",
        "space.inner.deep:f",
        "größe:prüfe",
        "statistics:f",
        "lambdas:f",
    ] {
        assert_eq!(
            result(&host, reference).await.passed,
            Some(true),
            "{reference}"
        );
    }
    host.close().await;
}

#[tokio::test]
async fn folders_are_looked_in_in_order_and_see_each_other() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let folders: Vec<PathBuf> = ["one", "two"]
        .iter()
        .map(|name| dir.path().join(name))
        .collect();
    for folder in &folders {
        std::fs::create_dir(folder).unwrap();
    }
    std::fs::write(folders[0].join("a.py"), "from b import f").unwrap();
    std::fs::write(folders[1].join("a.py"), "def f(c): return False").unwrap();
    std::fs::write(folders[1].join("b.py"), "def f(c): return True").unwrap();
    let host = super::host_along(folders);
    assert_eq!(result(&host, "a:f").await.passed, Some(true));
    assert_eq!(result(&host, "b:f").await.passed, Some(true));
    host.close().await;
}

#[tokio::test]
async fn what_is_wrong_is_said_in_one_line() {
    if !has_python() {
        return;
    }
    let (host, dir) = host_of(&[
        (
            "vgraders.py",
            "CONST = 5\nclass Half:\n  def __getattr__(self, n): raise AttributeError(n)",
        ),
        ("vraises.py", "\n\nraise ValueError('boom\\nand more')"),
        ("vsyntax.py", "def f(ctx)\n    return True\n"),
        ("vindent.py", "def f(ctx):\nreturn True\n"),
        ("vimports.py", "import not_installed_here"),
        ("vfrom.py", "from vgraders import absent"),
        ("json.py", "def dumps(c): return True"),
        ("sys.py", "def f(c): return True"),
        ("latin.py", "x = '\u{e9}'"),
    ]);
    std::fs::write(dir.path().join("latin.py"), b"x = '\xe9'").unwrap();
    let root = dir.path().display().to_string();
    for (reference, expected) in [
        (
            "nope_mod_x:f",
            "ModuleNotFoundError: No module named 'nope_mod_x'".to_owned(),
        ),
        (
            "vgraders.inner:f",
            "ModuleNotFoundError: No module named 'vgraders.inner'; 'vgraders' is not a package"
                .to_owned(),
        ),
        (
            "vgraders:nope",
            format!(
                "AttributeError: module 'vgraders' ({root}/vgraders.py) has no attribute 'nope'"
            ),
        ),
        (
            "vgraders:CONST",
            "TypeError: 'vgraders:CONST' is not callable, it is of type int".to_owned(),
        ),
        (
            "vraises:f",
            format!("ValueError: boom and more ({root}/vraises.py, line 3)"),
        ),
        (
            "vimports:f",
            format!(
                "ModuleNotFoundError: No module named 'not_installed_here' ({root}/vimports.py, line 1)"
            ),
        ),
    ] {
        assert_eq!(problem(&host, reference).await, expected);
    }
    for (reference, expected) in [
        ("vsyntax:f", "(vsyntax.py, line 1)"),
        ("vindent:f", "IndentationError: "),
        (
            "vfrom:f",
            "ImportError: cannot import name 'absent' from 'vgraders'",
        ),
        (
            "json:dumps",
            "json.py is hidden by Python's own module 'json' (",
        ),
        (
            "sys:f",
            "sys.py is hidden by Python's own module 'sys' (built in)",
        ),
        ("latin:f", "SyntaxError: "),
        ("..a:f", "TypeError: "),
    ] {
        let problem = problem(&host, reference).await;
        assert!(problem.contains(expected), "{reference}: {problem}");
    }
    for reference in [
        "json.dumps",
        "a::b",
        "a:b:c",
        "my-mod:f",
        ":f",
        "a:",
        "a b:f",
        "a/b:f",
        "",
    ] {
        assert_eq!(
            problem(&host, reference).await,
            format!("`{reference}` is not of the form `module.path:function`")
        );
    }
    let whole = host.resolve("nope_mod_x:f").await.unwrap_err().to_string();
    assert!(
        whole.contains(" (Python 3.") && whole.contains(", from "),
        "{whole}"
    );
    assert!(
        whole.ends_with(&format!("; looked for in {root})")),
        "{whole}"
    );
    host.close().await;
}

#[tokio::test]
async fn imports_that_end_the_worker_or_never_end_are_told() {
    if !has_python() {
        return;
    }
    let host = hostile();
    assert_eq!(
        problem(&host, "import_exits:f").await,
        "its import crashed: exited with status 5"
    );
    assert!(
        problem(&host, "import_raises:f")
            .await
            .starts_with("SystemExit: not today")
    );
    // The second time it is remembered.
    let before = Instant::now();
    problem(&host, "import_exits:f").await;
    assert!(before.elapsed() < Duration::from_millis(5));
    assert_eq!(
        result(&host, "returns:checker").await.score.to_string(),
        "0.75"
    );
    host.close().await;
}

#[tokio::test]
#[ignore = "takes the 30 s of the deadline"]
async fn an_import_that_hangs_is_given_up() {
    let host = hostile();
    assert_eq!(
        problem(&host, "import_hangs:f").await,
        "its import does not end within 30 s"
    );
    host.close().await;
}

#[tokio::test]
async fn an_interpreter_that_is_none_is_named_with_its_source() {
    let dir = tempfile::tempdir().unwrap();
    let python = |path: &str| {
        let mut config = HostConfig::new(vec![dir.path().to_owned()]);
        config.python = Some(path.into());
        GraderHost::new(config)
    };
    let missing = python("./no/python")
        .resolve("m:f")
        .await
        .unwrap_err()
        .to_string();
    assert!(
        missing.contains("no/python` did not start: No such file"),
        "{missing}"
    );
    assert!(
        missing.contains("(from execution.python; set `execution.python` to another)"),
        "{missing}"
    );
    let other = python("/bin/true")
        .resolve("m:f")
        .await
        .unwrap_err()
        .to_string();
    assert!(
        other.contains("`/bin/true` did not start: exited with status 0"),
        "{other}"
    );
}

#[tokio::test]
async fn whatever_the_locale_and_the_variables_of_python_text_is_utf_8() {
    if !has_python() {
        return;
    }
    let grader = "
import sys
def f(c):
    print('ü')
    return sys.flags.utf8_mode == 1 and open(__file__).read().endswith('# ü') and sys.stdout.encoding == 'utf-8'
# ü";
    let (host, _dir) = host_of(&[("m.py", grader)]);
    let graded = super::grade(&host, "m:f").await;
    assert_eq!(graded.stdout, "ü\n");
    assert_eq!(graded.result.unwrap().passed, Some(true));
    host.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_does_not_count_against_the_deadline_of_a_call() {
    if !has_python() {
        return;
    }
    let grader = "import time\ntime.sleep(1.5)\ndef f(c):\n    time.sleep(0.1)\n    return True";
    let (host, _dir) = host_of(&[("slow.py", grader)]);
    let grader = host.resolve("slow:f").await.unwrap();
    let context = super::context("input");
    let deadline = Duration::from_secs(1);
    let (one, two) = tokio::join!(
        grader.grade(&context, deadline),
        grader.grade(&context, deadline)
    );
    assert_eq!(one.result.unwrap().passed, Some(true));
    assert_eq!(two.result.unwrap().passed, Some(true));
    host.close().await;
}
