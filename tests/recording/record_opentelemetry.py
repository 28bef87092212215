# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.57.0",
#   "opentelemetry-instrumentation-genai-openai==1.3b0",
#   "opentelemetry-util-genai==1.3b0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-common==1.45.2",
# ]
# ///
"""Record OpenTelemetry's GenAI spans and log records.

`uv run --script tests/recording/record_opentelemetry.py`: the instrumentation of OpenAI's client
makes the `chat` spans, the utilities for GenAI make the agent's and the tools'.
"""

import os
from typing import Any

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_AND_EVENT"

import otlp
from chat_loop import answer, call_tool
from model_server import model_server
from openai import OpenAI
from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.util.genai.handler import TelemetryHandler
from scenario import AGENT, CASES, keep

LIBRARY = "opentelemetry-instrumentation-genai-openai"


def record(case: str, seed: int) -> None:
    provider, spans = otlp.tracing(0x10 + seed)
    logs = InMemoryLogRecordExporter()
    log_provider = LoggerProvider(resource=otlp.RESOURCE, shutdown_on_exit=False)
    log_provider.add_log_record_processor(SimpleLogRecordProcessor(logs))
    handler = TelemetryHandler(tracer_provider=provider, logger_provider=log_provider)

    def call(call_id: str, name: str, args: dict[str, Any]) -> Any:
        with handler.tool(name, tool_type="function", agent_name=AGENT) as tool:
            tool.tool_call_id = call_id
            tool.arguments = args
            tool.tool_result = call_tool(call_id, name, args)
            return tool.tool_result

    instrumentor = OpenAIInstrumentor()
    instrumentor.instrument(tracer_provider=provider, logger_provider=log_provider)
    messages: list[dict[str, Any]] = []
    with model_server(case) as address:
        client = OpenAI(api_key="none", base_url=f"{address}/v1")
        for turn in CASES[case]:
            spans.clear()
            logs.clear()
            messages.append({"role": "user", "content": turn["user"]})
            with handler.invoke_local_agent(agent_name=AGENT, conversation_id="thread-1"):
                answer(client, messages, call)
    instrumentor.uninstrument()
    keep(f"opentelemetry-spans-{case}", otlp.as_json(spans.get_finished_spans()), LIBRARY)
    if case == "success":
        keep("opentelemetry-proto-success", otlp.as_proto(spans.get_finished_spans()), LIBRARY)
    events = encode_logs(logs.get_finished_logs())
    keep(f"opentelemetry-logs-{case}", otlp.otlp_json(events), LIBRARY)


if __name__ == "__main__":
    for number, name in enumerate(CASES, 1):
        record(name, number)
