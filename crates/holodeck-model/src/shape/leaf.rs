//! Leaves with a meaning of their own: regexes, response paths, graders, files, matchers, secrets.

use std::io;
use std::path::{Path, PathBuf};

use holodeck_match::{ArgMatcher, Fuzzy, PyRegex};
use holodeck_value::Value;

use super::Checked;
use super::Shape;
use super::check::{MAX_WORD, World, peek};
use crate::files::FileKind;
use crate::mask::MASK;
use crate::plan::ResponsePath;
use crate::yaml::{Cx, Mapping, Node, NodeKind};

/// Long author text cut for a message.
pub(crate) fn cut(text: &str) -> String {
    const MAX: usize = 60;
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}...", text[..end].escape_debug()),
        None => text.to_owned(),
    }
}

/// `count`: a plain integer of at least 1 (rule L6).
pub(super) fn count<'d>(node: Node<'d>, cx: &mut Cx<'_>) -> Option<Checked<'d>> {
    let number = cx.plain_integer(node)?;
    let max = u64::from(u32::MAX);
    if number.as_u64().is_some_and(|n| (1..=max).contains(&n)) {
        return Some(Checked::Number(number));
    }
    let small = number.lexeme().starts_with(['-', '0']);
    let wanted = if small {
        "at least 1".to_owned()
    } else {
        format!("at most {max}")
    };
    let message = format!("must be {wanted}, not {}", cut(number.lexeme()));
    cx.error(node, "out-of-range", message);
    None
}

pub(super) fn secret<'d>(
    shape: &Shape,
    node: Node<'d>,
    cx: &mut Cx<'_>,
    world: &World<'_>,
) -> Option<Checked<'d>> {
    let text = cx.string(node)?;
    if matches!(shape, Shape::Secret) || node.from_variable() {
        world.keep_secret(text);
        return Some(Checked::Secret(text));
    }
    Some(Checked::Text(text))
}

/// A value of `env`: never shown; masked elsewhere too where it came from a variable or its name sounds secret. The
/// others (`production`, `localhost`) are words that replies may hold.
pub(super) fn env_value<'d>(
    name: &str,
    node: Node<'d>,
    cx: &mut Cx<'_>,
    world: &World<'_>,
) -> Option<Checked<'d>> {
    let text = cx.string(node)?;
    if node.from_variable() || sounds_secret(name) {
        world.keep_secret(text);
    }
    Some(Checked::Secret(text))
}

/// A key that an open mapping does not name.
pub(super) fn open<'d>(
    key: &str,
    node: Node<'d>,
    cx: &mut Cx<'_>,
    world: &World<'_>,
) -> Option<Checked<'d>> {
    let value = cx.value(node)?;
    Some(Checked::Free(hidden(key, value, world)))
}

/// Settings of another program: strings under keys that sound secret are.
pub(super) fn settings<'d>(
    node: Node<'d>,
    cx: &mut Cx<'_>,
    world: &World<'_>,
) -> Option<Checked<'d>> {
    let value = cx.value(node)?;
    Some(Checked::Free(hidden("", value, world)))
}

/// The value under a key with what is secret in it masked, and kept to be masked elsewhere.
fn hidden(key: &str, value: Value, world: &World<'_>) -> Value {
    let secret = || sounds_secret(key) || key.eq_ignore_ascii_case("connection_string");
    match value {
        Value::String(text) if secret() => {
            world.keep_secret(&text);
            Value::String(MASK.to_owned())
        }
        Value::Array(items) => {
            let items = items.into_iter().map(|item| hidden(key, item, world));
            Value::Array(items.collect())
        }
        Value::Object(object) => {
            let entries = object.iter();
            let entries =
                entries.map(|(key, value)| (key.to_owned(), hidden(key, value.clone(), world)));
            Value::Object(entries.collect())
        }
        value => value,
    }
}

