//! Texts that stay texts in Markdown, GitHub's in particular.

use crate::text;

/// A block in a fence longer than any run of back-ticks in it.
pub(super) fn fenced(block: &str) -> String {
    let block = text::lines(block);
    let fence = "`".repeat(longest_run(&block).max(2) + 1);
    let block = block.trim_end_matches('\n');
    format!("{fence}text\n{block}\n{fence}")
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

/// One line of running text, in a heading or a table.
pub(super) fn plain(line: &str) -> String {
    let line = text::one_line(line);
    let mut out = String::with_capacity(line.len() + 8);
    let mut before = ' ';
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            // Entities, not back-slashes: in a table a back-slash before a bar has a meaning of its own, and `@` and `:` make
            // links, mentions and pictures even when escaped.
            '\\' => out.push_str("&#92;"),
            '|' => out.push_str("&#124;"),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' => out.push_str("&#64;"),
            ':' if chars
                .peek()
                .is_some_and(|&next| next != ' ' && !next.is_ascii_digit()) =>
            {
                out.push_str("&#58;");
            }
            '.' if before.eq_ignore_ascii_case(&'w') => out.push_str("&#46;"),
            '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '!' | '~' | '$' => {
                out.extend(['\\', c]);
            }
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// Several lines in a cell of a table.
pub(super) fn cell(text: &str) -> String {
    let lines = text.lines().map(plain);
    lines.collect::<Vec<_>>().join("<br>")
}

#[cfg(test)]
mod tests {
    use super::{cell, fenced, plain};

    #[test]
    fn a_fence_is_longer_than_any_inside() {
        assert_eq!(fenced("a\n````\n"), "`````text\na\n````\n`````");
        assert_eq!(fenced(""), "```text\n\n```");
        assert_eq!(fenced("x\r```\u{1b}"), "````text\nx\\r```\\u{1b}\n````");
    }

    #[test]
    fn names_and_reasons_are_no_markup() {
        assert_eq!(
            plain("<b>|\\|`x`*a*_b_[l](http://x)\nwww.x @me #1 $y$"),
            r"&lt;b&gt;&#124;&#92;&#124;\`x\`\*a\*\_b\_\[l\](http&#58;//x)&#92;nwww&#46;x &#64;me \#1 \$y\$"
        );
        assert_eq!(cell("a\r\n|b"), "a<br>&#124;b");
    }
}
