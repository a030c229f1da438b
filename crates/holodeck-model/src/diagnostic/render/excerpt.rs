//! One source line cut to the room there is, and where the spot is in it.

use super::{
    Place,
    text::{shown, width},
};

pub(super) struct View {
    /// The line, or a window of it.
    pub(super) line: String,
    /// Columns before the marks.
    pub(super) column: usize,
    /// Columns to mark, at least 1.
    pub(super) width: usize,
    /// Whether something was left out.
    pub(super) cut: bool,
}

/// The line of a place in at most `room` columns.
pub(super) fn view(place: &Place, room: usize) -> View {
    let cells: Vec<char> = place.excerpt.chars().map(shown).collect();
    let spot = (place.column_in_excerpt.max(1) as usize - 1).min(cells.len());
    let end = spot.saturating_add(place.width as usize).min(cells.len());
    let measure = |cells: &[char]| cells.iter().map(|c| width(*c)).sum::<usize>();
    // Of a line that is too long, the indentation goes first, and without a mark; then the end, where the spot stays in view.
    let indent = cells[..spot].iter().take_while(|c| **c == ' ').count();
    let whole = [0, indent]
        .into_iter()
        .find(|from| measure(&cells[*from..]) <= room);
    let start = [0, indent]
        .into_iter()
        .find(|from| measure(&cells[*from..end]) < room);
    let (from, to) = match (whole, start) {
        (Some(from), _) => (from, cells.len()),
        (None, Some(from)) => (from, fill(&cells, from, room - 1)),
        (None, None) => window(&cells, spot, room.saturating_sub(2).max(1)),
    };
    let marked = from > indent;
    let mut line = String::new();
    if marked {
        line.push('…');
    }
    line.extend(&cells[from..to]);
    if to < cells.len() {
        line.push('…');
    }
    View {
        line,
        column: usize::from(marked) + measure(&cells[from..spot]),
        width: measure(&cells[spot..end.clamp(spot, to.max(spot))]).max(1),
        cut: from > 0 || to < cells.len(),
    }
}

/// The cells to show: `spot` a third into the room, or nearer to either end where the line ends there.
fn window(cells: &[char], spot: usize, room: usize) -> (usize, usize) {
    let mut from = spot;
    let mut left = room / 3;
    while from > 0 && width(cells[from - 1]) <= left {
        from -= 1;
        left -= width(cells[from]);
    }
    let to = fill(cells, from, room);
    let mut left = room - cells[from..to].iter().map(|c| width(*c)).sum::<usize>();
    while from > 0 && width(cells[from - 1]) <= left {
        from -= 1;
        left -= width(cells[from]);
    }
    (from, to.max(spot))
}

/// How far the cells from `from` on fill the room.
fn fill(cells: &[char], from: usize, room: usize) -> usize {
    let mut to = from;
    let mut left = room;
    while to < cells.len() && width(cells[to]) <= left {
        left -= width(cells[to]);
        to += 1;
    }
    to
}
