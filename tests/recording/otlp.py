"""OpenTelemetry's spans and log records as the Collector puts them on a topic."""

import base64
import re
from collections.abc import Sequence
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.id_generator import IdGenerator
from scenario import AGENT

_IDS = re.compile(r"^(traceId|spanId|parentSpanId)$")
RESOURCE = Resource({"service.name": f"{AGENT}-service"})


class CountedIds(IdGenerator):
    """Ids that a second recording repeats."""

    def __init__(self, seed: int) -> None:
        """Begin at a number of the case's own, so that no two cases share a trace."""
        self._trace, self._span = seed << 96 | 0xA1, seed << 32 | 0xB0

    def generate_trace_id(self) -> int:
        self._trace += 1
        return self._trace

    def generate_span_id(self) -> int:
        self._span += 1
        return self._span


def tracing(seed: int) -> tuple[TracerProvider, InMemorySpanExporter]:
    """A provider whose spans end in memory."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(
        resource=RESOURCE, id_generator=CountedIds(seed), shutdown_on_exit=False
    )
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider, exporter


def as_proto(spans: Sequence[ReadableSpan]) -> bytes:
    """The bytes of encoding `otlp_proto`."""
    return encode_spans(spans).SerializeToString()


def as_json(spans: Sequence[ReadableSpan]) -> Any:
    """The value of encoding `otlp_json`."""
    return otlp_json(encode_spans(spans))


def otlp_json(message: Message) -> Any:
    """Protobuf's own JSON, but with ids in hexadecimal digits and enums as numbers."""
    return _with_hex_ids(MessageToDict(message, use_integers_for_enums=True))


def _with_hex_ids(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_hex_ids(item) for item in value]
    if isinstance(value, dict):
        return {
            key: base64.b64decode(item).hex() if _IDS.match(key) else _with_hex_ids(item)
            for key, item in value.items()
        }
    return value
