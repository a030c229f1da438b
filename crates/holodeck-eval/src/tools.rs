//! Tool assertions of a turn (rules M5 to M7): each entry of `expected_tools` held against the calls of this turn alone.

use holodeck_match::{ActualCall, ArgMiss, ExpectedCall, Form, Miss, Problem, select};
use holodeck_model::record::ToolInvocation;
use holodeck_model::verdict::ToolVerdict;

use crate::quote::cut;

/// Names of made calls that a reason lists.
const NAMES: usize = 20;

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
        matched_call_index: found.matched_call.filter(|_| found.passed),
        unmatched_reason: found.miss.map(|miss| shorten(miss).to_string()),
        summary: entry.to_string(),
    }
}

/// Cuts what the agent wrote, so that a reason stays readable whatever was in an argument.
fn shorten(miss: Miss) -> Miss {
    match miss {
        Miss::NoSuchCall { name, mut called } => {
            let more = called.len().saturating_sub(NAMES);
            called.truncate(NAMES);
            let mut called: Vec<String> = called.into_iter().map(cut).collect();
            if more > 0 {
                called.push(format!("… and {more} more"));
            }
            Miss::NoSuchCall { name, called }
        }
        Miss::TooFew {
            expected,
            got,
            nearest,
        } => Miss::TooFew {
            expected,
            got,
            nearest: nearest
                .map(|(call, args)| (call, args.into_iter().map(shorten_arg).collect())),
        },
        Miss::Nearest { call, name, args } => Miss::Nearest {
            call,
            name: cut(name),
            args: args.into_iter().map(shorten_arg).collect(),
        },
    }
}

fn shorten_arg(miss: ArgMiss) -> ArgMiss {
    let problem = match miss.problem {
        Problem::Missing { expected } => Problem::Missing {
            expected: cut(expected),
        },
        Problem::NoArguments { expected } => Problem::NoArguments {
            expected: cut(expected),
        },
        Problem::Differs {
            expected,
            actual,
            types,
        } => Problem::Differs {
            expected: cut(expected),
            actual: cut(actual),
            types,
        },
        Problem::GaveUp {
            expected,
            actual,
            limit,
        } => Problem::GaveUp {
            expected: cut(expected),
            actual: cut(actual),
            limit,
        },
    };
    ArgMiss {
        name: miss.name,
        problem,
    }
}
