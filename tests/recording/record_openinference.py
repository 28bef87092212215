# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langchain==1.5.2",
#   "langchain-core==1.8.3",
#   "langgraph==1.2.24",
#   "openai==3.57.0",
#   "openai-agents==0.24.0",
#   "openinference-instrumentation-langchain==0.1.80",
#   "openinference-instrumentation-openai==0.1.66",
#   "openinference-instrumentation-openai-agents==2.6.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-common==1.45.2",
# ]
# ///
"""Record OpenInference's spans: `uv run --script tests/recording/record_openinference.py`.

Of a LangChain agent, of the OpenAI Agents SDK, and of an agent by hand over OpenAI's client, whose
own spans are made with OpenInference's tracer.
"""

import asyncio
from typing import Any

import otlp
from agents import OpenAIChatCompletionsModel, Runner
from chat_loop import answer
from model_server import model_server
from openai import AsyncOpenAI, OpenAI
from openinference.instrumentation import TracerProvider, using_session
from openinference.instrumentation.langchain import LangChainInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from record_openai_agents import agent_of as sdk_agent_of
from scenario import AGENT, CASES, MODEL, TOOLS, keep, replies
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


async def record_agents(case: str, seed: int) -> None:
    provider, spans = tracing(0x38 + seed)
    instrumentor = OpenAIAgentsInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    items: list[Any] = []
    with model_server(case) as address:
        client = AsyncOpenAI(api_key="none", base_url=f"{address}/v1")
        agent = sdk_agent_of(OpenAIChatCompletionsModel(MODEL, client))
        for turn in CASES[case]:
            spans.clear()
            result = await Runner.run(agent, [*items, {"role": "user", "content": turn["user"]}])
            items = result.to_input_list()
    instrumentor.uninstrument()
    recorded = otlp.as_json(spans.get_finished_spans())
    keep(f"openinference-agents-{case}", recorded, "openinference-instrumentation-openai-agents")


if __name__ == "__main__":
    for number, name in enumerate(CASES, 1):
        record_langchain(name, number)
        record_openai(name, number)
        asyncio.run(record_agents(name, number))
