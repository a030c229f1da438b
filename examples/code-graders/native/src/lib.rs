//! Did the agent compute what the turn's gold program computes, as in ConvFinQA: `subtract(206588, 181001), divide(#0, 181001)`?
use holodeck_grader::{GraderContext, GraderResult, ToolInvocation, export_graders};

export_graders! { turn_program }

/// Each step must have been called, in this turn or an earlier one. `#0` is the result of the first step.
pub fn turn_program(context: &GraderContext) -> Result<GraderResult, String> {
    let program = context.turn_config.get("turn_program").ok_or("the turn has no `turn_program`")?.text();
    let earlier = context.previous_turns.iter().flat_map(|turn| &turn.tool_invocations);
    let calls: Vec<&ToolInvocation> = earlier.chain(&context.tool_invocations).collect();
    let mut results = Vec::new();
    for step in program.split("), ") {
        let (name, operands) = step.trim_end_matches(')').split_once('(').unwrap_or(("", step));
        let operands: Vec<f64> = operands.split(", ").map(|text| number(text, &results)).collect::<Result<_, _>>()?;
        results.push(match (name, &operands[..]) {
            ("", [figure]) => *figure, // read off, not computed
            ("add", [a, b]) => a + b,
            ("subtract", [a, b]) => a - b,
            ("multiply", [a, b]) => a * b,
            ("divide", [a, b]) => a / b,
            _ => return Err(format!("`{step}` is not a known step")),
        });
        if !name.is_empty() && !calls.iter().any(|call| call.name == name && takes(call, &operands)) {
            return Ok(GraderResult::from(false).with_reason(format!("{name} was not called with {operands:?}")));
        }
    }
    Ok(true.into())
}

fn number(text: &str, results: &[f64]) -> Result<f64, String> {
    let step = text.strip_prefix('#').and_then(|step| results.get(step.parse::<usize>().ok()?).copied());
    step.or_else(|| text.trim_start_matches("const_").parse().ok()).ok_or(format!("`{text}` is no number or earlier step"))
}

fn takes(call: &ToolInvocation, operands: &[f64]) -> bool {
    let args = call.args.as_object().into_iter().flat_map(|args| args.iter());
    let args: Vec<f64> = args.filter_map(|(_, value)| value.text().parse().ok()).collect();
    args.len() == operands.len() && args.iter().zip(operands).all(|(a, b)| (a - b).abs() <= 1e-6 * b.abs())
}
