"""What the vectors of `grader_return` have graders return, by the words of their `returns`."""

from holodeck import GraderResult


class Custom(Exception):
    pass


def raises(error):
    raise error


def circle():
    details = {}
    details["d"] = details
    return details


ANSWERS = {
    "true": lambda: True,
    "false": lambda: False,
    "true with threshold 2": lambda: True,
    "0.7": lambda: 0.7,
    "0.49": lambda: 0.49,
    "0.7 thr 0.8": lambda: 0.7,
    "0.8 thr 0.8": lambda: 0.8,
    "int 1": lambda: 1,
    "int 0": lambda: 0,
    "result passed": lambda: GraderResult(1.0, passed=True, reason="r", details={"foo": "bar"}),
    "result passed true with low score and threshold": lambda: GraderResult(0.0, passed=True),
    "result none": lambda: GraderResult(0.6),
    "result none thr": lambda: GraderResult(0.6),
    "dict": lambda: {"score": 1.0, "passed": True},
    "list": lambda: [1.0],
    "tuple": lambda: (1.0, True),
    "raises custom": lambda: raises(Custom("c")),
    "raises AssertionError": lambda: raises(AssertionError()),
    "details not JSON": lambda: GraderResult(1.0, details={"bad": object()}),
    "empty details": lambda: GraderResult(1.0, passed=True, details={}),
    "7.0": lambda: 7.0,
    "-3 passed True": lambda: GraderResult(-3, passed=True),
    "score is a string": lambda: GraderResult("0.9", passed=True),
    "passed is a string": lambda: GraderResult(1.0, passed="no"),
    "details not a dict": lambda: GraderResult(1.0, details=[1]),
    "circular details": lambda: GraderResult(1.0, details=circle()),
    "details with NaN": lambda: GraderResult(1.0, details={"n": float("nan")}),
}


def answer(ctx):
    return ANSWERS[ctx.turn_input]()
