"""Did the agent compute what the turn's gold program computes, as in ConvFinQA: subtract(206588, 181001), divide(#0, 181001)?"""

import math
import operator

from holodeck.lib.test_runner.code_grader import GraderContext, GraderResult

STEPS = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv}


def program_equivalence(ctx: GraderContext) -> GraderResult:
    """Each step must have been called, in this turn or an earlier one. #0 is the result of the first step."""
    calls = [call for turn in (*ctx.previous_turns, ctx) for call in turn.tool_invocations]
    results = []
    for step in ctx.turn_config["turn_program"].split("), "):
        name, parenthesis, operands = step.rstrip(")").partition("(")
        if not parenthesis:
            results.append(number(step, results))  # read off, not computed
            continue
        operands = [number(text, results) for text in operands.split(", ")]
        if not any(call.name == name and takes(call, operands) for call in calls):
            return GraderResult(0.0, passed=False, reason=f"{name} was not called with {operands}")
        results.append(STEPS[name](*operands))
    return GraderResult(1.0, passed=True, details={"result": results[-1]})


def number(text, results):
    return results[int(text[1:])] if text.startswith("#") else float(text.removeprefix("const_"))


def takes(call, operands):
    try:
        args = [float(value) for value in call.args.values()]
    except (TypeError, ValueError):
        return False
    return len(args) == len(operands) and all(math.isclose(a, b, rel_tol=1e-6) for a, b in zip(args, operands))
