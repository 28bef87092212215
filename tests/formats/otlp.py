"""OTLP requests: builders, what hypothesis draws, and the same in protobuf."""

import json
from base64 import b64encode
from typing import Any

from google.protobuf.json_format import ParseDict
from hypothesis import strategies as st
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.formats.strategies import COUNTS, objects

TRACE_ID, START_NS = "7c1f0e2ab94d4a0f8a3b5d6e7f809112", 1_793_534_400_000_000_000
_TAGS = {bool: "boolValue", int: "intValue", float: "doubleValue", str: "stringValue"}
_IDS = ("traceId", "spanId", "parentSpanId")


def tagged(value: Any) -> dict[str, Any]:
    """A plain JSON value as OTLP JSON tags it; null has no tag."""
    if value is None:
        return {}
    if isinstance(value, list):
        return {"arrayValue": {"values": [tagged(item) for item in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": attributes(value)}}
    tag = _TAGS[type(value)]
    return {tag: str(value) if tag == "intValue" else value}


def attributes(told: dict[str, Any]) -> list[dict[str, Any]]:
    """Attributes as OTLP JSON lists them."""
    return [{"key": key, "value": tagged(value)} for key, value in told.items()]


def span(number: int, told: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A span of one second in OTLP JSON."""
    start_ns = START_NS + number
    return {
        "traceId": TRACE_ID,
        "spanId": f"{number:016x}",
        "name": "chat",
        "startTimeUnixNano": str(start_ns),
        "endTimeUnixNano": str(start_ns + 1_000_000_000),
        "attributes": attributes(told or {}),
    } | fields


def log(number: int, told: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A log record on a span in OTLP JSON."""
    return {
        "traceId": TRACE_ID,
        "spanId": f"{number:016x}",
        "timeUnixNano": str(START_NS + number),
        "attributes": attributes(told or {}),
    } | fields


def spans_request(*spans: dict[str, Any], resource: dict[str, Any] | None = None) -> Any:
    """What the Collector writes to its topic of spans, as JSON."""
    scopes = [{"scope": {"name": "acme"}, "spans": list(spans)}]
    return {"resourceSpans": [_group("scopeSpans", scopes, resource)]}


def logs_request(*logs: dict[str, Any], resource: dict[str, Any] | None = None) -> Any:
    """What the Collector writes to its topic of log records, as JSON."""
    scopes = [{"scope": {"name": "acme"}, "logRecords": list(logs)}]
    return {"resourceLogs": [_group("scopeLogs", scopes, resource)]}


def _group(key: str, scopes: list[Any], resource: dict[str, Any] | None) -> dict[str, Any]:
    told = attributes(resource or {"service.name": "desk"})
    return {"resource": {"attributes": told}, key: scopes}


def as_proto(request: Any) -> bytes:
    """The bytes of a request in JSON; protobuf's own JSON writes ids in base64."""
    kind = ExportLogsServiceRequest if "resourceLogs" in request else ExportTraceServiceRequest
    return ParseDict(_in_base64(request), kind()).SerializeToString()


def _in_base64(value: Any) -> Any:
    if isinstance(value, list):
        return [_in_base64(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: b64encode(bytes.fromhex(item)).decode() if key in _IDS else _in_base64(item)
        for key, item in value.items()
    }


_PLAIN: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 1, -1, 0.5, "", "hello", '{"a": 1}', "{", [], ["c1"], {}, {"error": "no"}, [{}]]
)
_CALL_IDS = st.sampled_from(["c1", "c2"]) | st.just(["c1"]) | st.none()
_NAMES = st.sampled_from(["look", "listen"])
_PARTS = st.one_of(
    objects(type=st.just("text"), content=st.sampled_from(["hello", "bye"])),
    objects(type=st.just("tool_call"), id=_CALL_IDS, name=_NAMES, arguments=_PLAIN),
    objects(type=st.just("tool_call_response"), id=_CALL_IDS, response=_PLAIN, result=_PLAIN),
    objects(type=st.sampled_from(["reasoning", "tool_search", "blob"])),
)
_ROLES = st.sampled_from(["user", "assistant", "tool", "system"])
_MESSAGES = st.lists(
    objects(role=_ROLES, parts=st.lists(_PARTS, max_size=3), content=_PLAIN), max_size=3
)
_WRITTEN = _MESSAGES | st.builds(json.dumps, _MESSAGES)
_GENAI = objects(
    **{
        "gen_ai.operation.name": st.sampled_from(["chat", "invoke_agent", "execute_tool"]),
        "gen_ai.agent.name": _NAMES,
        "gen_ai.input.messages": _WRITTEN,
        "gen_ai.output.messages": _WRITTEN,
        "gen_ai.tool.name": _NAMES,
        "gen_ai.tool.call.id": _CALL_IDS,
        "gen_ai.tool.call.arguments": _PLAIN,
        "gen_ai.tool.call.result": _PLAIN,
        "gen_ai.usage.input_tokens": COUNTS,
        "gen_ai.request.model": _PLAIN,
        "gen_ai.prompt.0.role": _ROLES,
        "gen_ai.prompt.0.tool_calls.0.name": _PLAIN,
        "pydantic_ai.all_messages": _WRITTEN,
        "events": _WRITTEN,
        "error.type": _NAMES,
    }
)
_OPENINFERENCE = objects(
    **{
        "openinference.span.kind": st.sampled_from(["AGENT", "CHAIN", "LLM", "TOOL"]),
        "llm.input_messages.0.message.role": _ROLES,
        "llm.input_messages.0.message.content": _PLAIN,
        "llm.input_messages.1.message": _PLAIN,
        "llm.output_messages.0.message.role": _ROLES,
        "llm.output_messages.0.message.contents.0.message_content.type": st.sampled_from(
            ["text", "tool_use", "tool_result"]
        ),
        "llm.output_messages.0.message.contents.0.message_content.id": _CALL_IDS,
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": _NAMES,
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": _PLAIN,
        "input.value": _PLAIN,
        "output.value": _PLAIN,
        "metadata": st.builds(json.dumps, _PLAIN),
        "llm.cost.total": _PLAIN,
    }
)
_TOLD = _GENAI | _OPENINFERENCE
_EVENT_NAMES = st.sampled_from(
    [
        "exception",
        "gen_ai.user.message",
        "gen_ai.choice",
        "gen_ai.client.inference.operation.details",
    ]
)
_BODIES = _PLAIN | objects(role=_ROLES, content=_PLAIN, message=_PLAIN, tool_calls=_WRITTEN)
_EVENTS = st.builds(
    lambda name, told: {"name": name, "attributes": attributes(told)},
    _EVENT_NAMES,
    objects(message=_PLAIN, content=_PLAIN) | _GENAI,
)
_SPANS = st.builds(
    lambda number, told, events, code: span(number, told, events=events, status={"code": code}),
    st.integers(1, 5),
    _TOLD,
    st.lists(_EVENTS, max_size=2),
    st.sampled_from([0, 1, 2]),
)
_CHILDREN = st.builds(lambda told, up: told | {"parentSpanId": f"{up:016x}"}, _SPANS, COUNTS)
_LOGS = st.builds(
    lambda number, told, name, body: log(number, told, eventName=name, body=tagged(body)),
    st.integers(1, 5),
    _TOLD,
    _EVENT_NAMES,
    _BODIES,
)
REQUESTS: st.SearchStrategy[Any] = st.builds(
    lambda spans: spans_request(*spans), st.lists(_SPANS | _CHILDREN, min_size=1, max_size=3)
) | st.builds(lambda logs: logs_request(*logs), st.lists(_LOGS, min_size=1, max_size=2))
"""Requests in JSON whose attributes are of the conventions that the dialects read."""
