//! What a character or a set matches under the flags around it: `(?i)` as CPython does it, quirks included.
//!
//! CPython compares the lower case of the subject's character with a set of lower-cased characters, to which a few
//! are added that share their upper case (`s` and `ſ`). Characters beyond U+FFFF in a set are not lower-cased there.

use std::sync::LazyLock;

use super::ast::{Category, Flags, Item, Kind};
use super::charset::CharSet;
use super::tables;

/// The first code point that CPython's sets treat on their own.
const ASTRAL: u32 = 0x1_0000;

/// How case is set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Case {
    /// It is not.
    Kept,
    /// Among ASCII letters only.
    Ascii,
    /// Among all letters.
    Unicode,
}

impl Case {
    /// What `flags` ask for.
    pub(super) fn of(flags: Flags) -> Self {
        if !flags.has(Flags::IGNORE_CASE) {
            Self::Kept
        } else if flags.has(Flags::UNICODE) {
            Self::Unicode
        } else {
            Self::Ascii
        }
    }
    /// The lower case of `c`.
    pub(super) fn lower(self, c: u32) -> u32 {
        match self {
            Self::Ascii if (0x41..=0x5a).contains(&c) => c + 0x20,
            Self::Kept | Self::Ascii => c,
            Self::Unicode => mapped(&tables::LOWER, c),
        }
    }
    fn has_case(self, c: u32) -> bool {
        match self {
            Self::Kept => false,
            Self::Ascii => u8::try_from(c).is_ok_and(|byte| byte.is_ascii_alphabetic()),
            Self::Unicode => mapped(&tables::LOWER, c) != c || mapped(&tables::UPPER, c) != c,
        }
    }
    /// Characters in a range that have a lower case of their own, with that.
    fn lowerings(self, low: u32, high: u32) -> &'static [(u32, u32)] {
        match self {
            Self::Kept => &[],
            Self::Ascii => within(&LOWER, low.max(0x41), high.min(0x5a)),
            Self::Unicode => within(&LOWER, low, high),
        }
    }
    /// Characters whose lower case is in `lowered`.
    fn preimage(self, lowered: &CharSet) -> CharSet {
        let mut ranges = Vec::new();
        for (low, high) in lowered.ranges() {
            without(self.lowerings(*low, *high), *low, *high, &mut ranges);
            let raised = within(&RAISE, *low, *high).iter();
            let own = raised.filter(|(lower, c)| self.lower(*c) == *lower);
            ranges.extend(own.map(|(_, c)| (*c, *c)));
        }
        CharSet::from_ranges(ranges)
    }
}

/// Pairs of a character and its lower case, where they differ.
static LOWER: LazyLock<Vec<(u32, u32)>> = LazyLock::new(|| pairs(&tables::LOWER).collect());

/// The same the other way round.
static RAISE: LazyLock<Vec<(u32, u32)>> = LazyLock::new(|| {
    let mut raise: Vec<(u32, u32)> = LOWER.iter().map(|(c, lower)| (*lower, *c)).collect();
    raise.sort_unstable();
    raise
});

/// The pairs whose first is in a range.
fn within(pairs: &[(u32, u32)], low: u32, high: u32) -> &[(u32, u32)] {
    let from = pairs.partition_point(|(c, _)| *c < low);
    let to = pairs.partition_point(|(c, _)| *c <= high);
    pairs.get(from..to).unwrap_or_default()
}

/// A range without the firsts of `moved`.
fn without(moved: &[(u32, u32)], low: u32, high: u32, into: &mut Vec<(u32, u32)>) {
    let mut from = low;
    for (c, _) in moved {
        if *c > from {
            into.push((from, c - 1));
        }
        from = c + 1;
    }
    if from <= high {
        into.push((from, high));
    }
}

/// What `c`, or anything but `c`, matches.
pub(super) fn one(c: u32, negated: bool, flags: Flags) -> CharSet {
    let case = Case::of(flags);
    let set = if case.has_case(c) {
        let lower = case.lower(c);
        let mut wanted = vec![(lower, lower)];
        if case == Case::Unicode {
            wanted.extend(same_upper(lower).map(|other| (other, other)));
        }
        case.preimage(&CharSet::from_ranges(wanted))
    } else {
        CharSet::of(c)
    };
    if negated { set.complement() } else { set }
}

