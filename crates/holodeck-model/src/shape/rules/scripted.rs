//! Rules of the scripted file.

use super::{exactly_one, given, key_place};
use crate::shape::Record;
use crate::shape::check::World;
use crate::yaml::{Cx, Mapping};

pub(in crate::shape) fn scripted_case(
    cx: &mut Cx<'_>,
    _: &World<'_>,
    mapping: &Mapping<'_>,
    _: &Record<'_>,
) {
    exactly_one(cx, mapping, "turns", "open_error");
}

pub(in crate::shape) fn scripted_turn(
    cx: &mut Cx<'_>,
    _: &World<'_>,
    mapping: &Mapping<'_>,
    _: &Record<'_>,
) {
    if given(mapping, "message").is_some() && given(mapping, "fault").is_none() {
        cx.at("message", |cx| {
            let place = key_place(mapping, "message");
            cx.error(
                place,
                "missing-key",
                "`message` is what a `fault` says, and there is none",
            );
        });
    }
    let nothing = ["response", "tool_calls", "fault"]
        .iter()
        .all(|key| given(mapping, key).is_none());
    if nothing {
        cx.error(
            mapping.node(),
            "missing-key",
            "has neither `response`, `tool_calls` nor `fault`",
        );
    }
}

pub(in crate::shape) fn scripted_tool_call(
    cx: &mut Cx<'_>,
    _: &World<'_>,
    mapping: &Mapping<'_>,
    _: &Record<'_>,
) {
    if given(mapping, "error").is_some() && given(mapping, "result").is_some() {
        let place = key_place(mapping, "error");
        cx.error(
            place,
            "both-given",
            "has both `result` and `error`, at most one is wanted",
        );
    }
}

pub(in crate::shape) fn scripted_usage(
    cx: &mut Cx<'_>,
    _: &World<'_>,
    mapping: &Mapping<'_>,
    record: &Record<'_>,
) {
    let number = |key: &str| Some(record.number(key)?.as_u64());
    let (Some(prompt), Some(completion), Some(total)) = (
        number("prompt_tokens"),
        number("completion_tokens"),
        number("total_tokens"),
    ) else {
        return;
    };
    let parts = prompt.zip(completion).and_then(|(a, b)| a.checked_add(b));
    if parts.is_none_or(|parts| total.is_some_and(|total| total < parts)) {
        cx.at("total_tokens", |cx| {
            let place = key_place(mapping, "total_tokens");
            cx.error(
                place,
                "out-of-range",
                "is less than `prompt_tokens` and `completion_tokens` together",
            );
        });
    }
}
