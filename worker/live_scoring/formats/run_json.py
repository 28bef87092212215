"""The native run JSON: an `AgentRun` as it stands, in snake or camel case."""

from typing import Any

from pydantic import ValidationError

from live_scoring.core.run import AgentRun
from live_scoring.telemetry.envelope import Envelope

_AGENT_KEYS = {"agent_id", "agentId"}
_KEYS = {"run_id", "runId", *_AGENT_KEYS}
_FOREIGN = {"entity", "messages"}
"""Keys that stand beside those in payloads of other formats."""


def whole(value: Any) -> AgentRun | None:
    """The parsed value as the native run that it is, if one, whatever else it holds."""
    if not isinstance(value, dict) or _AGENT_KEYS.isdisjoint(value):
        return None
    try:
        return AgentRun.model_validate(value)
    except ValidationError:
        return None


def recognises(value: Any) -> bool:
    """Whether the value is meant as a native run."""
    is_object = isinstance(value, dict)
    return is_object and _FOREIGN.isdisjoint(value) and not _KEYS.isdisjoint(value)


def decode(value: Any, envelope: Envelope) -> AgentRun:
    """Read a parsed native run; the agent may stand in the envelope.

    Raises:
        ValidationError: A field is missing or bad.
    """
    if isinstance(value, dict) and _AGENT_KEYS.isdisjoint(value) and (agent := envelope.agent()):
        value = value | {"agent_id": agent}
    return AgentRun.model_validate(value)
