//! Secrets in everything that a run leaves behind (L10a).

use std::path::Path;

use holodeck_tests::program::Folder;
use holodeck_tests::vector::Vector;

const SECRET: &str = "sk-5ecret-5ecret";

/// `{yaml}`: `SECRET` in it is the value of `${API_KEY}`, and must be found nowhere but in the agent.yaml that names the variable.
pub(crate) fn check(vector: &Vector) -> Result<(), String> {
    let yaml = vector.text("yaml").replace("SECRET", "\"${API_KEY}\"");
    let case = "test_cases: [{name: c, turns: [{input: 'is it ${API_KEY}?', ground_truth: '${API_KEY}', evaluations: [{metric: equality}]}]}]\n";
    let folder = Folder::with(&[
        ("agent.yaml", &format!("{yaml}{case}")),
        (
            "replies.yaml",
            &format!("default: [{{response: {SECRET}x}}]\n"),
        ),
        ("x", "a source"),
    ]);
    let mut command = folder.command([
        "test",
        "agent.yaml",
        "--agent",
        "scripted:replies.yaml",
        "-v",
        "--output",
        "r.json",
        "--output",
        "r.md",
        "--output",
        "r.xml",
    ]);
    command.env("API_KEY", SECRET);
    let run = holodeck_tests::program::run(&mut command);
    if run.code != Some(1) {
        return Err(format!("exit {:?}, expected 1: {}", run.code, run.stderr));
    }
    std::fs::remove_file(folder.path("replies.yaml")).map_err(|e| e.to_string())?;
    for (what, text) in [("stdout", &run.stdout), ("stderr", &run.stderr)] {
        if text.contains(SECRET) {
            return Err(format!("the secret is in {what}:\n{text}"));
        }
    }
    let mut n_files = 0;
    search(&folder.path(""), &mut n_files)?;
    if n_files < 5 {
        return Err("the run left no files to search".to_owned());
    }
    Ok(())
}

fn search(folder: &Path, n_files: &mut usize) -> Result<(), String> {
    for entry in std::fs::read_dir(folder).map_err(|e| e.to_string())? {
        let path = entry.map_err(|e| e.to_string())?.path();
        if path.is_dir() {
            search(&path, n_files)?;
            continue;
        }
        *n_files += 1;
        let bytes = std::fs::read(&path).map_err(|e| e.to_string())?;
        if String::from_utf8_lossy(&bytes).contains(SECRET) {
            return Err(format!("the secret is in {}", path.display()));
        }
    }
    Ok(())
}
