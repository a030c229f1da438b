//! Sets of characters as sorted ranges of code points.

use std::sync::Arc;

use super::tables;

/// The last code point.
const LAST: u32 = 0x10_ffff;

/// A set of characters: ranges (ends included) in order, with gaps between them. Clones share them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CharSet {
    ranges: Arc<[(u32, u32)]>,
}

impl CharSet {
    /// One character.
    pub(super) fn of(c: u32) -> Self {
        Self {
            ranges: [(c, c)].into(),
        }
    }
    /// Ranges in any order, overlapping or not.
    pub(super) fn from_ranges(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match merged.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        Self {
            ranges: merged.into(),
        }
    }
    /// What a flat table of ranges holds.
    pub(super) fn from_table(table: &[u32]) -> Self {
        let (pairs, _) = table.as_chunks::<2>();
        Self {
            ranges: pairs.iter().map(|[low, high]| (*low, *high)).collect(),
        }
    }
    /// All other characters.
    pub(super) fn complement(&self) -> Self {
        let mut ranges = Vec::with_capacity(self.ranges.len() + 1);
        let mut from = 0;
        for (low, high) in &*self.ranges {
            if *low > from {
                ranges.push((from, low - 1));
            }
            from = high + 1;
        }
        if from <= LAST {
            ranges.push((from, LAST));
        }
        Self {
            ranges: ranges.into(),
        }
    }
    /// Its ranges, in order.
    pub(super) fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }
    /// Whether it holds `c`.
    pub(super) fn contains(&self, c: u32) -> bool {
        let at = self.ranges.partition_point(|(_, high)| *high < c);
        self.ranges.get(at).is_some_and(|(low, _)| *low <= c)
    }
    /// The one character that it holds, if it is one.
    pub(super) fn single(&self) -> Option<u32> {
        match &*self.ranges {
            [(low, high)] if low == high => Some(*low),
            _ => None,
        }
    }
}

/// Whether a flat table of ranges holds `c`.
pub(super) fn in_table(table: &[u32], c: u32) -> bool {
    let (pairs, _) = table.as_chunks::<2>();
    let at = pairs.partition_point(|[_, high]| *high < c);
    pairs.get(at).is_some_and(|[low, _]| *low <= c)
}

/// Whether `\w` matches `c`.
pub(super) fn is_word(c: u32, ascii: bool) -> bool {
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => byte.is_ascii_alphanumeric() || byte == b'_',
        _ => !ascii && in_table(&tables::WORD, c),
    }
}
