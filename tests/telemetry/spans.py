"""Builders of spans."""

from typing import Any

from live_scoring.telemetry.span import Span

START_NS = 1_793_534_400_000_000_000
MS = 1_000_000


def span(span_id: str, parent_id: str | None = None, **fields: Any) -> Span:
    """A span of trace `t` that lasts a second; `at` is its start in milliseconds."""
    start_ns = START_NS + fields.pop("at", 0) * MS
    told = {"trace_id": "t", "name": span_id, "start_ns": start_ns, "end_ns": start_ns + 1000 * MS}
    return Span(span_id=span_id, parent_id=parent_id, **told | fields)
