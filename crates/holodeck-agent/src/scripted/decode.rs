//! The scripted file, from text to scripts. What may stand where is told by the tables of `holodeck_model::shape`.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use holodeck_model::diagnostic::{self, Diagnostic, Place, Severity};
use holodeck_model::files::{FileKind, Files};
use holodeck_model::record::{TokenUsage, ToolInvocation};
use holodeck_model::shape::check::{World, check_object};
use holodeck_model::shape::{Checked, ObjectShape, Record, SCRIPTED, SCRIPTED_CASE};
use holodeck_model::yaml::{Cx, Dialect, Document, Node, Source, Vars, parse};
use holodeck_run::ports::Fault;
use holodeck_value::{Object, Value};

use super::play::{Script, Turn};

/// Scripts by case, and `default`.
type File = (BTreeMap<String, Script>, Option<Vec<Turn>>);

/// Reads a YAML or JSON file.
pub(super) fn file(files: &dyn Files, path: &Path, name: &str) -> Result<File, Vec<Diagnostic>> {
    check_is_file(files, path, name)?;
    let bytes = files
        .read(path)
        .map_err(|error| vec![unreadable(name, error)])?;
    let is_json = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let dialect = if is_json {
        Dialect::Json
    } else {
        Dialect::Yaml
    };
    let source = Source::decode(name, bytes, dialect).map_err(|d| vec![*d])?;
    let document = parsed(source)?;
    let Some(root) = document.root() else {
        let mut empty = Diagnostic::error("empty-file", format!("`{name}` is empty"));
        empty.hint = Some("write `cases:` with turns by test case, or `default:`".to_owned());
        return Err(vec![empty]);
    };
    checked(&SCRIPTED, root, |record| {
        let cases = match record.get("cases") {
            Some(Checked::Map(cases)) => cases
                .iter()
                .map(|(case, checked)| ((*case).to_owned(), script(checked)))
                .collect(),
            _ => BTreeMap::new(),
        };
        (cases, record.list("default").map(turns))
    })
}

/// A line of a JSONL file.
#[derive(Debug)]
pub(super) struct OneCase {
    /// The case's name, or `#3`.
    pub(super) case: String,
    /// Where that stands.
    pub(super) place: Place,
    /// What it plays.
    pub(super) script: Script,
}

/// Reads a line of a JSONL file.
pub(super) fn line(source: Source) -> Result<OneCase, Vec<Diagnostic>> {
    let document = parsed(source)?;
    let Some(root) = document.root() else {
        return Err(vec![Diagnostic::error("empty-file", "the line is empty")]);
    };
    checked(&SCRIPTED_CASE, root, |record| {
        let case = record.text("case").unwrap_or_default().to_owned();
        let script = match (record.list("turns"), record.text("open_error")) {
            (Some(list), _) => Script::Turns(turns(list).into()),
            (None, message) => Script::OpenError(message.unwrap_or_default().to_owned()),
        };
        OneCase {
            case,
            place: root.entry("case").unwrap_or(root).place(),
            script,
        }
    })
}

/// Refuses what is no file before it is read.
pub(super) fn check_is_file(
    files: &dyn Files,
    path: &Path,
    name: &str,
) -> Result<(), Vec<Diagnostic>> {
    match files.kind(path) {
        Ok(FileKind::File | FileKind::Other) => Ok(()),
        Ok(FileKind::Directory) => Err(vec![unreadable(name, "it is a folder")]),
        Err(error) => Err(vec![unreadable(name, error)]),
    }
}

/// Where a file can't be read.
pub(super) fn unreadable(name: &str, why: impl Display) -> Diagnostic {
    Diagnostic::error(
        "file-unreadable",
        format!("can't read the scripted file `{name}`: {why}"),
    )
}

fn parsed(source: Source) -> Result<Document, Vec<Diagnostic>> {
    let mut diags = Vec::new();
    let document = parse(source, &mut Vars::off(), &mut diags);
    document.ok_or(diags)
}

/// Holds the document against its shape and, where it fits, converts it.
fn checked<T>(
    shape: &'static ObjectShape,
    root: Node<'_>,
    convert: impl FnOnce(&Record<'_>) -> T,
) -> Result<T, Vec<Diagnostic>> {
    let mut diags = Vec::new();
    let providers = BTreeMap::new();
    let no_files = holodeck_model::files::MemoryFiles::new();
    let world = World::new(&no_files, Path::new(""), &providers);
    let record = check_object(shape, root, &mut Cx::new(&mut diags), &world);
    let is_wrong = diags.iter().any(|d| d.severity == Severity::Error);
    match record {
        Some(record) if !is_wrong => Ok(convert(&record)),
        _ => {
            diagnostic::sort(&mut diags);
            Err(diags)
        }
    }
}

fn script(checked: &Checked<'_>) -> Script {
    match checked {
        Checked::List(list) => Script::Turns(turns(list).into()),
        other => {
            let message = other.as_record().and_then(|r| r.text("open_error"));
            Script::OpenError(message.unwrap_or_default().to_owned())
        }
    }
}

fn turns(list: &[Checked<'_>]) -> Vec<Turn> {
    list.iter()
        .filter_map(Checked::as_record)
        .map(turn)
        .collect()
}

fn turn(record: &Record<'_>) -> Turn {
    Turn {
        delay: Duration::from_millis(whole(record, "delay_ms").unwrap_or_default()),
        response: record.text("response").map(str::to_owned),
        tool_calls: record
            .list("tool_calls")
            .unwrap_or_default()
            .iter()
            .filter_map(Checked::as_record)
            .map(tool_call)
            .collect(),
        usage: record.record("usage").and_then(usage),
        fault: record
            .text("fault")
            .map(|kind| fault(kind, record.text("message"))),
    }
}

fn tool_call(record: &Record<'_>) -> ToolInvocation {
    ToolInvocation {
        name: record.text("name").unwrap_or_default().to_owned(),
        args: free(record, "args").unwrap_or_else(|| Value::Object(Object::new())),
        result: free(record, "result").unwrap_or_default(),
        error: record.text("error").map(str::to_owned),
        duration_ms: whole(record, "duration_ms"),
    }
}

fn usage(record: &Record<'_>) -> Option<TokenUsage> {
    let usage = TokenUsage::new(
        whole(record, "prompt_tokens")?,
        whole(record, "completion_tokens")?,
        whole(record, "total_tokens"),
    );
    Some(TokenUsage {
        cache_creation_tokens: whole(record, "cache_creation_tokens").unwrap_or_default(),
        cache_read_tokens: whole(record, "cache_read_tokens").unwrap_or_default(),
        ..usage.ok()?
    })
}

fn fault(kind: &str, message: Option<&str>) -> Fault {
    let say = |default: &str| message.unwrap_or(default).to_owned();
    match kind {
        "rate_limited" => Fault::Turn(match message {
            Some(message) => format!("rate limited: {message}"),
            None => "rate limited".to_owned(),
        }),
        "session_error" => Fault::Session(say("scripted session error")),
        "fatal" => Fault::Fatal(say("scripted fatal error")),
        _ => Fault::Turn(say("scripted error")),
    }
}

fn free(record: &Record<'_>, key: &str) -> Option<Value> {
    match record.get(key)? {
        Checked::Free(value) => Some(value.clone()),
        _ => None,
    }
}

/// A number that was checked to be an integer of at least 0; the largest there is where it does not fit.
fn whole(record: &Record<'_>, key: &str) -> Option<u64> {
    let number = record.get(key)?.as_number()?;
    Some(number.as_u64().unwrap_or(u64::MAX))
}
