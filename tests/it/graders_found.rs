//! Which of two graders a reference means: native or Python, this folder or that.

use std::path::{Path, PathBuf};
use std::time::Duration;

use holodeck_grader::{GraderContext, Value};
use holodeck_grader_host::{GraderHost, HostConfig};
use holodeck_tests::{has_python, library};
use holodeck_worker::WorkerCommand;

fn host(folders: &[&Path]) -> GraderHost {
    let mut config = HostConfig::new(folders.iter().map(PathBuf::from).collect());
    config.native_worker = Some(WorkerCommand::new(library::native_worker()));
    GraderHost::new(config)
}

/// What `m:config` of these folders says of a turn, or why there is none. The native one scores 0.25, the one in Python 0.75.
async fn meant(folders: &[&Path]) -> Result<f64, String> {
    let host = host(folders);
    let grader = host.resolve("m:config").await.map_err(|e| e.to_string())?;
    let mut context = GraderContext::new("q", "a");
    let score = Value::from_json("0.25").map_err(|e| e.to_string())?;
    context.turn_config.insert("score", score);
    let graded = grader.grade(&context, Duration::from_secs(30)).await;
    host.close().await;
    graded
        .result
        .map(|result| result.score)
        .map_err(|e| e.to_string())
}

fn put_native(folder: &Path) {
    let ending = library::hostile().extension().expect("it has one");
    let to = folder.join("m").with_extension(ending);
    std::fs::copy(library::hostile(), to).expect("it is copied");
}

fn put_python(folder: &Path) {
    std::fs::write(folder.join("m.py"), "def config(ctx): return 0.75\n").expect("it is written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_a_library_is_found_nobody_looks_for_python() {
    let dir = tempfile::tempdir().unwrap();
    let [empty, native, both] = ["empty", "native", "both"].map(|name| {
        let folder = dir.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        folder
    });
    put_native(&native);
    put_native(&both);
    put_python(&both);
    assert_eq!(meant(&[&native]).await, Ok(0.25));
    assert_eq!(meant(&[&empty, &native, &both]).await, Ok(0.25));
    let problem = meant(&[&both]).await.unwrap_err();
    assert!(problem.ends_with("m.py: rename one of them"), "{problem}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_folder_holds_one_of_the_two_and_the_first_folder_wins() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let [native, python, both, neither] = ["native", "python", "both", "neither"].map(|name| {
        let folder = dir.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        folder
    });
    put_native(&native);
    put_python(&python);
    put_native(&both);
    put_python(&both);

    assert_eq!(meant(&[&native]).await, Ok(0.25));
    assert_eq!(meant(&[&python]).await, Ok(0.75));
    assert_eq!(meant(&[&neither, &native, &python]).await, Ok(0.25));
    assert_eq!(meant(&[&python, &native]).await, Ok(0.75));
    assert_eq!(meant(&[&python, &both]).await, Ok(0.75));

    let problem = meant(&[&neither, &both]).await.unwrap_err();
    let file = both.join("m").display().to_string();
    assert!(
        problem.starts_with(&format!("`m:config` may be {file}.")),
        "{problem}"
    );
    assert!(
        problem.ends_with(&format!(" or {file}.py: rename one of them")),
        "{problem}"
    );

    let problem = meant(&[&neither]).await.unwrap_err();
    assert!(
        problem.contains("ModuleNotFoundError: No module named 'm' (Python 3."),
        "{problem}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_library_of_something_else_leaves_the_way_to_python() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let extensions = "import _bz2, sys; print(getattr(_bz2, '__file__', ''))";
    let found = std::process::Command::new("python3")
        .args(["-c", extensions])
        .output()
        .unwrap();
    let extension = String::from_utf8(found.stdout).unwrap();
    // Where Python has it built in there is nothing to test.
    if extension.trim().is_empty() {
        return;
    }
    std::fs::copy(extension.trim(), dir.path().join("m.so")).unwrap();
    put_python(dir.path());
    // As an extension of another name it is no module `m`, and Python takes it before `m.py`.
    let problem = meant(&[dir.path()]).await.unwrap_err();
    assert!(
        problem.contains(
            "ImportError: dynamic module does not define module export function (PyInit_m)"
        ),
        "{problem}"
    );
    std::fs::rename(dir.path().join("m.so"), dir.path().join("libm.so")).unwrap();
    assert_eq!(meant(&[dir.path()]).await, Ok(0.75));
}
