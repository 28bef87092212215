"""Encoding `otlp_proto`, read by the messages of the package opentelemetry-proto 1.45."""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Any

from google.protobuf.message import DecodeError as ProtobufError
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.trace.v1.trace_pb2 import Span as SpanMessage
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from live_scoring.core.decoding import DecodeError
from live_scoring.formats.otlp.pieces import Origin, log_span, parent_of
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.span import Span, SpanEvent

_FIRST_BYTE = b"\n"
"""Field 1, of a stated length: neither request has another. JSON may begin with it, too."""
_TRACE_ID_BYTES, _SPAN_ID_BYTES = 16, 8


def recognises(payload: bytes) -> bool:
    """Whether the bytes are a request to export spans or log records."""
    return payload.startswith(_FIRST_BYTE) and _parse(payload) is not None


def decode(payload: bytes, _envelope: Envelope) -> tuple[Span, ...]:
    """Read the spans or log records of encoding `otlp_proto`.

    Raises:
        DecodeError: It holds neither, or a span without its ids.
    """
    match _parse(payload):
        case ExportTraceServiceRequest() as request:
            return tuple(_spans_of_proto(request))
        case ExportLogsServiceRequest() as request:
            return tuple(_logs_of_proto(request))
    raise DecodeError("bad_field", "payload: holds no spans or log records in protobuf")


def _parse(payload: bytes) -> ExportTraceServiceRequest | ExportLogsServiceRequest | None:
    """The request that the bytes make sense as.

    Both kinds have the same outer shape, and protobuf skips the fields that it does not know: so
    what tells them apart is whether the first piece has what each of its kind has.
    """
    try:
        spans = ExportTraceServiceRequest.FromString(payload)
    except ProtobufError:
        pass
    else:
        parts = (part for group in spans.resource_spans for part in group.scope_spans)
        first = next((span for part in parts for span in part.spans), None)
        if first is not None and len(first.trace_id) == _TRACE_ID_BYTES:
            return spans
    try:
        logs = ExportLogsServiceRequest.FromString(payload)
    except ProtobufError:
        return None
    sections = (part for group in logs.resource_logs for part in group.scope_logs)
    record = next((log for part in sections for log in part.log_records), None)
    return logs if record is not None and _time_of(record) else None


def _spans_of_proto(request: ExportTraceServiceRequest) -> Iterator[Span]:
    for group in request.resource_spans:
        resource = _attributes(group.resource.attributes)
        for part in group.scope_spans:
            for span in part.spans:
                yield _span_of_proto(span, resource, part.scope.name)


def _span_of_proto(span: SpanMessage, resource: dict[str, Any], scope: str) -> Span:
    if len(span.trace_id) != _TRACE_ID_BYTES or len(span.span_id) != _SPAN_ID_BYTES:
        raise DecodeError("bad_field", "span: its trace id is not of 16 bytes, or its id not of 8")
    is_error = span.status.code == Status.STATUS_CODE_ERROR
    return Span(
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=parent_of(span.parent_span_id.hex()),
        name=span.name,
        start_ns=span.start_time_unix_nano,
        end_ns=span.end_time_unix_nano or None,
        attributes=_attributes(span.attributes),
        events=tuple(
            SpanEvent(event.name, event.time_unix_nano, _attributes(event.attributes))
            for event in span.events
        ),
        error=span.status.message if is_error else None,
        resource=resource,
        scope=scope,
    )


def _logs_of_proto(request: ExportLogsServiceRequest) -> Iterator[Span]:
    for group in request.resource_logs:
        resource = _attributes(group.resource.attributes)
        for part in group.scope_logs:
            for log in part.log_records:
                ids = log.trace_id.hex(), log.span_id.hex()
                yield log_span(
                    Origin(resource, part.scope.name, *ids),
                    log.event_name,
                    _time_of(log),
                    _attributes(log.attributes),
                    _value(log.body),
                )


def _time_of(log: LogRecord) -> int:
    return log.time_unix_nano or log.observed_time_unix_nano


def _attributes(pairs: Iterable[KeyValue]) -> dict[str, Any]:
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: AnyValue) -> Any:
    """The plain value; protobuf itself bounds how deep they nest."""
    kind = value.WhichOneof("value")
    match kind:
        case "array_value":
            return [_value(item) for item in value.array_value.values]
        case "kvlist_value":
            return _attributes(value.kvlist_value.values)
        case "bytes_value":
            return b64encode(value.bytes_value).decode()
        case "double_value":
            return value.double_value if isfinite(value.double_value) else None
    return getattr(value, kind) if kind else None
