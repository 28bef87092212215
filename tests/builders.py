"""Builders of runs and scores for tests."""

from typing import Any

from live_scoring.core.run import AgentRun, Message, ToolInvocation
from live_scoring.core.score import Source

SOURCE = Source(topic="agent-runs", partition=0, offset=7, timestamp_ms=1_793_534_402_000)


def run_of(*messages: Message, **fields: Any) -> AgentRun:
    """A run with these output messages."""
    return AgentRun(**({"run_id": "run-1", "agent_id": "agent-1", "output": messages} | fields))


def saying(text: str, role: str = "assistant") -> Message:
    """A message without tools."""
    return Message(role=role, text=text)


def run_saying(*texts: str, **fields: Any) -> AgentRun:
    """A run whose assistant says these texts."""
    return run_of(*(saying(text) for text in texts), **fields)


def call(name: str, **fields: Any) -> ToolInvocation:
    """A finished call of a tool."""
    return ToolInvocation(**({"id": None, "name": name, "args": {}} | fields))


def run_calling(*calls: ToolInvocation | str, **fields: Any) -> AgentRun:
    """A run whose one assistant message makes these calls."""
    made = tuple(call(c) if isinstance(c, str) else c for c in calls)
    return run_of(Message(role="assistant", text="", tool_invocations=made), **fields)
