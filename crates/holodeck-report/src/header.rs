//! What a report says about the run besides its cases: plain values, passed in.

use holodeck_model::mask::MASK;
use holodeck_value::Object;

use crate::{text, wire};

/// The run that is reported.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// The agent's name.
    pub agent_name: String,
    /// The agent.yaml as it was typed.
    pub agent_config_path: String,
    /// When the run began, RFC 3339 in UTC with microseconds.
    pub timestamp: String,
    /// The version of the program.
    pub holodeck_version: String,
    /// Goes into the report as it is: `execution_config`, the resolved execution settings.
    pub environment: Object,
    /// What the run is known by.
    pub run_id: Option<String>,
    /// Who answered, in words.
    pub answered_by: Option<String>,
    /// How one of its cases is run again, where that makes sense.
    pub rerun: Option<Rerun>,
}

impl Header {
    /// The report around `results`.
    pub fn report(
        &self,
        results: Vec<wire::TestResult>,
        summary: wire::ReportSummary,
    ) -> wire::TestReport {
        wire::TestReport {
            agent_name: self.agent_name.clone(),
            agent_config_path: self.agent_config_path.clone(),
            results,
            summary,
            timestamp: self.timestamp.clone(),
            holodeck_version: self.holodeck_version.clone(),
            environment: self.environment.clone(),
            run_id: self.run_id.clone(),
        }
    }
}

/// The longest list of names that is searched for each failed case; past it the exact pattern is taken unseen.
const NAMES_LIMIT: usize = 64 * 1024;

/// The command that runs one case again.
#[derive(Clone, Debug, PartialEq)]
pub struct Rerun {
    words: Vec<String>,
    /// The names of all cases, a line each; `None` where they are not known or too many.
    names: Option<String>,
}

impl Rerun {
    /// From the words of the command without any `--filter`: `holodeck`, `test`, `agent.yaml`, `--agent`, ...
    pub fn new(words: Vec<String>) -> Self {
        Self { words, names: None }
    }

    /// Tells it the labels of all cases of the file, so that one that is in no other can be used as it is. Without them every
    /// pattern says where the name ends.
    #[must_use]
    pub fn with_names(mut self, names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let mut all = String::from("\n");
        for name in names {
            all.push_str(name.as_ref());
            all.push('\n');
            if all.len() > NAMES_LIMIT {
                return Self::new(self.words);
            }
        }
        self.names = Some(all);
        self
    }

    /// The command for the case called `name`, quoted for a POSIX shell, on one line.
    pub fn command(&self, name: &str) -> String {
        let mut line = String::new();
        for word in &self.words {
            line.push_str(&quoted_if_needed(word));
            line.push(' ');
        }
        line.push_str("--filter ");
        line.push_str(&quoted(&self.pattern(name)));
        line
    }

    /// A filter that selects `name` and no other: the name itself, or `/^name$/` where it would be found elsewhere too or read otherwise.
    fn pattern(&self, name: &str) -> String {
        let reads_as_written = !name.is_empty()
            && !name.contains(MASK)
            && !name.starts_with(['!', '/', '-'])
            && name.trim() == name
            && name.chars().all(text::is_harmless);
        if reads_as_written && self.is_in_no_other(name) {
            return name.to_owned();
        }
        let mut pattern = String::from("/^");
        let mut rest = name;
        while let Some(c) = rest.chars().next() {
            // What a secret was masked as: the command must not hold it, and still find it.
            if let Some(after) = rest.strip_prefix(MASK) {
                pattern.push_str(".*");
                rest = after;
                continue;
            }
            rest = &rest[c.len_utf8()..];
            match c {
                '\n' => pattern.push_str("\\n"),
                '\r' => pattern.push_str("\\r"),
                '\t' => pattern.push_str("\\t"),
                // The form that Rust's and Python's regexes share.
                c if !text::is_harmless(c) => {
                    let code = u32::from(c);
                    let (letter, n_digits) = if code < 0x1_0000 { ('u', 4) } else { ('U', 8) };
                    let digit = |i: u32| char::from_digit(code >> (4 * i) & 0xf, 16).unwrap_or('0');
                    pattern.extend(['\\', letter]);
                    pattern.extend((0..n_digits).rev().map(digit));
                }
                c if r"\.+*?()|[]{}^$".contains(c) => pattern.extend(['\\', c]),
                c => pattern.push(c),
            }
        }
        pattern.push_str("$/");
        pattern
    }

    /// Whether no other case's name has `name` in it. Cases of the same name can't be told apart by a filter and don't count.
    fn is_in_no_other(&self, name: &str) -> bool {
        self.names.as_ref().is_some_and(|names| {
            let own = overlapping(names, &format!("\n{name}\n"));
            own > 0 && overlapping(names, name) == own
        })
    }
}

/// How often `needle` starts somewhere in `text`, overlapping occurrences counted (two equal names in succession share a line end).
fn overlapping(text: &str, needle: &str) -> usize {
    let mut from = 0;
    let mut n = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(needle)) {
        n += 1;
        let at = from + at;
        from = at + text[at..].chars().next().map_or(1, char::len_utf8);
    }
    n
}

/// A word for a POSIX shell, in quotes only where it needs them.
fn quoted_if_needed(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "@%+=:,./-_".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        quoted(word)
    }
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::Rerun;

    #[track_caller]
    fn check(names: &[&str], name: &str, command: &str) {
        let words = ["holodeck", "test", "my agent.yaml"]
            .map(str::to_owned)
            .to_vec();
        let rerun = Rerun::new(words).with_names(names);
        assert_eq!(
            rerun
                .command(name)
                .strip_prefix("holodeck test 'my agent.yaml' --filter "),
            Some(command)
        );
    }

    #[test]
    fn the_command_selects_one_case_only() {
        check(&["a-1", "a-2"], "a-1", "'a-1'");
        check(&["a-1", "a-2", "a-10"], "a-1", "'/^a-1$/'");
        check(&["a-1", "a-2", "a-10"], "a-10", "'a-10'");
        check(&["xx", "xx"], "xx", "'xx'");
        check(&["a.b", "a.b (strict)"], "a.b", r"'/^a\.b$/'");
        check(&vec!["x"; 40_000], "x", "'/^x$/'");
    }

    #[test]
    fn the_command_is_safe_to_paste() {
        check(&["it's $(rm)"], "it's $(rm)", r"'it'\''s $(rm)'");
        check(&["!a"], "!a", "'/^!a$/'");
        check(&["-v"], "-v", "'/^-v$/'");
        check(&["key *** x"], "key *** x", "'/^key .* x$/'");
        check(&["a\nb\u{1b}"], "a\nb\u{1b}", r"'/^a\nb\u001b$/'");
    }
}
