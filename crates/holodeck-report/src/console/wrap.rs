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
        if needs == 0 && used >= width {
            // More spaces than a row has: they would only be trimmed.
            continue;
        }
        if used + needs > width && !row.trim_end().is_empty() {
            row = push(row, width, rows);
            used = columns(&row);
        }
        if needs <= width {
            row.push_str(word);
            used += columns(word);
            continue;
        }
        for c in word.chars() {
            let needs = c.width().unwrap_or(0);
            if used + needs > width {
                row = push(row, width, rows);
                used = columns(&row);
            }
            row.push(c);
            used += needs;
        }
    }
    while !row.is_empty() && columns(row.trim_end()) > width {
        row = push(row, width, rows);
    }
    rows.push(row);
}

/// Pushes as much of `row` as fits and returns the rest: characters together can be wider than each for itself (an emoji and its
/// variation selector).
fn push(mut row: String, width: usize, rows: &mut Vec<String>) -> String {
    let mut end = row.trim_end().len();
    row.truncate(end);
    while columns(&row[..end]) > width {
        let last = row[..end].char_indices().next_back();
        end = last.map_or(0, |(at, _)| at);
    }
    let rest = row.split_off(end);
    rows.push(row);
    rest
}

/// [`wrap`]ped to at most `max` rows: the middle of more gives way to a note, since questions and conclusions stand at the end.
pub(super) fn clipped(text: &str, width: usize, max: usize) -> Vec<String> {
    let mut rows = wrap(text, width);
    if rows.len() <= max {
        return rows;
    }
    let n_tail = max / 3;
    let n_head = max.saturating_sub(n_tail + 1);
    let tail = rows.split_off(rows.len() - n_tail);
    let left_out = rows.split_off(n_head);
    let n: usize = left_out.iter().map(|row| row.chars().count() + 1).sum();
    let note = format!("[... {n} characters left out ...]");
    rows.push(if note.len() <= width {
        note
    } else {
        "[...]".to_owned()
    });
    rows.extend(tail);
    rows
}

#[cfg(test)]
mod tests {
    use super::{clipped, columns, wrap};

    #[test]
    fn lines_break_at_spaces_and_within_long_words() {
        assert_eq!(
            wrap("one two three\n\n  four abcdefghijkl", 9),
            ["one two", "three", "", "  four", "abcdefghi", "jkl"]
        );
        assert_eq!(wrap("", 9), [""]);
        assert_eq!(wrap(&format!("a{}b", " ".repeat(100_000)), 9), ["a", "b"]);
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
        let text = "1\n2\n3\n4\n5\n6\n7\n8\n9";
        let note = "[... 8 characters left out ...]";
        assert_eq!(clipped(text, 40, 6), ["1", "2", "3", note, "8", "9"]);
        assert_eq!(clipped(text, 20, 4), ["1", "2", "[...]", "9"]);
    }
}
