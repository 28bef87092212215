"""Encoding `otlp_json`, by the rules of OTLP 1.10.

Ids are hexadecimal, 64-bit numbers may be texts, and a field that is left out has its zero value.
What the attributes mean is left to the dialects.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StringConstraints, TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses typing's own before Python 3.12

from live_scoring.core.decoding import DecodeError
from live_scoring.formats.otlp.pieces import Origin, log_span, parent_of
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.span import Span, SpanEvent


def _read_attributes(pairs: object) -> dict[str, Any]:
    if not isinstance(pairs, list | None):
        raise ValueError("Input should be an array")  # noqa: TRY004 -- pydantic makes its own of it
    told = (p for p in pairs or () if isinstance(p, dict) and isinstance(p.get("key"), str))
    return {pair["key"]: _read_value(pair.get("value")) for pair in told}


def _read_value(value: Any) -> Any:
    """The plain value of a tagged one; None for what is none. As deep as the payload is."""
    if not isinstance(value, dict):
        return None
    for kind, content in value.items():
        if kind in _READERS:
            return _READERS[kind](content)
    return None


def _read_text(text: Any) -> str | None:
    return text if isinstance(text, str) else None


def _read_int(number: Any) -> int | None:
    try:
        return int(number)
    except (TypeError, ValueError, OverflowError):
        return None


def _read_number(number: Any) -> int | float | None:
    """A number; `NaN` and `Infinity` are texts here and no JSON values."""
    return number if isinstance(number, int | float) else None


def _read_array(array: Any) -> list[Any]:
    values = array.get("values") if isinstance(array, dict) else None
    return [_read_value(value) for value in values] if isinstance(values, list) else []


def _read_object(pairs: Any) -> dict[str, Any]:
    values = pairs.get("values") if isinstance(pairs, dict) else None
    return _read_attributes(values if isinstance(values, list) else None)


_READERS: dict[str, Callable[[Any], Any]] = {
    "stringValue": _read_text,
    "intValue": _read_int,
    "boolValue": _read_number,
    "doubleValue": _read_number,
    "arrayValue": _read_array,
    "kvlistValue": _read_object,
    "bytesValue": _read_text,
}

_ERROR_CODES = (2, "STATUS_CODE_ERROR")

_Attributes = Annotated[dict[str, Any], BeforeValidator(_read_attributes)]
_Nanoseconds = Annotated[int, Field(ge=0, lt=2**64)]
_TraceId = Annotated[str, StringConstraints(pattern="^[0-9a-fA-F]{32}$", to_lower=True)]
_SpanId = Annotated[str, StringConstraints(pattern="^[0-9a-fA-F]{16}$", to_lower=True)]
_NoId = Annotated[str, StringConstraints(max_length=0)]


class _Resource(TypedDict, total=False):
    attributes: _Attributes


class _Scope(TypedDict, total=False):
    name: str


class _Event(TypedDict, total=False):
    name: str
    timeUnixNano: _Nanoseconds
    attributes: _Attributes


class _Status(TypedDict, total=False):
    code: int | str
    message: str


class _SpanOptions(TypedDict, total=False):
    parentSpanId: _SpanId | _NoId | None
    name: str
    startTimeUnixNano: _Nanoseconds
    endTimeUnixNano: _Nanoseconds
    attributes: _Attributes
    events: list[_Event] | None
    status: _Status | None


class _Span(_SpanOptions):
    traceId: _TraceId
    spanId: _SpanId


class _Log(TypedDict, total=False):
    traceId: _TraceId | _NoId | None
    spanId: _SpanId | _NoId | None
    eventName: str
    timeUnixNano: _Nanoseconds
    observedTimeUnixNano: _Nanoseconds
    attributes: _Attributes
    body: Annotated[Any, BeforeValidator(_read_value)]


class _ScopeSpans(TypedDict, total=False):
    scope: _Scope
    spans: list[_Span]


class _ScopeLogs(TypedDict, total=False):
    scope: _Scope
    logRecords: list[_Log]


class _ResourceSpans(TypedDict, total=False):
    resource: _Resource
    scopeSpans: list[_ScopeSpans]


class _ResourceLogs(TypedDict, total=False):
    resource: _Resource
    scopeLogs: list[_ScopeLogs]


class _Request(TypedDict, total=False):
    resourceSpans: list[_ResourceSpans]
    resourceLogs: list[_ResourceLogs]


_REQUEST = TypeAdapter(_Request)


def recognises(value: Any) -> bool:
    """Whether the value is meant as a request to export spans or log records."""
    return isinstance(value, dict) and ("resourceSpans" in value or "resourceLogs" in value)


def decode(value: Any, _envelope: Envelope) -> tuple[Span, ...]:
    """Read the spans and log records of encoding `otlp_json`.

    Raises:
        DecodeError: It holds neither.
        ValidationError: A field is missing or bad.
    """
    if not recognises(value):
        raise DecodeError("missing_field", "payload: has neither resourceSpans nor resourceLogs")
    request = _REQUEST.validate_python(value)
    return (*_spans_of_json(request), *_logs_of_json(request))


def _spans_of_json(request: _Request) -> Iterator[Span]:
    for group in request.get("resourceSpans", ()):
        resource = group.get("resource", {}).get("attributes", {})
        for part in group.get("scopeSpans", ()):
            scope = part.get("scope", {}).get("name", "")
            for span in part.get("spans", ()):
                yield Span(
                    trace_id=span["traceId"],
                    span_id=span["spanId"],
                    parent_id=parent_of(span.get("parentSpanId")),
                    name=span.get("name", ""),
                    start_ns=span.get("startTimeUnixNano", 0),
                    end_ns=span.get("endTimeUnixNano") or None,
                    attributes=span.get("attributes", {}),
                    events=tuple(_event_of_json(event) for event in span.get("events") or ()),
                    error=_error_of_json(span.get("status")),
                    resource=resource,
                    scope=scope,
                )


def _event_of_json(event: _Event) -> SpanEvent:
    told = event.get("attributes", {})
    return SpanEvent(event.get("name", ""), event.get("timeUnixNano", 0), told)


def _error_of_json(status: _Status | None) -> str | None:
    if not status or status.get("code") not in _ERROR_CODES:
        return None
    return status.get("message", "")


def _logs_of_json(request: _Request) -> Iterator[Span]:
    for group in request.get("resourceLogs", ()):
        resource = group.get("resource", {}).get("attributes", {})
        for part in group.get("scopeLogs", ()):
            scope = part.get("scope", {}).get("name", "")
            for log in part.get("logRecords", ()):
                yield log_span(
                    Origin(resource, scope, log.get("traceId"), log.get("spanId")),
                    log.get("eventName", ""),
                    log.get("timeUnixNano") or log.get("observedTimeUnixNano", 0),
                    log.get("attributes", {}),
                    log.get("body"),
                )
