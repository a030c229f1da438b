//! A pattern with its flags worked in: every character is a set, every anchor says what it means.

use std::collections::BTreeMap;

use super::ast::{Anchor, Flags, Greed, Look, Node, Pattern, Seq, Set};
use super::charset::CharSet;
use super::fold::{self, Case};
use super::start;

/// A place that takes no characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    TextStart,
    TextEnd,
    LineStart,
    LineEnd,
    /// The end, or before a line feed that ends the text.
    LastLineEnd,
    Boundary {
        ascii: bool,
        negated: bool,
    },
}

/// One thing in a sequence. Sets are indexes into [`Ir::sets`].
#[derive(Debug)]
pub(super) enum Step {
    Set(usize),
    Place(Place),
    Capture(usize, Vec<Step>),
    Atomic(Vec<Step>),
    Look {
        /// How far to go back first.
        back: usize,
        negated: bool,
        body: Vec<Step>,
    },
    Repeat {
        min: u32,
        max: u32,
        greed: Greed,
        /// Whether the body can match nothing.
        may_be_empty: bool,
        body: Vec<Step>,
    },
    BackRef(usize, Case),
    Condition {
        group: usize,
        yes: Vec<Step>,
        no: Vec<Step>,
    },
    Alternatives(Vec<Vec<Step>>),
}

/// A whole pattern.
#[derive(Debug)]
pub(super) struct Ir {
    pub(super) body: Vec<Step>,
    pub(super) sets: Vec<CharSet>,
    pub(super) n_groups: usize,
    /// The fewest characters that it takes.
    pub(super) min_width: usize,
    /// What a match that is searched for must begin with besides.
    pub(super) starts: Option<CharSet>,
}

/// Works the flags into a pattern.
pub(super) fn lower(pattern: &Pattern) -> Ir {
    let mut lowering = Lowering::default();
    let body = lowering.sequence(&pattern.body, pattern.flags);
    Ir {
        body,
        sets: lowering.sets,
        n_groups: pattern.n_groups,
        min_width: usize::try_from(pattern.body.width.min).unwrap_or(usize::MAX),
        starts: start::odd_start(pattern),
    }
}

/// Sets met so far, by what they hold and by how they were written.
#[derive(Default)]
struct Lowering {
    sets: Vec<CharSet>,
    by_content: BTreeMap<CharSet, usize>,
    chars: BTreeMap<(u32, bool, Case), usize>,
    written: BTreeMap<(Set, Case, bool), usize>,
}

impl Lowering {
    fn sequence(&mut self, body: &Seq, flags: Flags) -> Vec<Step> {
        let mut steps = Vec::with_capacity(body.nodes.len());
        for node in &body.nodes {
            self.node(node, flags, &mut steps);
        }
        steps
    }

    fn node(&mut self, node: &Node, flags: Flags, into: &mut Vec<Step>) {
        let step = match node {
            Node::Char(c) => Step::Set(self.one(*c, false, flags)),
            Node::NotChar(c) => Step::Set(self.one(*c, true, flags)),
            Node::Any if flags.has(Flags::DOT_ALL) => {
                Step::Set(self.intern(CharSet::default().complement()))
            }
            Node::Any => Step::Set(self.intern(CharSet::of(u32::from('\n')).complement())),
            Node::Set(set) => Step::Set(self.written(set, flags)),
            Node::Anchor(anchor) => Step::Place(place(*anchor, flags)),
            Node::Group(group) => {
                let body = self.sequence(&group.body, group.flags(flags));
                let Some(index) = group.index else {
                    into.extend(body);
                    return;
                };
                Step::Capture(index, body)
            }
            Node::Atomic(body) => Step::Atomic(self.sequence(body, flags)),
            Node::Look(look) => Step::Look {
                back: back(look),
                negated: look.negated,
                body: self.sequence(&look.body, flags),
            },
            Node::Repeat(repeat) => Step::Repeat {
                min: repeat.min,
                max: repeat.max,
                greed: repeat.greed,
                may_be_empty: repeat.body.width.min == 0,
                body: self.sequence(&repeat.body, flags),
            },
            Node::BackRef(reference) => Step::BackRef(reference.group, Case::of(flags)),
            Node::Condition(condition) => Step::Condition {
                group: condition.group,
                yes: self.sequence(&condition.yes, flags),
                no: match &condition.no {
                    Some(no) => self.sequence(no, flags),
                    None => Vec::new(),
                },
            },
            Node::Alternatives(branches) => Step::Alternatives(
                branches
                    .iter()
                    .map(|branch| self.sequence(branch, flags))
                    .collect(),
            ),
        };
        into.push(step);
    }

    fn one(&mut self, c: u32, negated: bool, flags: Flags) -> usize {
        let key = (c, negated, Case::of(flags));
        if let Some(known) = self.chars.get(&key) {
            return *known;
        }
        let index = self.intern(fold::one(c, negated, flags));
        self.chars.insert(key, index);
        index
    }

    fn written(&mut self, set: &Set, flags: Flags) -> usize {
        let key = (set.clone(), Case::of(flags), flags.has(Flags::UNICODE));
        if let Some(known) = self.written.get(&key) {
            return *known;
        }
        let index = self.intern(fold::set(&set.items, set.negated, flags));
        self.written.insert(key, index);
        index
    }

    fn intern(&mut self, set: CharSet) -> usize {
        let next = self.sets.len();
        *self.by_content.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            next
        })
    }
}

fn back(look: &Look) -> usize {
    if look.behind {
        usize::try_from(look.body.width.min).unwrap_or(usize::MAX)
    } else {
        0
    }
}

fn place(anchor: Anchor, flags: Flags) -> Place {
    let lines = flags.has(Flags::MULTI_LINE);
    let ascii = !flags.has(Flags::UNICODE);
    match anchor {
        Anchor::Begin if lines => Place::LineStart,
        Anchor::Begin | Anchor::TextStart => Place::TextStart,
        Anchor::End if lines => Place::LineEnd,
        Anchor::End => Place::LastLineEnd,
        Anchor::TextEnd => Place::TextEnd,
        Anchor::Boundary => Place::Boundary {
            ascii,
            negated: false,
        },
        Anchor::NoBoundary => Place::Boundary {
            ascii,
            negated: true,
        },
    }
}
