"""The native run JSON: an `AgentRun` as it stands, in snake or camel case."""

from typing import Any

from pydantic import ValidationError

from live_scoring.core.run import AgentRun

_KEYS = ("run_id", "runId", "agent_id", "agentId")


def decode_bytes(payload: bytes) -> AgentRun | None:
    """Read a native run in one pass; None if it is none, without a reason.

    It reads `NaN` and any nesting that pydantic's parser bears: the caller rules them out.
    """
    try:
        return AgentRun.model_validate_json(payload)
    except ValidationError:
        return None


def recognises(value: dict[str, Any]) -> bool:
    """Whether the value is meant as a native run."""
    return any(key in value for key in _KEYS)


def decode(value: dict[str, Any]) -> AgentRun:
    """Read a parsed native run.

    Raises:
        ValidationError: A field is missing or bad.
    """
    return AgentRun.model_validate(value)
