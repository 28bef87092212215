"""Bytes to runs and records to bytes; `FORMATS` names what a run may come in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import ValidationError

from live_scoring.core.decoding import DecodeError, is_deeper, parse_json, refusal_of, refuse
from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.formats import (
    anthropic,
    langchain,
    mastra,
    mastra_spans,
    openai_agents,
    openai_chat,
    openai_responses,
    pydantic_ai,
    run_json,
    vercel_messages,
    vercel_ui,
)
from live_scoring.formats.otlp import in_json, in_proto
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.span import Span

NATIVE = "native"


Read = AgentRun | tuple[Span, ...]
"""A whole run, or spans that are pieces of runs."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format that runs, or pieces of runs, may come in."""

    recognises: Callable[[Any], bool]
    """Whether a payload that names no format is meant as this one: by the keys of its JSON value,
    or by the bytes of a binary one."""
    decode: Callable[[Any, Envelope], Read]
    """Raises `DecodeError`, or `ValidationError` where a field is missing or bad."""
    is_binary: bool = False
    """Given the payload's bytes, not its JSON value."""


FORMATS = {
    "otlp_proto": Format(in_proto.recognises, in_proto.decode, is_binary=True),
    "otlp_json": Format(in_json.recognises, in_json.decode),
    "mastra_spans": Format(mastra_spans.recognises, mastra_spans.decode),
    "openai_agents": Format(openai_agents.recognises, openai_agents.decode),
    "openai_responses": Format(openai_responses.recognises, openai_responses.decode),
    "vercel_ui": Format(vercel_ui.recognises, vercel_ui.decode),
    "mastra": Format(mastra.recognises, mastra.decode),
    "openai_chat": Format(openai_chat.recognises, openai_chat.decode),
    "anthropic": Format(anthropic.recognises, anthropic.decode),
    "langchain": Format(langchain.recognises, langchain.decode),
    "pydantic_ai": Format(pydantic_ai.recognises, pydantic_ai.decode),
    "vercel_messages": Format(vercel_messages.recognises, vercel_messages.decode),
    NATIVE: Format(run_json.recognises, run_json.decode),
}
"""By name, asked in this order."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a payload may be at most."""

    max_bytes: int = 4 * 1024 * 1024
    max_depth: int = 100
    """Arrays and objects inside one another."""


class Decoded(NamedTuple):
    """A run and the name of the format it came in."""

    run: AgentRun
    format_name: str


@dataclass(frozen=True, slots=True)
class Pieces:
    """Spans and the name of the format they came in; their runs are yet to be assembled."""

    spans: tuple[Span, ...]
    format_name: str


DEFAULT_LIMITS = Limits()
NOWHERE = Envelope()


def decode(
    payload: bytes | None,
    format_name: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    envelope: Envelope = NOWHERE,
    formats: Mapping[str, Format] = FORMATS,
) -> Decoded | Pieces | Failure:
    """Read a run, or pieces of runs; never raises.

    Args:
        payload: The record's value, None for a tombstone.
        format_name: What the record's header or its topic says it is; None looks at it.
        limits: What it may be at most.
        envelope: What stands around the payload.
        formats: What it may be, by name, asked in this order.

    Returns:
        What was read, or a `Failure` of stage `decode` whose reason is a `DecodeReason`.
    """
    if not payload:
        return refuse("empty", "the record has no value")
    if len(payload) > limits.max_bytes:
        return refuse("too_large", f"{len(payload)} bytes, at most {limits.max_bytes}")
    name = format_name or _recognised(payload, formats, is_binary=True)
    if name is not None and name in formats and formats[name].is_binary:
        return _read(payload, name, envelope, formats)
    value = parse_json(payload)
    if not _is_flat(payload, limits.max_depth) and is_deeper(value, limits.max_depth):
        return refuse("too_deep", f"nested more than {limits.max_depth} deep")
    return value if isinstance(value, Failure) else _decode_value(value, name, envelope, formats)


def _decode_value(
    value: Any, format_name: str | None, envelope: Envelope, formats: Mapping[str, Format]
) -> Decoded | Pieces | Failure:
    if format_name is None and (run := run_json.whole(value)):
        return Decoded(run, NATIVE)
    name = format_name or _recognised(value, formats, is_binary=False)
    if name is None or name not in formats:
        known, remedy = ", ".join(formats), "give JSON of your own making a mapping"
        where = "payload" if format_name is None else f"format {format_name!r}"
        return refuse("unknown_format", f"{where}: is none of {known}; {remedy}")
    return _read(value, name, envelope, formats)


def looks_like(payload: bytes, formats: Mapping[str, Format] = FORMATS) -> str | None:
    """The format that a payload is seen to be in, readable or not; None where it is none."""
    name = _recognised(payload, formats, is_binary=True)
    return name or _recognised(parse_json(payload), formats, is_binary=False)


def _recognised(content: Any, formats: Mapping[str, Format], *, is_binary: bool) -> str | None:
    for name, form in formats.items():
        if form.is_binary is is_binary and form.recognises(content):
            return name
    return None


def _is_flat(payload: bytes, max_depth: int) -> bool:
    """Whether it opens too few arrays and objects to be nested deeper, told without parsing."""
    # To find one after the other is quicker than counting: that looks at byte for byte.
    left = max_depth
    for bracket in (b"[", b"{"):
        at = payload.find(bracket)
        while at >= 0:
            if not left:
                return False
            left -= 1
            at = payload.find(bracket, at + 1)
    return True


def _read(
    content: Any, name: str, envelope: Envelope, formats: Mapping[str, Format]
) -> Decoded | Pieces | Failure:
    try:
        read = formats[name].decode(content, envelope)
    except DecodeError as error:
        return error.failure
    except ValidationError as error:
        return refusal_of(error)
    return Decoded(read, name) if isinstance(read, AgentRun) else Pieces(read, name)
