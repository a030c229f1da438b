"""What a grader is given and may return.

``from holodeck import GraderContext, GraderResult`` is the short way to the same names.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, NoReturn, Optional, Tuple

__all__ = ["GraderContext", "GraderResult", "PreviousTurn", "ToolInvocation"]


def _refuse(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    raise TypeError("the context is read-only")


class ReadOnlyDict(dict):
    """A mapping that cannot be changed; ``dict(it)`` and ``copy.deepcopy(it)`` can."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (dict(self),)


class ReadOnlyList(list):
    """A list that cannot be changed; ``list(it)`` and ``copy.deepcopy(it)`` can."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (list(self),)


def _frozen(value: Any) -> Any:
    # One frame a level, so that the deepest JSON there is stays within Python's limit.
    if type(value) is dict:
        for key, item in value.items():
            value[key] = _frozen(item)
        return ReadOnlyDict(value)
    if type(value) is list:
        for index, item in enumerate(value):
            value[index] = _frozen(item)
        return ReadOnlyList(value)
    return value


@dataclass(frozen=True)
class ToolInvocation:
    """A call of a tool."""

    name: str
    args: Mapping[str, Any] = field(default_factory=ReadOnlyDict)
    result: Any = None
    error: Optional[str] = None
    duration_ms: Optional[int] = None
    bytes: int = 0

    @classmethod
    def _of(cls, json: Any) -> ToolInvocation:
        return cls(
            json["name"],
            _frozen(json["args"]),
            _frozen(json["result"]),
            json["error"],
            json["duration_ms"],
            json["bytes"],
        )


@dataclass(frozen=True)
class PreviousTurn:
    """An earlier turn of the same case."""

    turn_input: str
    agent_response: str
    ground_truth: Optional[str] = None
    tool_invocations: Tuple[ToolInvocation, ...] = ()

    @classmethod
    def _of(cls, json: Any) -> PreviousTurn:
        return cls(
            json["turn_input"],
            json["agent_response"],
            json["ground_truth"],
            tuple(map(ToolInvocation._of, json["tool_invocations"])),
        )


@dataclass(frozen=True)
class GraderContext:
    """One finished turn and what led to it. Cannot be changed.

    ``turn_index`` is zero-based. ``turn_config`` holds the turn's other keys as the author wrote them, with its free-form
    ``turn_config`` laid over them. ``previous_turns`` are those of this case before this one.
    """

    turn_input: str
    agent_response: str
    ground_truth: Optional[str] = None
    tool_invocations: Tuple[ToolInvocation, ...] = ()
    retrieval_context: Optional[Tuple[str, ...]] = None
    turn_index: int = 0
    test_case_name: Optional[str] = None
    turn_config: Mapping[str, Any] = field(default_factory=ReadOnlyDict)
    previous_turns: Tuple[PreviousTurn, ...] = ()

    @classmethod
    def _of(cls, json: Any) -> GraderContext:
        retrieved = json["retrieval_context"]
        return cls(
            json["turn_input"],
            json["agent_response"],
            json["ground_truth"],
            tuple(map(ToolInvocation._of, json["tool_invocations"])),
            None if retrieved is None else tuple(retrieved),
            json["turn_index"],
            json["test_case_name"],
            _frozen(json["turn_config"]),
            tuple(map(PreviousTurn._of, json["previous_turns"])),
        )


@dataclass(frozen=True)
class GraderResult:
    """A judgement. ``score`` is 0 to 1; where ``passed`` is None the score is held against the metric's threshold, or against 0.5.

    ``details`` is a JSON object for the report.
    """

    score: float
    passed: Optional[bool] = None
    reason: Optional[str] = None
    details: Optional[Mapping[str, Any]] = None
