"""An agent whose OpenTelemetry SDK exports what it does, by the GenAI conventions."""

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, StatusCode, format_trace_id

_ASKED = {"role": "user", "parts": [{"type": "text", "content": "How is the weather in Lisbon?"}]}
_CALL = {
    "type": "tool_call",
    "id": "call_1",
    "name": "get_weather",
    "arguments": {"city": "Lisbon"},
}
_CALLED = {"role": "assistant", "parts": [_CALL], "finish_reason": "tool_call"}
_SAID = {"role": "assistant", "parts": [{"type": "text", "content": "It is sunny in Lisbon."}]}


class OtelAgent:
    """Asks a model, calls one tool, asks again."""

    def __init__(self, name: str, address: str) -> None:
        """Export to an address that takes OTLP over HTTP."""
        self.name = name
        self._provider = TracerProvider(resource=Resource({"service.name": f"{name}-service"}))
        exporter = OTLPSpanExporter(f"{address}/v1/traces")
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer(__name__)

    def run(self, *, fails: bool = False, is_torn: bool = False) -> str:
        """Run once and export it; gives the trace's id.

        Args:
            fails: Whether the tool fails.
            is_torn: Whether the spans leave one by one, the agent's own last.
        """
        with self._span("invoke_agent", self.name, {"agent.name": self.name}) as root:
            self._chat([_ASKED], _CALLED)
            self._flush(is_wanted=is_torn)
            result = self._call_tool(fails=fails)
            self._flush(is_wanted=is_torn)
            answer = {"type": "tool_call_response", "id": "call_1", "response": result}
            self._chat([_ASKED, _CALLED, {"role": "tool", "parts": [answer]}], _SAID)
            self._flush(is_wanted=is_torn)
        self._flush(is_wanted=True)
        return format_trace_id(root.get_span_context().trace_id)

    def close(self) -> None:
        """End the exporter's thread."""
        self._provider.shutdown()

    def _chat(self, asked: list[Any], said: Any) -> None:
        messages = {"input.messages": json.dumps(asked), "output.messages": json.dumps([said])}
        with self._span("chat", "model", {"request.model": "model"} | messages):
            pass

    def _call_tool(self, *, fails: bool) -> str:
        named = {"tool.name": "get_weather", "tool.call.id": "call_1"}
        with self._span("execute_tool", "get_weather", named) as span:
            if not fails:
                return "sunny"
            span.record_exception(ValueError("no station in Lisbon"))
            span.set_status(StatusCode.ERROR)
        return "no station in Lisbon"

    def _span(
        self, operation: str, what: str, attributes: Mapping[str, str]
    ) -> AbstractContextManager[Span]:
        told = {"operation.name": operation} | dict(attributes)
        return self._tracer.start_as_current_span(
            f"{operation} {what}", attributes={f"gen_ai.{key}": told[key] for key in told}
        )

    def _flush(self, *, is_wanted: bool) -> None:
        if is_wanted:
            self._provider.force_flush()