/// What `[..]` matches.
pub(super) fn set(items: &[Item], negated: bool, flags: Flags) -> CharSet {
    if let [Item::Category(category)] = *items {
        let negated = category.negated != negated;
        return self::category(
            Category {
                negated,
                ..category
            },
            flags,
        );
    }
    let case = Case::of(flags);
    let mut ranges = Vec::new();
    let mut chars = Vec::new();
    let mut astral_ranges = Vec::new();
    let mut astral_chars = Vec::new();
    for item in items {
        match *item {
            Item::Category(category) => {
                ranges.extend(self::category(category, flags).ranges());
            }
            Item::Char(c) if c >= ASTRAL => astral_chars.push((c, c)),
            Item::Char(c) => chars.push((c, c)),
            Item::Range(low, high) => {
                if low < ASTRAL {
                    chars.push((low, high.min(ASTRAL - 1)));
                }
                if high >= ASTRAL {
                    astral_ranges.push((low, high));
                }
            }
        }
    }
    let mut cased = !(astral_ranges.is_empty() && astral_chars.is_empty());
    for (low, high) in CharSet::from_ranges(chars).ranges() {
        cased |= any_cased(case, *low, *high);
        lowered(case, *low, *high, &mut ranges);
    }
    ranges.extend(astral_chars);
    let astral_ranges = CharSet::from_ranges(astral_ranges);
    ranges.extend(astral_ranges.ranges());
    if case != Case::Kept && !astral_ranges.ranges().is_empty() {
        let raised = pairs(&tables::UPPER).filter(|(_, to)| astral_ranges.contains(*to));
        ranges.extend(raised.map(|(c, _)| (c, c)));
    }
    let mut set = CharSet::from_ranges(ranges);
    if cased {
        set = case.preimage(&set);
    }
    if negated { set.complement() } else { set }
}

/// What `\d`, `\w`, `\s` and their opposites match: built once.
fn category(category: Category, flags: Flags) -> CharSet {
    static SETS: LazyLock<Vec<(Kind, bool, CharSet, CharSet)>> = LazyLock::new(|| {
        let digits = (0x30, 0x39);
        let word = vec![digits, (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
        [
            (Kind::Digit, false, CharSet::from_ranges(vec![digits])),
            (Kind::Word, false, CharSet::from_ranges(word)),
            (
                Kind::Space,
                false,
                CharSet::from_ranges(vec![(9, 13), (32, 32)]),
            ),
            (Kind::Digit, true, CharSet::from_table(&tables::DIGIT)),
            (Kind::Word, true, CharSet::from_table(&tables::WORD)),
            (Kind::Space, true, CharSet::from_table(&tables::SPACE)),
        ]
        .into_iter()
        .map(|(kind, unicode, set)| {
            let others = set.complement();
            (kind, unicode, set, others)
        })
        .collect()
    });
    let unicode = flags.has(Flags::UNICODE);
    SETS.iter()
        .find(|(kind, of, ..)| *kind == category.kind && *of == unicode)
        .map(|(_, _, set, others)| if category.negated { others } else { set })
        .cloned()
        .unwrap_or_default()
}

/// The lower case of a range, and what is the same as any of it.
fn lowered(case: Case, low: u32, high: u32, into: &mut Vec<(u32, u32)>) {
    let moved = case.lowerings(low, high);
    without(moved, low, high, into);
    into.extend(moved.iter().map(|(_, to)| (*to, *to)));
    if case == Case::Unicode {
        let (same, _) = tables::SAME_UPPER.as_chunks::<2>();
        for [c, other] in same {
            let stays = (low..=high).contains(c) && case.lower(*c) == *c;
            if stays || moved.iter().any(|(_, to)| to == c) {
                into.push((*other, *other));
            }
        }
    }
}

/// Whether any character of a range has case.
pub(super) fn any_cased(case: Case, low: u32, high: u32) -> bool {
    match case {
        Case::Kept => false,
        Case::Ascii => (low..=high.min(0x7f)).any(|c| case.has_case(c)),
        Case::Unicode => {
            !within(&LOWER, low, high).is_empty()
                || pairs(&tables::UPPER).any(|(c, _)| (low..=high).contains(&c))
        }
    }
}

fn same_upper(c: u32) -> impl Iterator<Item = u32> {
    let (pairs, _) = tables::SAME_UPPER.as_chunks::<2>();
    pairs
        .iter()
        .filter(move |[from, _]| *from == c)
        .map(|[_, to]| *to)
}

/// A run of a case table: `first`, `last`, `step`, `distance`.
fn run(row: &[i32; 4]) -> (u32, u32, u32, i32) {
    let [first, last, step, distance] = *row;
    (
        first.unsigned_abs(),
        last.unsigned_abs(),
        step.unsigned_abs(),
        distance,
    )
}

/// All pairs of a case table, in order of the first.
fn pairs(table: &'static [i32]) -> impl Iterator<Item = (u32, u32)> {
    let (rows, _) = table.as_chunks::<4>();
    rows.iter().flat_map(|row| {
        let (first, last, step, distance) = run(row);
        let step = usize::try_from(step).unwrap_or(1);
        (first..=last)
            .step_by(step)
            .map(move |c| (c, c.saturating_add_signed(distance)))
    })
}

fn mapped(table: &'static [i32], c: u32) -> u32 {
    let (rows, _) = table.as_chunks::<4>();
    let at = rows.partition_point(|row| run(row).1 < c);
    match rows.get(at).map(run) {
        Some((first, _, step, distance)) if first <= c && (c - first).is_multiple_of(step) => {
            c.saturating_add_signed(distance)
        }
        _ => c,
    }
}
