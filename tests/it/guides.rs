//! The YAML that the guides show loads, fragments put where they belong.

use holodeck_tests::program::Folder;
use holodeck_tests::root;

const HEAD: &str = "\
name: a
model: {provider: scripted, name: replies.yaml}
instructions: {inline: hi}
";

const REPLIES: &str = "default: [{response: ok}]\n";

#[test]
fn what_the_guides_show_loads() {
    let mut n_blocks = 0;
    for entry in std::fs::read_dir(root().join("docs/guide")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for block in blocks(&text) {
            let Some((agent, replies)) = placed(block) else {
                continue;
            };
            n_blocks += 1;
            let folder = Folder::with(&[
                ("agent.yaml", &agent),
                ("replies.yaml", &replies),
                ("data/larkfield-2024-q1.csv", "month,revenue\n"),
            ]);
            let run = folder.run(["check", "agent.yaml"]);
            assert_eq!(
                run.code,
                Some(0),
                "{}:\n{block}\n{}",
                path.display(),
                run.stderr
            );
        }
    }
    assert!(n_blocks >= 10, "only {n_blocks} blocks were recognised");
}

#[test]
fn the_graders_of_the_guide_are_those_of_the_example_and_short() {
    let guide = std::fs::read_to_string(root().join("docs/guide/graders.md")).unwrap();
    for grader in ["my_benchmarks/convfinqa.py", "native/src/lib.rs"] {
        let path = root().join("examples/code-graders").join(grader);
        let text = std::fs::read_to_string(path).unwrap();
        assert!(guide.contains(&text), "the guide does not show {grader}");
        assert!(text.lines().count() < 40, "{grader} is long");
    }
}

fn blocks(markdown: &str) -> impl Iterator<Item = &str> {
    markdown
        .split("```yaml\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```"))
        .map(|(block, _)| block)
}

/// agent.yaml and replies with the fragment where it belongs; `None` where that can't be told, as for other programs' files.
fn placed(block: &str) -> Option<(String, String)> {
    let first = block.lines().find(|line| !line.starts_with('#'))?;
    let key = first.trim_start_matches("- ").split(':').next()?.trim();
    let agent = match key {
        "test_cases" | "evaluations" => format!("{HEAD}{block}"),
        "model" => format!("name: a\ninstructions: {{inline: hi}}\n{block}"),
        "expected_tools" => format!("{HEAD}test_cases:\n  - input: q\n{}", indented(block, 4)),
        "args" => format!(
            "{HEAD}test_cases:\n  - input: q\n    expected_tools:\n      - name: t\n{}",
            indented(block, 8)
        ),
        "input" => format!("{HEAD}test_cases:\n  - turns:\n{block}"),
        "cases" => {
            return Some((
                format!("{HEAD}test_cases: [{{input: q}}]\n"),
                block.to_owned(),
            ));
        }
        _ => return None,
    };
    Some((agent, REPLIES.to_owned()))
}

fn indented(block: &str, width: usize) -> String {
    block
        .lines()
        .map(|line| " ".repeat(width) + line + "\n")
        .collect()
}