/// Whether a segment of the name (split at `_`, `-`) says that its value is secret (rule L10a).
pub(crate) fn sounds_secret(name: &str) -> bool {
    const WORDS: [&str; 8] = [
        "KEY",
        "TOKEN",
        "SECRET",
        "PASSWORD",
        "PASSWD",
        "CREDENTIAL",
        "CREDENTIALS",
        "AUTH",
    ];
    name.split(['_', '-'])
        .any(|segment| WORDS.iter().any(|word| segment.eq_ignore_ascii_case(word)))
}

pub(super) fn tool_name<'d>(node: Node<'d>, cx: &mut Cx<'_>) -> Option<Checked<'d>> {
    let text = cx.text(node)?;
    if text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Some(Checked::Text(text));
    }
    let plain: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let message = format!(
        "`{}` is not a tool's name: only letters, digits and `_` may be in it",
        cut(text)
    );
    cx.error(node, "bad-tool-name", message).hint = Some(format!("write `{}`", cut(&plain)));
    None
}

pub(super) fn regex(node: Node<'_>, cx: &mut Cx<'_>) -> Option<PyRegex> {
    let text = cx.string(node)?;
    match PyRegex::new(text) {
        Ok(regex) => Some(regex),
        Err(error) => {
            cx.error(node, "bad-regex", format!("cannot compile regex: {error}"));
            None
        }
    }
}

pub(super) fn response_path<'d>(node: Node<'d>, cx: &mut Cx<'_>) -> Option<Checked<'d>> {
    let text = cx.text(node)?;
    if let Err(error) = ResponsePath::parse(text) {
        let error = cx.error(node, "bad-response-path", error.to_string());
        error.hint = text
            .strip_prefix("$.")
            .filter(|rest| ResponsePath::parse(rest).is_ok())
            .map(|rest| format!("write `{rest}`"));
        return None;
    }
    Some(Checked::Text(text))
}

/// `module:function`; whether it can be loaded is not asked here.
pub(super) fn grader<'d>(node: Node<'d>, cx: &mut Cx<'_>) -> Option<Checked<'d>> {
    let text = cx.text(node)?;
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let fine = text.split_once(':').is_some_and(|(module, function)| {
        !module.is_empty()
            && module.chars().all(|c| word(c) || c == '.')
            && !function.is_empty()
            && function.chars().all(word)
    });
    if fine {
        return Some(Checked::Text(text));
    }
    let message = format!("`{}` is not a grader", cut(text));
    cx.error(node, "bad-grader", message).hint =
        Some("write `module:function`, such as `graders.finance:close_enough`".to_owned());
    None
}

/// A path of agent.yaml: relative ones start at its folder.
pub(crate) fn resolve(folder: &Path, path: &str) -> PathBuf {
    folder.join(path)
}

pub(super) fn file<'d>(node: Node<'d>, cx: &mut Cx<'_>, world: &World<'_>) -> Option<Checked<'d>> {
    let text = cx.text(node)?;
    match world.files.kind(&resolve(world.folder, text)) {
        Ok(FileKind::Directory) => {
            cx.error(
                node,
                "not-a-file",
                format!("`{}` is a folder, not a file", cut(text)),
            );
            None
        }
        Ok(_) => Some(Checked::Text(text)),
        Err(error) => {
            unreachable_file(text, &error, node, cx);
            None
        }
    }
}

pub(super) fn source<'d>(
    node: Node<'d>,
    cx: &mut Cx<'_>,
    world: &World<'_>,
) -> Option<Checked<'d>> {
    let text = cx.text(node)?;
    let path = match text.split_once("://") {
        None => text,
        Some(("file", path)) => path,
        Some(("s3" | "az" | "https" | "http", _)) => return Some(Checked::Text(text)),
        Some((scheme, _)) => {
            let message = format!(
                "`{}` can't be read from: s3, az, https, http and file can",
                cut(scheme)
            );
            cx.error(node, "bad-source", message);
            return None;
        }
    };
    if let Err(error) = world.files.kind(&resolve(world.folder, path)) {
        unreachable_file(text, &error, node, cx);
        return None;
    }
    Some(Checked::Text(text))
}

