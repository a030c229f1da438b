//! Tool assertions of a turn (rules M5 to M7): each entry of `expected_tools` held against the calls of this turn alone.

use holodeck_match::{ActualCall, ExpectedCall, Form, select};
use holodeck_model::record::ToolInvocation;
use holodeck_model::verdict::ToolVerdict;

/// Judges one entry.
pub(crate) fn judge(entry: &ExpectedCall, made: &[ToolInvocation]) -> ToolVerdict {
    let calls: Vec<ActualCall<'_>> = made
        .iter()
        .map(|call| ActualCall {
            name: &call.name,
            args: call.args.as_object(),
        })
        .collect();
    let found = select(entry, &calls);
    ToolVerdict {
        expected_tool: entry.name.clone(),
        bare: entry.form == Form::Bare,
        passed: found.passed,
        args_asserted: entry.args.as_ref().map(|args| {
            args.iter()
                .map(|(name, matcher)| (name.clone(), matcher.to_value()))
                .collect()
        }),
        count: entry.count,
        matched_call_index: found.matched_call,
        unmatched_reason: found.miss.map(|miss| miss.to_string()),
        summary: entry.to_string(),
    }
}
