"""A span, or a log record that belongs to one: a piece of a run, whatever carried it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

MASTRA, OPENAI_AGENTS = "mastra", "openai-agents"
"""Scopes of spans that come by a carrier of their library's own; their attributes are the object
that the library exported."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """Something that happened during a span."""

    name: str
    time_ns: int
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Span:
    """One span as its carrier told it; attributes are plain JSON values."""

    trace_id: str
    """Of OTLP 32 hex digits in lower case; other carriers have ids of their own."""
    span_id: str
    """Unique in its trace."""
    parent_id: str | None
    """None for a root."""
    name: str
    start_ns: int
    """Nanoseconds since the epoch."""
    end_ns: int | None
    """None for one that has not ended."""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    events: tuple[SpanEvent, ...] = ()
    error: str | None = None
    """Why it failed, if its status says so; may be empty."""
    resource: Mapping[str, Any] = field(default_factory=dict)
    """Attributes of the process that made it."""
    scope: str = ""
    """Name of the instrumentation that made it."""
    is_log: bool = False
    """A log record: an event of the trace, of no length, never a root."""


def to_ns(moment: datetime) -> int:
    """A moment with a time zone in nanoseconds since the epoch."""
    return (moment - _EPOCH) // _MICROSECOND * 1000
