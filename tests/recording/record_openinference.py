# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langchain==1.5.2",
#   "langchain-core==1.8.3",
#   "langgraph==1.2.24",
#   "openai==3.57.0",
#   "openinference-instrumentation-langchain==0.1.80",
#   "openinference-instrumentation-openai==0.1.66",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-common==1.45.2",
# ]
# ///
"""Record OpenInference's spans: `uv run --script tests/recording/record_openinference.py`.

Of a LangChain agent, and of an agent by hand over OpenAI's client, whose own spans are made with
OpenInference's tracer.
"""

from typing import Any

import otlp
from chat_loop import answer
from model_server import model_server
from openai import OpenAI
from openinference.instrumentation import TracerProvider, using_session
from openinference.instrumentation.langchain import LangChainInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from scenario import AGENT, CASES, TOOLS, keep, replies
from scripted_chat import agent_of


def tracing(seed: int) -> tuple[TracerProvider, InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    ids = otlp.CountedIds(seed)
    provider = TracerProvider(resource=otlp.RESOURCE, id_generator=ids, shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider, exporter


def record_langchain(case: str, seed: int) -> None:
    provider, spans = tracing(0x20 + seed)
    instrumentor = LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    agent = agent_of(replies(case))
    thread = {"configurable": {"thread_id": "thread-1"}}
    for turn in CASES[case]:
        spans.clear()
        agent.invoke({"messages": [("user", turn["user"])]}, thread)
    instrumentor.uninstrument()
    recorded = otlp.as_json(spans.get_finished_spans())
    keep(f"openinference-langchain-{case}", recorded, "openinference-instrumentation-langchain")


def record_openai(case: str, seed: int) -> None:
    provider, spans = tracing(0x30 + seed)
    tracer = provider.get_tracer(__name__)
    instrumentor = OpenAIInstrumentor()
    instrumentor.instrument(tracer_provider=provider)

    def call(_call_id: str, name: str, args: dict[str, Any]) -> Any:
        return tracer.tool(TOOLS[name], name=name)(**args)

    messages: list[dict[str, Any]] = []
    with model_server(case) as address:
        client = OpenAI(api_key="none", base_url=f"{address}/v1")
        for turn in CASES[case]:
            spans.clear()
            messages.append({"role": "user", "content": turn["user"]})
            with (
                using_session("thread-1"),
                tracer.start_as_current_span(AGENT, openinference_span_kind="agent") as span,
            ):
                span.set_input(turn["user"])
                answer(client, messages, call)
                span.set_output(str(messages[-1].get("content")))
    instrumentor.uninstrument()
    recorded = otlp.as_json(spans.get_finished_spans())
    keep(f"openinference-openai-{case}", recorded, "openinference-instrumentation-openai")


if __name__ == "__main__":
    for number, name in enumerate(CASES, 1):
        record_langchain(name, number)
        record_openai(name, number)
