//! What quotes and tags make of a scalar, before its text is looked at.

use std::ops::Range;

use super::{
    Refusal,
    resolve::{self, Plain, Reading},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Quoted,
    /// A JSON numeral.
    JsonNumber,
}

/// The tags that are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    None,
    /// `!`
    NonSpecific,
    Str,
    Int,
    Float,
    Bool,
    Null,
    Seq,
    Map,
    Merge,
}

/// Refuses a scalar that its tag does not fit.
pub(super) fn check(at: &Range<usize>, text: &str, style: Style, tag: Tag) -> Result<(), Refusal> {
    let name = match tag {
        Tag::Int => "!!int",
        Tag::Float => "!!float",
        Tag::Bool => "!!bool",
        Tag::Null => "!!null",
        Tag::Seq => "!!seq",
        Tag::Map => "!!map",
        Tag::None | Tag::NonSpecific | Tag::Str | Tag::Merge => return Ok(()),
    };
    let fits = matches!(tag, Tag::Int | Tag::Float | Tag::Bool | Tag::Null)
        && (text.contains("${")
            || !matches!(readings(text, style, tag), Plain::Same(Reading::Unreadable)));
    if fits {
        return Ok(());
    }
    let text = resolve::shorten(text);
    Err(Refusal::new(
        at.clone(),
        format!("`{text}` is not what its tag `{name}` says"),
    )
    .code("bad-tag"))
}

/// Both readings of a scalar. `Same(Unreadable)` where its tag does not fit it.
pub(super) fn readings(text: &str, style: Style, tag: Tag) -> Plain<'_> {
    match (tag, style) {
        (Tag::None, Style::Plain) | (Tag::NonSpecific, _) => match resolve::plain(text) {
            // PyYAML takes no notice of `!`; to YAML 1.2 it makes a string.
            Plain::Same(old) | Plain::Differs(old, _) if tag == Tag::NonSpecific => {
                if old == Reading::String {
                    Plain::Same(old)
                } else {
                    Plain::Differs(old, Reading::String)
                }
            }
            both => both,
        },
        (Tag::None, Style::JsonNumber) => Plain::Same(resolve::json_number(text)),
        (Tag::Int, _) => {
            let old = resolve::tagged_int11(text).unwrap_or(Reading::Unreadable);
            match resolve::yaml12(text) {
                Reading::Integer(new)
                    if old != Reading::Integer(new.clone()) && old != Reading::Unreadable =>
                {
                    Plain::Differs(old, Reading::Integer(new))
                }
                _ => Plain::Same(old),
            }
        }
        (Tag::Float, _) => {
            Plain::Same(resolve::tagged_float11(text).unwrap_or(Reading::Unreadable))
        }
        (Tag::Bool, _) => {
            Plain::Same(resolve::tagged_bool11(text).map_or(Reading::Unreadable, Reading::Bool))
        }
        (Tag::Null, _) => match resolve::yaml12(text) {
            Reading::Null => Plain::Same(Reading::Null),
            _ => Plain::Same(Reading::Unreadable),
        },
        (Tag::Merge, _) => Plain::Same(Reading::Merge),
        (Tag::None | Tag::Str | Tag::Seq | Tag::Map, _) => Plain::Same(Reading::String),
    }
}
