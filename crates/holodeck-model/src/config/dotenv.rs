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

/// What a `.env` file holds.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    /// In order.
    pub(crate) assignments: Vec<Assignment>,
    /// Numbers of lines, from 1, of which something is not understood.
    pub(crate) odd: Vec<usize>,
}

/// Reads the text of a `.env` file.
pub(crate) fn parse(text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut number = 1;
    while !rest.is_empty() {
        let (assignment, after, fine) = line(rest);
        parsed.assignments.extend(assignment);
        if !fine {
            parsed.odd.push(number);
        }
        number += rest[..rest.len() - after.len()].matches('\n').count();
        rest = after;
    }
    parsed
}

/// One assignment (a quoted value may span lines), what comes after its line, and whether all of the line was understood.
fn line(text: &str) -> (Option<Assignment>, &str, bool) {
    let nothing_more = |text: &str| {
        let text = text.trim_start();
        text.is_empty() || text.starts_with('#')
    };
    let end_of_line = |text: &str| -> usize { text.find('\n').map_or(text.len(), |i| i + 1) };
    let (whole, skip) = text.split_at(end_of_line(text));
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
        return (None, skip, nothing_more(whole));
    };
    if name.is_empty() {
        return (None, skip, false);
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
        let (more, rest) = rest.split_at(end_of_line(rest));
        return (Some(assignment), rest, nothing_more(more));
    }
    let open_quote = value.starts_with(['"', '\'']);
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
    (Some(assignment), skip, !open_quote)
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
            .assignments
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

    #[test]
    fn lines_that_are_not_understood_are_numbered() {
        let parsed =
            parse("\u{feff}A=\"1\n2\"\n\n # note\nB: 1\nC='x' # fine\nD='x'y\nE=\"open\n=x\n");
        assert_eq!(parsed.odd, [5, 7, 8, 9]);
        assert_eq!(parsed.assignments[0].name, "A");
        assert_eq!(parsed.assignments.len(), 4);
    }
}
