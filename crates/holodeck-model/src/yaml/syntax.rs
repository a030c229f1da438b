//! What to say about a place where YAML ends.

use std::{fmt::Write as _, ops::Range};

use super::vars;

/// The word at `at`, up to white space or a flow indicator.
pub(super) fn word(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let end = rest
        .find(|c: char| c.is_whitespace() || ",[]{}".contains(c))
        .unwrap_or(rest.len());
    &rest[..end]
}

/// The line that `at` is in, and the offset of its start.
fn line(text: &str, at: usize) -> (usize, &str) {
    let at = text.floor_char_boundary(at.min(text.len()));
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
    (start, text[start..end].trim_end())
}

/// A hint to quote the value that starts at `at`, with the value in it where it is short.
pub(super) fn quote_hint(text: &str, at: usize) -> String {
    let (start, line) = line(text, at);
    let value = line.get(at.saturating_sub(start)..).unwrap_or_default();
    let value = value.split(" #").next().unwrap_or_default().trim_end();
    let in_flow = line[..line.len().min(at.saturating_sub(start))].contains(['{', '[']);
    if value.is_empty() || value.chars().count() > 40 || in_flow {
        "quote the value".to_owned()
    } else {
        format!("quote it: {}", quote(value))
    }
}

/// What to do about a `:` that YAML does not take: quote the value it is in, or mend the indentation.
pub(super) fn colon_hint(text: &str, at: usize) -> String {
    let (start, line) = line(text, at);
    let value = line
        .find(": ")
        .filter(|i| start + i < at)
        .map(|i| line[i + 2..].trim());
    match value {
        Some(value) if value.starts_with(['"', '\'', '[', '{', '|', '>', '&', '*', '!']) => {
            "quote the whole value, or put what follows on a line of its own".to_owned()
        }
        Some(value) if value.chars().count() <= 60 => {
            format!("quote a value that contains `: `: {}", quote(value))
        }
        Some(_) => "quote a value that contains `: `".to_owned(),
        None => "this line is read as part of the value above: check the indentation".to_owned(),
    }
}

/// The tab in the white space that ends at `at`, or `at`.
pub(super) fn tab_before(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let blank = before.len() - before.trim_end_matches([' ', '\t']).len();
    let from = before.len() - blank;
    before[from..].find('\t').map_or(at, |i| from + i)
}

/// The first escape that YAML does not know in the double-quoted string that starts at `at`.
pub(super) fn bad_escape(text: &str, at: usize) -> Range<usize> {
    let string = text.get(at..).unwrap_or_default();
    let mut chars = string.char_indices();
    while let Some((i, c)) = chars.next() {
        if c != '\\' {
            continue;
        }
        let Some((j, escaped)) = chars.next() else {
            break;
        };
        let digits = match escaped {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let hex = string[j + escaped.len_utf8()..].chars().take(digits);
        let known = "0abt\tnvfre \"/\\N_LPxuU\n\r".contains(escaped);
        if !known || hex.filter(char::is_ascii_hexdigit).count() < digits {
            return at + i..at + j + escaped.len_utf8();
        }
    }
    at..at
}

/// A hint where the line has a `${NAME}` outside quotes inside `{}` or `[]`, where its braces are YAML's: the mistake at `at` is likely that.
pub(super) fn unquoted_variable(text: &str, at: usize) -> Option<String> {
    let (start, line) = line(text, at);
    let mut quote = None;
    let mut flow = false;
    for (i, c) in line.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            (None, '$') => {
                if let Some(name) = vars::name_at(&line[i..]) {
                    let here = start + i..=start + i + name.len() + 3;
                    if flow || here.contains(&at) {
                        return Some(format!(
                            "quote the variable inside `{{}}` or `[]`: \"${{{name}}}\""
                        ));
                    }
                }
            }
            (None, '{' | '[') => flow = true,
            _ => {}
        }
    }
    None
}

/// A text as a quoted YAML scalar: double quotes unless that takes escapes which single quotes do not.
pub(super) fn quote(text: &str) -> String {
    let escaped = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}');
    if !text.contains(escaped) && text.contains(['"', '\\']) {
        format!("'{}'", text.replace('\'', "''"))
    } else {
        let mut out = String::from("\"");
        for c in text.chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '\n' => out += "\\n",
                '\t' => out += "\\t",
                c if escaped(c) => {
                    let _ = write!(out, "\\u{:04x}", u32::from(c));
                }
                c => out.push(c),
            }
        }
        out + "\""
    }
}
