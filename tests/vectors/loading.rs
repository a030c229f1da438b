//! Loading agent.yaml (L1 to L14), asked of `holodeck check` and `holodeck config show`.

use holodeck_tests::program::Folder;
use holodeck_tests::vector::{Vector, field};
use holodeck_value::{Object, Value};

const HEAD: &str = "\
name: a
model: {provider: openai, name: m}
instructions: {inline: hi}
";

/// What stands beside agent.yaml.
const BESIDE: &[(&str, &str)] = &[
    ("a", "a"),
    ("a.txt", "a"),
    ("a.png", "a"),
    (
        "t.py",
        "def g():\n    return 1\n\n\ndef h():\n    return 2\n",
    ),
    ("x.md", "# x\n"),
    ("data/a.txt", "a"),
    (
        "vgraders.py",
        "CONST = 5\n\n\ndef ok(ctx):\n    return True\n\n\ndef half(ctx):\n    return 0.5\n\n\nclass Obj:\n    def __call__(self, ctx):\n        return True\n\n\nobj = Obj()\n",
    ),
    ("vpkg/__init__.py", ""),
    ("vpkg/m.py", "def f(ctx):\n    return True\n"),
    ("vraises.py", "raise ValueError('at import')\n"),
    ("vsyntax.py", "def f(:\n"),
];

/// `{yaml, files?}`: accepted, or refused with an error at `field_path`.
pub(crate) fn config_load(vector: &Vector) -> Result<(), String> {
    let folder = Folder::with(BESIDE);
    folder.write("agent.yaml", written_out(vector.text("yaml")));
    for (name, text) in vector
        .input("files")
        .as_object()
        .into_iter()
        .flat_map(Object::iter)
    {
        folder.write(name, text.as_str().unwrap_or_default());
    }
    let run = folder.run(["check", "agent.yaml", "--message-format", "json"]);
    let accepted = *vector.expected("accepted") == Value::Bool(true);
    let wanted = if accepted { 0 } else { 2 };
    if run.code != Some(wanted) {
        return Err(format!(
            "exit {:?}, expected {wanted}:\n{}{}",
            run.code, run.stdout, run.stderr
        ));
    }
    if accepted {
        return Ok(());
    }
    let path = vector.expected("field_path");
    if errors(&run.stdout)?
        .iter()
        .any(|error| field(error, "path") == path)
    {
        return Ok(());
    }
    Err(format!("no error at {}:\n{}", path.to_json(), run.stdout))
}

/// Long files are abbreviated: `HEAD + 1001 x '- {input: x}'`, `HEAD + 51 function tools`.
fn written_out(yaml: &str) -> String {
    let Some((count, what)) = yaml
        .strip_prefix("HEAD + ")
        .and_then(|rest| rest.split_once(' '))
    else {
        return yaml.to_owned();
    };
    let n: usize = count.parse().expect("a number of lines");
    if what.contains("tools") {
        let tools: Vec<String> = (0..n)
            .map(|i| {
                format!(
                    "- {{name: f{i}, type: function, description: d, file: t.py, function: g}}\n"
                )
            })
            .collect();
        return format!("{HEAD}tools:\n{}", tools.concat());
    }
    format!("{HEAD}test_cases:\n{}", "- {input: x}\n".repeat(n))
}

/// The errors of `--message-format json`.
pub(crate) fn errors(json: &str) -> Result<Vec<Value>, String> {
    let all = Value::from_json(json.trim()).map_err(|e| format!("{e}: {json}"))?;
    match field(&all, "diagnostics") {
        Value::Array(diagnostics) => Ok(diagnostics
            .iter()
            .filter(|d| field(d, "severity").as_str() == Some("error"))
            .cloned()
            .collect()),
        _ => Err(format!("no diagnostics: {json}")),
    }
}
