//! What the agent is told first, and which version of it (front matter off).

use holodeck_value::{Object, Value, unicode};
use serde::Serialize;

use super::Loading;
use crate::diagnostic::Diagnostic;
use crate::shape::Record;
use crate::slug::sha256_hex;
use crate::yaml::{self, Cx, Dialect, NodeKind, Source, Vars};

/// Instructions, ready to be given to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Instructions {
    /// The text without front matter, ends trimmed.
    pub text: String,
    /// Which version it is.
    pub version: PromptVersion,
}

/// Which instructions a run was made with, field for field as the run file has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PromptVersion {
    /// The front matter's `version`, else `auto-` and the first 8 hex digits of `body_hash`.
    pub version: String,
    /// The front matter's.
    pub author: Option<String>,
    /// The front matter's.
    pub description: Option<String>,
    /// The front matter's.
    pub tags: Vec<String>,
    /// `file` or `inline`.
    pub source: &'static str,
    /// The file as agent.yaml names it.
    pub file_path: Option<String>,
    /// SHA-256 of the text without front matter, in hex.
    pub body_hash: String,
    /// What else the front matter holds.
    pub extra: Object,
}

/// Reads instructions; `file_path` is given where they come from a file. Front matter that is not YAML is reported.
pub fn instructions(
    name: &str,
    text: &str,
    file_path: Option<&str>,
    diags: &mut Vec<Diagnostic>,
) -> Option<Instructions> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.trim_matches(unicode::is_space);
    let (front, body) = split(text).map_or((None, text), |(front, body)| (Some(front), body));
    let body = body.trim_matches(unicode::is_space);
    let body_hash = sha256_hex(body.as_bytes());
    let mut version = PromptVersion {
        version: format!("auto-{}", &body_hash[..8]),
        author: None,
        description: None,
        tags: Vec::new(),
        source: if file_path.is_some() {
            "file"
        } else {
            "inline"
        },
        file_path: file_path.map(str::to_owned),
        body_hash,
        extra: Object::new(),
    };
    if let Some(front) = front {
        fill(&mut version, name, front, diags)?;
    }
    Some(Instructions {
        text: body.to_owned(),
        version,
    })
}

/// Front matter stands between two lines of three or more dashes, the first of which starts the text.
fn split(text: &str) -> Option<(&str, &str)> {
    let boundary = |line: &str| {
        let dashes = line.trim_end_matches(unicode::is_space);
        dashes.len() >= 3 && dashes.bytes().all(|b| b == b'-')
    };
    let first = text.find('\n')?;
    if !boundary(&text[..first]) {
        return None;
    }
    let mut at = first + 1;
    for line in text[at..].split_inclusive('\n') {
        if boundary(line) {
            return Some((&text[first + 1..at], &text[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

fn fill(
    version: &mut PromptVersion,
    name: &str,
    front: &str,
    diags: &mut Vec<Diagnostic>,
) -> Option<()> {
    let before = diags.len();
    let mut source = Source::new(name, front, Dialect::Yaml);
    source.first_line = 2;
    let no_variables = |_: &str| None;
    let mut found = Vec::new();
    let document = yaml::parse(source, &mut Vars::new(&no_variables), &mut found);
    // Instructions are prose: `${NAME}` in them is no variable.
    found.retain(|d| d.code != "unset-variable");
    for diagnostic in &mut found {
        "instructions".clone_into(&mut diagnostic.path);
    }
    diags.append(&mut found);
    let document = document?;
    if let Some(root) = document
        .root()
        .filter(|root| root.kind() == NodeKind::Mapping)
    {
        let mut cx = Cx::new(diags);
        for (key, _, node) in cx.mapping(root)?.entries() {
            let text = || node.text().map(str::to_owned).filter(|t| !t.is_empty());
            match key {
                _ if node.is_null() => {}
                "version" => version.version = text().unwrap_or_else(|| version.version.clone()),
                "author" => version.author = text(),
                "description" => version.description = text(),
                "tags" if node.kind() == NodeKind::List => {
                    version.tags = node
                        .items()
                        .filter_map(|tag| tag.text().map(str::to_owned))
                        .collect();
                }
                "tags" => version.tags = text().into_iter().collect(),
                other => {
                    let value = cx.at(other, |cx| cx.value(node));
                    version.extra.insert(other, value.unwrap_or(Value::Null));
                }
            }
        }
    }
    (diags.len() == before).then_some(())
}

/// The instructions of an agent; what is wrong with their file is reported.
pub(super) fn read(
    record: &Record<'_>,
    loading: &Loading<'_>,
    diags: &mut Vec<Diagnostic>,
) -> Option<Instructions> {
    if let Some(text) = record.text("inline") {
        return instructions(loading.name, text, None, diags);
    }
    let path = record.text("file")?;
    let full = loading.folder.join(path);
    let shown = full.display().to_string();
    let node = record.node().entry("file").unwrap_or(record.node());
    let wrong = |problem: String, hint: Option<&str>, diags: &mut Vec<Diagnostic>| {
        let mut cx = Cx::new(diags);
        cx.at("instructions", |cx| {
            cx.at("file", |cx| {
                cx.error(node, "file-unreadable", problem).hint = hint.map(str::to_owned);
            });
        });
        None
    };
    match loading.files.read(&full).map(String::from_utf8) {
        Ok(Ok(text)) if unicode::is_blank(&text) => {
            wrong(format!("`{shown}` is blank"), None, diags)
        }
        Ok(Ok(text)) => instructions(&shown, &text, Some(path), diags),
        Ok(Err(_)) => wrong(
            format!("`{shown}` is not UTF-8"),
            Some("save the file as UTF-8"),
            diags,
        ),
        Err(error) => wrong(format!("`{shown}` can't be read: {error}"), None, diags),
    }
}
