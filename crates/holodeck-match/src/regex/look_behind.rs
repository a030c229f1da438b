//! A look-behind must know how far to go back.

use super::RegexError;
use super::ast::{Node, Seq};

/// CPython's MAXCODE.
const MAX_BACK: u64 = 0xffff_ffff;

/// Checks the look-behinds of a pattern, the outer before the inner.
pub(super) fn check(body: &Seq) -> Result<(), RegexError> {
    for node in &body.nodes {
        match node {
            Node::Look(look) => {
                if look.behind {
                    if look.body.width.min > MAX_BACK {
                        return Err(plain("looks too much behind"));
                    }
                    if look.body.width.min != look.body.width.max {
                        return Err(plain("look-behind requires fixed-width pattern"));
                    }
                }
                check(&look.body)?;
            }
            Node::Group(group) => check(&group.body)?,
            Node::Atomic(body) => check(body)?,
            Node::Repeat(repeat) => check(&repeat.body)?,
            Node::Condition(condition) => {
                check(&condition.yes)?;
                condition.no.as_ref().map_or(Ok(()), check)?;
            }
            Node::Alternatives(branches) => branches.iter().try_for_each(check)?,
            Node::Char(_)
            | Node::NotChar(_)
            | Node::Any
            | Node::Set(_)
            | Node::Anchor(_)
            | Node::BackRef(_) => {}
        }
    }
    Ok(())
}

fn plain(message: &str) -> RegexError {
    RegexError {
        message: message.into(),
        position: None,
    }
}
