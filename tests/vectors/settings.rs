//! Where settings come from (L13), which version of the instructions it is, and what a folder of results is called.

use std::path::Path;
use std::sync::Arc;

use holodeck_model::config::{Loaded, Options, Overrides, instructions, read};
use holodeck_model::diagnostic::Diagnostic;
use holodeck_model::files::{Files, MemoryFiles};
use holodeck_model::slug::slug;
use holodeck_tests::vector::{Vector, field, same};
use holodeck_value::Value;

const AGENT: &str = "\
name: a
model: {provider: openai, name: m}
instructions: {inline: hi}
";

/// `{cli?, yml?, proj?, user?, env?}`: settings of each source; the resolved ones, or the variable that is wrong.
pub(crate) fn exec_precedence(vector: &Vector) -> Result<(), String> {
    let block = |source: &str| match vector.input(source) {
        Value::Null => String::new(),
        settings => format!("execution: {}\n", settings.to_json()),
    };
    let mut files = MemoryFiles::new();
    files.insert("agent.yaml", AGENT.to_owned() + &block("yml"));
    files.insert("config.yaml", block("proj"));
    files.insert("user/.holodeck/config.yaml", block("user"));
    let files: Arc<dyn Files> = Arc::new(files);
    let cli = vector.input("cli");
    let options = Options {
        home: Some("user".into()),
        overrides: Overrides {
            llm_timeout: match field(cli, "llm_timeout") {
                Value::Number(number) => number.as_u64(),
                _ => None,
            },
            ..Overrides::default()
        },
        ..Options::default()
    };
    let env = |name: &str| field(vector.input("env"), name).as_str().map(str::to_owned);
    let Loaded {
        config,
        diagnostics: diags,
        ..
    } = read(Path::new("agent.yaml"), &files, &env, &options);
    if let Some(variable) = vector.expected("error").as_str() {
        let named = |d: &Diagnostic| d.message.contains(variable) || d.path == variable;
        return if diags.iter().any(named) {
            Ok(())
        } else {
            Err(format!("no error names {variable}: {diags:?}"))
        };
    }
    let config = config.ok_or_else(|| format!("{diags:?}"))?;
    let expected = vector.expected.as_object().ok_or("nothing is expected")?;
    for (key, expected) in expected.iter() {
        let setting = config.settings().get(key);
        let setting = setting.ok_or_else(|| format!("there is no {key}"))?;
        same(expected, &setting.value).map_err(|problem| format!("{key}: {problem}"))?;
    }
    Ok(())
}

/// `{text, inline}`: the version of instructions.
pub(crate) fn prompt_version(vector: &Vector) -> Result<(), String> {
    let inline = *vector.input("inline") == Value::Bool(true);
    let path = (!inline).then_some("instructions.md");
    let mut diags = Vec::new();
    let read = instructions("instructions.md", vector.text("text"), path, &mut diags);
    if vector.expected("raises").as_str().is_some() {
        return if diags.is_empty() {
            Err(format!("nothing is wrong with {read:?}"))
        } else {
            Ok(())
        };
    }
    let version = read.ok_or_else(|| format!("{diags:?}"))?.version;
    let json = serde_json::to_string(&version).map_err(|e| e.to_string())?;
    let seen = Value::from_json(&json).map_err(|e| e.to_string())?;
    let expected = vector.expected.as_object().ok_or("nothing is expected")?;
    for (key, expected) in expected.iter() {
        same(expected, field(&seen, key)).map_err(|problem| format!("{key}: {problem}"))?;
    }
    Ok(())
}

/// `{name}`: the folder of an agent's results.
pub(crate) fn folder(vector: &Vector) -> Result<(), String> {
    let seen = slug(vector.text("name"));
    if vector
        .expected
        .as_str()
        .is_some_and(|text| text.contains('<'))
    {
        let hash = seen.strip_prefix("agent-").unwrap_or_default();
        let is_hash = hash.len() == 8 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        return if is_hash { Ok(()) } else { Err(seen) };
    }
    vector.check(&Value::String(seen))
}
