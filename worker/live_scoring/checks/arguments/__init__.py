"""Checks on the arguments of tool calls."""

from live_scoring.checks.arguments.called_with import CalledToolWith
from live_scoring.checks.arguments.expected import Mode
from live_scoring.checks.arguments.repeated import NoRepeatedCalls

__all__ = ["CalledToolWith", "Mode", "NoRepeatedCalls"]
