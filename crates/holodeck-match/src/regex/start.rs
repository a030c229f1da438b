//! A fault of CPython's that shows in `search`, kept so that both find the same.
//!
//! Before it tries to match, CPython skips to a character that the pattern's first set may begin with. Where that set
//! lies in a group that changes `a` or `u`, it reads `\w` there by the flags of the whole pattern.

use super::ast::{Flags, Item, Node, Pattern};
use super::charset::CharSet;
use super::fold::{self, Case};

/// What a match of `pattern` must begin with, where that is more than the pattern says.
pub(super) fn odd_start(pattern: &Pattern) -> Option<CharSet> {
    if pattern.body.width.min == 0 {
        return None;
    }
    let mut body = &pattern.body;
    let mut flags = pattern.flags;
    let set = loop {
        match body.nodes.first()? {
            Node::Group(group) => {
                flags = group.flags(flags);
                body = &group.body;
            }
            Node::Set(set) => break set,
            _ => return None,
        }
    };
    let case = Case::of(flags);
    let is_cased = set.items.iter().any(|item| match *item {
        Item::Char(c) => fold::any_cased(case, c, c),
        Item::Range(low, high) => {
            case != Case::Kept && (high > 0xffff || fold::any_cased(case, low, high))
        }
        Item::Category(_) => false,
    });
    if is_cased || flags & Flags::KINDS == pattern.flags & Flags::KINDS {
        return None;
    }
    let plain = pattern.flags & !Flags::IGNORE_CASE;
    Some(fold::set(&set.items, set.negated, plain))
}
