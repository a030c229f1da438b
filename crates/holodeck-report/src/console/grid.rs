//! Rows of mark, label and text, the texts under each other.

use super::Style;
use super::paint::DIM;
use super::wrap::{clipped, columns, padded};

/// The widest label that the column is made for; a wider one has its text on the next row.
const MAX_LABEL: usize = 14;

/// One fact about a turn.
pub(super) struct Entry {
    /// Whether it holds, for what was checked.
    pub(super) mark: Option<bool>,
    pub(super) label: String,
    /// Harmless text, of several lines perhaps.
    pub(super) text: String,
    /// Rows at most.
    pub(super) max_rows: usize,
}

/// Lays entries out, each row indented by `indent`.
pub(super) fn rows(entries: &[Entry], indent: usize, style: Style) -> Vec<String> {
    let widest = entries
        .iter()
        .map(|e| columns(&e.label))
        .filter(|&w| w <= MAX_LABEL)
        .max();
    let label_width = widest.unwrap_or(0);
    let text_at = indent + 2 + label_width + 2;
    let mut rows = Vec::new();
    for entry in entries {
        let mark = entry
            .mark
            .map_or(" ".to_owned(), |passed| style.mark(passed));
        let label = match entry.mark {
            Some(_) => padded(&entry.label, label_width),
            None => style.paint(DIM, padded(&entry.label, label_width)),
        };
        let start = format!("{:indent$}{mark} {label}", "");
        let width = style.columns().saturating_sub(text_at);
        let mut texts = clipped(&entry.text, width, entry.max_rows).into_iter();
        if columns(&entry.label) > label_width {
            rows.push(start);
        } else {
            rows.push(format!("{start}  {}", texts.next().unwrap_or_default()));
        }
        rows.extend(texts.map(|text| format!("{:text_at$}{text}", "")));
    }
    rows
}
