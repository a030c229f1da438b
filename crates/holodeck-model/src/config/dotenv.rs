//! `.env` files, read as python-dotenv reads them (rule L10): `NAME=value` a line, `export` before it allowed, `#` comments,
//! quotes, escapes inside quotes. Only `${NAME}` stands for a variable; any other `$` is itself: a password may have one.

/// One assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assignment {
    pub(crate) name: String,
    pub(crate) value: String,
    /// In single quotes: `${NAME}` is text.
    pub(crate) literal: bool,
}

/// The assignments of a `.env` file, in order. Lines that are none are left out.
pub(crate) fn parse(text: &str) -> Vec<Assignment> {
    let mut out = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (pair, after) = line(rest);
        out.extend(pair);
        rest = after;
    }
    out
}

/// One assignment (a quoted value may span lines) and what comes after its line.
fn line(text: &str) -> (Option<Assignment>, &str) {
    let end_of_line = |text: &str| -> usize { text.find('\n').map_or(text.len(), |i| i + 1) };
    let skip = &text[end_of_line(text)..];
    let trimmed = text.trim_start_matches([' ', '\t', '\r']);
    let assignment = trimmed
        .strip_prefix("export")
        .filter(|rest| rest.starts_with([' ', '\t']))
        .map_or(trimmed, |rest| rest.trim_start_matches([' ', '\t']));
    let n_name = assignment
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '-')))
        .unwrap_or(assignment.len());
    let (name, after) = assignment.split_at(n_name);
    let Some(value) = after.trim_start_matches([' ', '\t']).strip_prefix('=') else {
        return (None, skip);
    };
    if name.is_empty() {
        return (None, skip);
    }
    let value = value.trim_start_matches([' ', '\t']);
    if let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\''))
        && let Some((inner, rest)) = quoted(&value[1..], quote)
    {
        let assignment = Assignment {
            name: name.to_owned(),
            value: inner,
            literal: quote == '\'',
        };
        return (Some(assignment), &rest[end_of_line(rest)..]);
    }
    let value = &value[..value.find(['\n', '\r']).unwrap_or(value.len())];
    let comment = value
        .match_indices('#')
        .find(|(i, _)| value[..*i].ends_with([' ', '\t']));
    let value = comment.map_or(value, |(i, _)| &value[..i]).trim_end();
    let assignment = Assignment {
        name: name.to_owned(),
        value: value.to_owned(),
        literal: false,
    };
    (Some(assignment), skip)
}

/// The inside of a quoted value and what follows the closing quote.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut chars = text.char_indices();
    while let Some((i, c)) = chars.next() {
        match c {
            '\\' => {
                let (_, escaped) = chars.next()?;
                match escaped {
                    'n' if quote == '"' => out.push('\n'),
                    'r' if quote == '"' => out.push('\r'),
                    't' if quote == '"' => out.push('\t'),
                    '\\' => out.push('\\'),
                    c if c == quote => out.push(c),
                    other => {
                        out.push('\\');
                        out.push(other);
                    }
                }
            }
            c if c == quote => return Some((out, &text[i + 1..])),
            c => out.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let parsed = parse(text);
        let parsed: Vec<(&str, &str)> = parsed
            .iter()
            .map(|a| (a.name.as_str(), a.value.as_str()))
            .collect();
        assert_eq!(parsed, expected, "{text:?}");
    }

    #[test]
    fn values_read_as_python_dotenv_reads_them() {
        check(
            "A=1\r\nB = two words # note\n#C=3\nexport D=x#y\n",
            &[("A", "1"), ("B", "two words"), ("D", "x#y")],
        );
        check(
            "A='a # b' # c\nB=\"x\\ny\\\"z\"\nC='x\\ny'",
            &[("A", "a # b"), ("B", "x\ny\"z"), ("C", "x\\ny")],
        );
        check(
            "A=\"one\ntwo\"\nB=pa$$w${X}rd",
            &[("A", "one\ntwo"), ("B", "pa$$w${X}rd")],
        );
        check(
            "A=\nnonsense\n=x\nB=\"open\nC=1",
            &[("A", ""), ("B", "\"open"), ("C", "1")],
        );
    }
}
