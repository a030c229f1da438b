"""Exceptions of all kinds."""

import sys


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def value_error(ctx):
    print("about to fail")
    raise ValueError("no program")


def no_message(ctx):
    raise KeyError


def system_exit(ctx):
    sys.exit("enough")


def keyboard_interrupt(ctx):
    raise KeyboardInterrupt


def recursion(ctx):
    return recursion(ctx)


def mute(ctx):
    raise Mute


def long(ctx):
    raise ValueError("x" * 10_000_000)


def half_a_pair(ctx):
    raise ValueError("\ud800")


async def awaited(ctx):
    raise OSError("on the way")


def generator_exit(ctx):
    raise GeneratorExit


def memory(ctx):
    return len(bytes(1 << 60))


def deep_chain(ctx):
    error = None
    for n in range(2_000):
        new = ValueError(n)
        new.__cause__ = error
        error = new
    raise error


def mutate_call(ctx):
    ctx.tool_invocations[0].args["HACKED"] = True


def mutate_inner(ctx):
    ctx.tool_invocations[0].args["list"].append(1)


def mutate_config(ctx):
    ctx.turn_config.update(HACKED=True)


def mutate_field(ctx):
    ctx.agent_response = "another"
