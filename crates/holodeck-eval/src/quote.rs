//! Texts in reasons: quoted, cut, and with what can't be seen made visible.

use holodeck_value::unicode;

/// Characters of a quoted text before it is cut.
pub(crate) const SHORT: usize = 120;

/// `text` in double quotes (single ones where it has double ones, as JSON does), cut after [`SHORT`] characters,
/// control and other invisible characters escaped.
pub(crate) fn quote(text: &str) -> String {
    let cut = text.char_indices().nth(SHORT).map(|(at, _)| at);
    let shown = &text[..cut.unwrap_or(text.len())];
    let after = if cut.is_some() { "…" } else { "" };
    format!("{}{after}", quote_all(shown))
}

/// The same for a text of any length.
pub(crate) fn quote_all(text: &str) -> String {
    let mark = if text.contains('"') && !text.contains('\'') {
        '\''
    } else {
        '"'
    };
    let mut out = String::from(mark);
    escape(text, mark, &mut out);
    out.push(mark);
    out
}

/// A regex in backticks, cut, its backslashes as the author wrote them.
pub(crate) fn pattern(text: &str) -> String {
    let mut out = String::from('`');
    for c in text.chars().take(SHORT) {
        if unicode::is_printable(c) {
            out.push(c);
        } else {
            out.extend(c.escape_default());
        }
    }
    if text.chars().nth(SHORT).is_some() {
        out.push('…');
    }
    out.push('`');
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
fn escape(text: &str, mark: char, out: &mut String) {
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == mark => {
                out.push('\\');
                out.push(c);
            }
            c if unicode::is_printable(c) => out.push(c),
            c => out.extend(c.escape_unicode()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_the_ones_that_the_text_lacks() {
        assert_eq!(quote(r#"{"a": 1}"#), r#"'{"a": 1}'"#);
        assert_eq!(quote("it's \"so\""), r#""it's \"so\"""#);
        assert_eq!(quote("a\n\u{200b}b\\"), r#""a\n\u{200b}b\\""#);
    }

    #[test]
    fn regex_is_shown_as_it_was_written() {
        assert_eq!(pattern("is \"(\\d+)\"\n"), "`is \"(\\d+)\"\\n`");
    }

    #[test]
    fn long_text_is_cut() {
        let text = "é".repeat(SHORT + 1);
        assert_eq!(quote(&text), format!("\"{}\"…", "é".repeat(SHORT)));
    }
}