/// Reports a file that is not there or can't be looked at.
pub(crate) fn unreachable_file(text: &str, error: &io::Error, node: Node<'_>, cx: &mut Cx<'_>) {
    let text = cut(text);
    if error.kind() == io::ErrorKind::NotFound {
        let error = cx.error(node, "file-not-found", format!("there is no file `{text}`"));
        if Path::new(&text).is_relative() {
            error.hint = Some("paths start at the folder of agent.yaml".to_owned());
        }
    } else {
        cx.error(
            node,
            "file-unreadable",
            format!("`{text}` can't be read: {error}"),
        );
    }
}

/// Asserted arguments (rule L7).
pub(super) fn args<'d>(node: Node<'d>, cx: &mut Cx<'_>) -> Option<Checked<'d>> {
    let mapping = cx.mapping(node)?;
    let mut out = Vec::new();
    for (name, key, value) in mapping.entries() {
        warn_of_glued_colon(name, key, value, cx);
        let matcher = cx.at(name, |cx| matcher(value, cx));
        out.extend(matcher.map(|matcher| (name.to_owned(), matcher)));
    }
    Some(Checked::Args(out))
}

/// `{a:1}` asserts that an argument `a:1` is null, and probably was not meant to.
fn warn_of_glued_colon(name: &str, key: Node<'_>, value: Node<'_>, cx: &mut Cx<'_>) -> bool {
    if let Some((before, after)) = name.split_once(':')
        && value.is_null()
    {
        let message = format!("`{}` is one key, without a value", cut(name));
        cx.warning(key, "glued-colon", message).hint =
            Some(format!("write `{}: {}`", cut(before), cut(after)));
        return true;
    }
    false
}

fn matcher(node: Node<'_>, cx: &mut Cx<'_>) -> Option<ArgMatcher> {
    if node.kind() == NodeKind::Mapping {
        let mapping = peek(node)?;
        let (fuzzy, regex) = (mapping.get("fuzzy"), mapping.get("regex"));
        let n_keys = mapping.len();
        if fuzzy.is_some() || regex.is_some() {
            return special(node, cx);
        }
        warn_of_near_miss(&mapping, n_keys, cx);
    }
    cx.value(node).map(ArgMatcher::Literal)
}

fn special(node: Node<'_>, cx: &mut Cx<'_>) -> Option<ArgMatcher> {
    let mapping = cx.mapping(node)?;
    let (fuzzy, regex) = (mapping.get("fuzzy"), mapping.get("regex"));
    if fuzzy.is_some() && regex.is_some() {
        cx.error(
            node,
            "bad-matcher",
            "a matcher has either `fuzzy` or `regex`, not both",
        );
    } else if mapping.len() > 1 {
        let key = if fuzzy.is_some() { "fuzzy" } else { "regex" };
        cx.error(
            node,
            "bad-matcher",
            format!("a matcher with `{key}` may have no other key"),
        );
    }
    let fuzzy = fuzzy.and_then(|f| cx.at("fuzzy", |cx| cx.string(f)));
    let regex = regex.and_then(|r| cx.at("regex", |cx| self::regex(r, cx)));
    match (fuzzy, regex) {
        (Some(text), None) => Some(ArgMatcher::Fuzzy(Fuzzy::new(text))),
        (None, Some(regex)) => Some(ArgMatcher::Regex(regex)),
        _ => None,
    }
}

/// `{fuzy: "1"}` is a literal mapping, and probably not meant as one.
fn warn_of_near_miss(mapping: &Mapping<'_>, n_keys: usize, cx: &mut Cx<'_>) {
    let Some((key, key_node, value)) = mapping.entries().next().filter(|_| n_keys == 1) else {
        return;
    };
    if warn_of_glued_colon(key, key_node, value, cx) || key.len() > MAX_WORD {
        return;
    }
    let lower = key.to_lowercase();
    let close = |word: &&str| {
        strsim::damerau_levenshtein(&lower, word)
            <= 1 + usize::from(word.len() > 4 && lower.len() > 4)
    };
    if let Some(word) = ["fuzzy", "regex"].into_iter().find(close) {
        let message = format!("`{{{}: ..}}` is compared as a literal mapping", cut(key));
        cx.warning(key_node, "near-matcher", message).hint =
            Some(format!("did you mean `{word}`?"));
    }
}
