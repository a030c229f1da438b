"""What authors of graders import."""

from holodeck.lib.test_runner.code_grader import GraderContext, GraderResult, PreviousTurn, ToolInvocation

__all__ = ["GraderContext", "GraderResult", "PreviousTurn", "ToolInvocation"]
