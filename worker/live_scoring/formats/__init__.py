"""Bytes to runs and records to bytes; `FORMATS` names what a run may come in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from live_scoring.core.decoding import parse_json, refusal_of, refuse
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.formats import mastra, run_json

NATIVE = "native"


@dataclass(frozen=True, slots=True)
class Format:
    """One format that a run may come in."""

    recognises: Callable[[dict[str, Any]], bool]
    """Whether a payload that names no format is meant as this one, by its keys."""
    decode: Callable[[dict[str, Any]], AgentRun]
    """Raises pydantic's `ValidationError` where a field is missing or bad."""


FORMATS = {
    "mastra": Format(mastra.recognises, mastra.decode),
    NATIVE: Format(run_json.recognises, run_json.decode),
}
"""By name, asked in this order."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a payload may be at most."""

    max_bytes: int = 4 * 1024 * 1024
    max_depth: int = 100
    """Arrays and objects inside one another."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A run and the name of the format it came in."""

    run: AgentRun
    format_name: str


DEFAULT_LIMITS = Limits()


def decode(
    payload: bytes | None, format_name: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> Decoded | Failure:
    """Read a run; never raises.

    Args:
        payload: The record's value, None for a tombstone.
        format_name: What the record's header or its topic says it is; None looks at it.
        limits: What it may be at most.

    Returns:
        The run, or a `Failure` of stage `decode` whose reason is a `DecodeReason`.
    """
    if not payload:
        return refuse("empty", "the record has no value")
    if len(payload) > limits.max_bytes:
        return refuse("too_large", f"{len(payload)} bytes, at most {limits.max_bytes}")
    is_flat = payload.count(b"[") + payload.count(b"{") <= limits.max_depth
    if is_flat and format_name in (None, NATIVE):
        run = run_json.decode_bytes(payload)
        if run is not None:
            return Decoded(run, NATIVE)
    value = parse_json(payload)
    if isinstance(value, Failure):
        return value
    if not is_flat and _is_deeper(value, limits.max_depth):
        return refuse("too_deep", f"nested more than {limits.max_depth} deep")
    return _decode_value(value, format_name)


def _decode_value(value: Any, format_name: str | None) -> Decoded | Failure:
    if not isinstance(value, dict):
        return refuse("unknown_format", "payload: is not an object")
    name = format_name or _recognise(value)
    if name not in FORMATS:
        where = "payload" if format_name is None else f"format {format_name!r}"
        return refuse("unknown_format", f"{where}: is none of {', '.join(FORMATS)}")
    try:
        return Decoded(FORMATS[name].decode(value), name)
    except ValidationError as error:
        return refusal_of(error)


def _recognise(value: dict[str, Any]) -> str | None:
    return next((name for name, form in FORMATS.items() if form.recognises(value)), None)


def _is_deeper(value: Any, max_depth: int) -> bool:
    """Whether it is; a walk by levels, since recursion is what is not to be trusted here."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(max_depth):
        children = (c.values() if isinstance(c, dict) else c for c in level)
        level = [v for values in children for v in values if isinstance(v, dict | list)]
        if not level:
            return False
    return bool(level)
