"""Grades a turn: does the reply contain the right answer?"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holodeck import GraderContext


def grade(ctx: GraderContext) -> bool | float:
    """True or False, or a score from 0 to 1. Return a holodeck.GraderResult to add a reason or details."""
    if ctx.ground_truth is None:
        raise ValueError("this turn has no ground_truth")
    return ctx.ground_truth.casefold() in ctx.agent_response.casefold()
