//! Lines broken to fit, by the columns that their characters take.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Columns that a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// `text`, padded with spaces to `width` columns.
pub(super) fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(columns(text));
    format!("{text}{}", " ".repeat(missing))
}

/// Rows of at most `width` columns, broken at spaces where there are any; line ends of the text stay, and so do spaces at the
/// beginning of its lines.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut rows = Vec::new();
    for line in text.split('\n') {
        wrap_line(line, width.max(8), &mut rows);
    }
    for row in &mut rows {
        row.truncate(row.trim_end().len());
    }
    rows
}

fn wrap_line(line: &str, width: usize, rows: &mut Vec<String>) {
    let mut row = String::new();
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        let needs = columns(word.trim_end());
        if used + needs > width && !row.trim_end().is_empty() {
            rows.push(std::mem::take(&mut row));
            used = 0;
        }
        if needs <= width {
            row.push_str(word);
            used += columns(word);
            continue;
        }
        for c in word.chars() {
            let needs = c.width().unwrap_or(0);
            if used + needs > width {
                rows.push(std::mem::take(&mut row));
                used = 0;
            }
            row.push(c);
            used += needs;
        }
    }
    rows.push(row);
}

/// At most `max` rows: the middle of more gives way to a note, since questions and conclusions stand at the end.
pub(super) fn clip(mut rows: Vec<String>, max: usize) -> Vec<String> {
    if rows.len() <= max {
        return rows;
    }
    let n_tail = max / 3;
    let n_head = max.saturating_sub(n_tail + 1);
    let tail = rows.split_off(rows.len() - n_tail);
    let left_out = rows.split_off(n_head);
    let n: usize = left_out.iter().map(|row| row.chars().count()).sum();
    rows.push(format!("[... {n} characters left out ...]"));
    rows.extend(tail);
    rows
}

#[cfg(test)]
mod tests {
    use super::{clip, columns, wrap};

    #[test]
    fn lines_break_at_spaces_and_within_long_words() {
        assert_eq!(
            wrap("one two three\n\n  four abcdefghijkl", 9),
            ["one two", "three", "", "  four", "abcdefghi", "jkl"]
        );
        assert_eq!(wrap("", 9), [""]);
    }

    #[test]
    fn wide_characters_count_twice() {
        for row in wrap("売上高は二万五千円です", 9) {
            assert!(columns(&row) <= 9, "{row}");
        }
        assert_eq!(
            wrap(
                "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}",
                8
            )
            .len(),
            1
        );
    }

    #[test]
    fn many_rows_lose_their_middle() {
        let rows = (1..=9).map(|i| i.to_string()).collect();
        assert_eq!(
            clip(rows, 6),
            ["1", "2", "3", "[... 4 characters left out ...]", "8", "9"]
        );
    }
}
