"""Odd things to return."""

from holodeck.lib.test_runner.code_grader import GraderResult


class Odd:
    def __getattr__(self, name):
        raise RuntimeError("no " + name)

    def __repr__(self):
        raise RuntimeError("no repr")


class Int64:
    """As numpy's scalars look."""

    dtype = "int64"
    shape = ()

    def __init__(self, value):
        self.value = value

    def item(self):
        return self.value


def nest(depth):
    inner = {}
    for _ in range(depth):
        inner = {"d": inner}
    return inner


def circle():
    inner = {}
    inner["d"] = [inner]
    return inner


VALUES = {
    "nan": float("nan"),
    "infinity": float("inf"),
    "above": 1.5,
    "below": -0.1,
    "huge": 10**5000,
    "none": None,
    "text": "1.0",
    "dict": {"score": 1.0},
    "list": [1.0],
    "odd": Odd(),
    "type": GraderResult,
    "complex": 1j,
    "score is none": GraderResult(None),
    "score is text": GraderResult("0.9"),
    "score is odd": GraderResult(Odd()),
    "passed is text": GraderResult(1.0, passed="no"),
    "passed is number": GraderResult(1.0, passed=1),
    "reason is number": GraderResult(1.0, reason=3),
    "reason is half a pair": GraderResult(1.0, reason="\ud800"),
    "details is list": GraderResult(1.0, details=[1]),
    "details is text": GraderResult(1.0, details="{}"),
    "details of object": GraderResult(1.0, details={"bad": object()}),
    "details of set": GraderResult(1.0, details={"bad": {1}}),
    "details of nan": GraderResult(1.0, details={"bad": [float("nan")]}),
    "details of bytes": GraderResult(1.0, details={"bad": b"x"}),
    "details of tuple keys": GraderResult(1.0, details={(1, 2): 3}),
    "details of half a pair": GraderResult(1.0, details={"bad": "\udc80"}),
    "details of circle": GraderResult(1.0, details=circle()),
    "details of depth": GraderResult(1.0, details=nest(100_000)),
    "details of some depth": GraderResult(1.0, details=nest(600)),
    "details of huge number": GraderResult(1.0, details={"bad": 10**5000}),
    "scalar 1": Int64(1),
    "scalar true": Int64(True),
    "scalars inside": GraderResult(Int64(0.5), passed=Int64(False), details={"n": Int64(7), 1: (2, 3)}),
    "big number": GraderResult(1, details={"n": 123456789012345678901234567890, "f": 0.1}),
}


def value(ctx):
    return VALUES[ctx.turn_input]


def big(ctx):
    return GraderResult(1.0, details={"text": "x" * int(ctx.turn_input)})


def generator(ctx):
    yield True


async def eventually(ctx):
    import asyncio

    await asyncio.sleep(0)
    return GraderResult(0.25, reason="awaited")


class Checker:
    async def __call__(self, ctx):
        return 0.75


checker = Checker()
