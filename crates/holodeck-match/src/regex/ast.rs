//! What a pattern says, as Python's parser takes it: flags are still spelled out, character sets not yet resolved.

use std::ops::{BitAnd, BitOr, Not};

/// A repeat count that means "without bound".
pub(super) const UNBOUNDED: u32 = u32::MAX;

/// A width that is never exceeded (CPython's MAXWIDTH is one more; no pattern tells them apart).
const MAX_WIDTH: u64 = u64::MAX;

/// A set of inline flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags(u8);

impl Flags {
    pub(super) const NONE: Self = Self(0);
    pub(super) const IGNORE_CASE: Self = Self(1);
    pub(super) const MULTI_LINE: Self = Self(2);
    pub(super) const DOT_ALL: Self = Self(4);
    pub(super) const VERBOSE: Self = Self(8);
    pub(super) const ASCII: Self = Self(16);
    pub(super) const UNICODE: Self = Self(32);
    pub(super) const KINDS: Self = Self(16 | 32);

    /// Whether any of `other` is in it.
    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Flags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Flags {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Not for Flags {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// `\d \w \s` and their opposites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Category {
    pub(super) kind: Kind,
    pub(super) negated: bool,
}

/// What a category holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Digit,
    Word,
    Space,
}

/// One member of a character set. Characters are code points: a pattern may name surrogates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    Char(u32),
    Range(u32, u32),
    Category(Category),
}

/// A place that takes no characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// `^`
    Begin,
    /// `$`
    End,
    /// `\A`
    TextStart,
    /// `\Z`
    TextEnd,
    /// `\b`
    Boundary,
    /// `\B`
    NoBoundary,
}

/// How a repetition takes its turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Greed {
    Greedy,
    Lazy,
    Possessive,
}

/// One thing in a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Char(u32),
    NotChar(u32),
    Any,
    Set(Box<Set>),
    Anchor(Anchor),
    Group(Box<Group>),
    Atomic(Box<Seq>),
    Look(Box<Look>),
    Repeat(Box<Repeat>),
    BackRef(Box<Reference>),
    Condition(Box<Condition>),
    Alternatives(Vec<Seq>),
}

/// `[..]`, or a category outside one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Set {
    pub(super) negated: bool,
    pub(super) items: Vec<Item>,
}

/// `(..)`, `(?:..)`, `(?flags:..)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) index: Option<usize>,
    pub(super) add: Flags,
    pub(super) remove: Flags,
    pub(super) body: Seq,
}

impl Group {
    /// Whether it groups and does nothing else.
    pub(super) fn is_plain(&self) -> bool {
        self.index.is_none() && self.add == Flags::NONE && self.remove == Flags::NONE
    }
    /// The flags inside it, where `outer` hold around it.
    pub(super) fn flags(&self, outer: Flags) -> Flags {
        let kept = if self.add.has(Flags::KINDS) {
            outer & !Flags::KINDS
        } else {
            outer
        };
        (kept | self.add) & !self.remove
    }
}

/// `(?=..) (?!..) (?<=..) (?<!..)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) behind: bool,
    pub(super) negated: bool,
    pub(super) body: Seq,
}

/// `x*`, `x{2,3}+` and so on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Repeat {
    pub(super) min: u32,
    pub(super) max: u32,
    pub(super) greed: Greed,
    pub(super) body: Seq,
}

/// `\1`, `(?P=name)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) group: usize,
    /// The width of the group.
    pub(super) width: Width,
}

/// `(?(1)yes|no)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) group: usize,
    pub(super) yes: Seq,
    pub(super) no: Option<Seq>,
}

/// The fewest and the most characters that something takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Width {
    pub(super) min: u64,
    pub(super) max: u64,
}

impl Width {
    const ONE: Self = Self { min: 1, max: 1 };

    fn then(self, next: Self) -> Self {
        Self {
            min: self.min.saturating_add(next.min),
            max: self.max.saturating_add(next.max),
        }
    }
    fn or(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
    fn times(self, min: u32, max: u32) -> Self {
        let max = if max == UNBOUNDED && self.max > 0 {
            MAX_WIDTH
        } else {
            self.max.saturating_mul(u64::from(max))
        };
        Self {
            min: self.min.saturating_mul(u64::from(min)),
            max,
        }
    }
}

/// Things in a row, with their width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seq {
    pub(super) nodes: Vec<Node>,
    pub(super) width: Width,
}

impl From<Vec<Node>> for Seq {
    fn from(mut nodes: Vec<Node>) -> Self {
        nodes.shrink_to_fit();
        let width = nodes
            .iter()
            .fold(Width::default(), |sum, node| sum.then(width_of(node)));
        Self { nodes, width }
    }
}

fn width_of(node: &Node) -> Width {
    match node {
        Node::Char(_) | Node::NotChar(_) | Node::Any | Node::Set(_) => Width::ONE,
        Node::Anchor(_) | Node::Look(_) => Width::default(),
        Node::Group(group) => group.body.width,
        Node::Atomic(body) => body.width,
        Node::Repeat(repeat) => repeat.body.width.times(repeat.min, repeat.max),
        Node::BackRef(reference) => reference.width,
        Node::Condition(condition) => {
            let no = condition.no.as_ref().map(|no| no.width);
            let otherwise = no.unwrap_or_default();
            let either = condition.yes.width.or(otherwise);
            Width {
                min: if no.is_some() { either.min } else { 0 },
                max: either.max,
            }
        }
        Node::Alternatives(branches) => branches
            .iter()
            .map(|branch| branch.width)
            .reduce(Width::or)
            .unwrap_or_default(),
    }
}

/// A whole pattern.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) body: Seq,
    pub(super) flags: Flags,
    /// Capturing groups, group 0 not counted.
    pub(super) n_groups: usize,
}
