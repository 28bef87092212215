"""What spans and log records of both encodings share."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from live_scoring.core.wire import to_json
from live_scoring.telemetry.span import Span


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a log record comes from."""

    resource: dict[str, Any]
    scope: str
    trace_id: str | None
    span_id: str | None


def log_span(
    origin: Origin, name: str, time_ns: int, attributes: dict[str, Any], body: Any
) -> Span:
    """A log record as a span of no length under the span that it tells of.

    Its id is a hash of what it says, so that a repeated one is known again; one outside of all
    traces is a trace of its own under the same id.
    """
    told = (body if isinstance(body, dict) else {"body": body} if body else {}) | attributes
    name = name or str(told.get("event.name") or "")
    digest = blake2b(to_json([origin.span_id, name, time_ns, told]), digest_size=16).hexdigest()
    return Span(
        trace_id=origin.trace_id or digest,
        span_id=digest,
        parent_id=parent_of(origin.span_id),
        name=name,
        start_ns=time_ns,
        end_ns=time_ns,
        attributes=told,
        resource=origin.resource,
        scope=origin.scope,
        is_log=True,
    )


def parent_of(span_id: str | None) -> str | None:
    """The id of a parent; none and all zeros mean a root."""
    return span_id if span_id and span_id.strip("0") else None
