//! Texts in reasons: quoted, cut, and with what can't be seen made visible.

use std::fmt::Write;

/// Characters of a quoted text before it is cut.
pub(crate) const SHORT: usize = 120;

/// `text` in double quotes, cut after [`SHORT`] characters, control and other invisible characters escaped.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    let cut = text.char_indices().nth(SHORT).map(|(at, _)| at);
    escape(&text[..cut.unwrap_or(text.len())], &mut out);
    out.push_str(if cut.is_some() { "\"…" } else { "\"" });
    out
}

/// `text` cut to [`SHORT`] characters, unquoted.
pub(crate) fn cut(text: String) -> String {
    match text.char_indices().nth(SHORT) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// Appends `text`, newlines and tabs as `\n` and `\t`, what can't be seen as `\u{..}`.
pub(crate) fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            ' ' => out.push(' '),
            c if c.is_control() || c.is_whitespace() || is_invisible(c) => {
                // Writing to a String can't fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
}

/// Format characters that take no room: zero-width ones, direction marks, the byte order mark, soft hyphen.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}'
            | '\u{feff}'
    )
}
