# /// script
# requires-python = ">=3.11"
# dependencies = ["openai-agents==0.24.0", "openai==3.57.0"]
# ///
"""Record the OpenAI Agents SDK: `uv run --script tests/recording/record_openai_agents.py`.

What it posts to its tracing backend (the SDK's own exporter, pointed at this machine), and a run's
items as `to_input_list` gives them. Its own client asks a scripted model.
"""

import asyncio
from typing import Any

from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    RunConfig,
    Runner,
    function_tool,
    set_trace_processors,
)
from agents.tracing import Span, Trace, TracingProcessor
from model_server import model_server
from openai import AsyncOpenAI
from scenario import AGENT, CASES, MODEL, TOOLS, keep

LIBRARY = "openai-agents"


class Exported(TracingProcessor):
    """Keeps what the SDK's backend exporter would post, item by item."""

    def __init__(self) -> None:
        self.items: list[Any] = []

    def on_trace_start(self, trace: Trace) -> None:
        self.items.append(trace.export())

    def on_trace_end(self, trace: Trace) -> None:
        """The exporter posts a trace when it starts."""

    def on_span_start(self, span: Span[Any]) -> None:
        """The exporter posts a span when it ends."""

    def on_span_end(self, span: Span[Any]) -> None:
        self.items.append(span.export())

    def shutdown(self) -> None:
        """Nothing to shut."""

    def force_flush(self) -> None:
        """Nothing to flush."""


def agent_of(model: Any) -> Agent[None]:
    tools = [
        function_tool(tool, needs_approval=name == "send_alert") for name, tool in TOOLS.items()
    ]
    return Agent(name=AGENT, model=model, tools=list(tools))


async def record(case: str, kind: type[Any], name: str) -> None:
    exported = Exported()
    set_trace_processors([exported])
    items: list[Any] = []
    with model_server(case) as address:
        client = AsyncOpenAI(api_key="none", base_url=f"{address}/v1")
        agent = agent_of(kind(MODEL, client))
        for turn in CASES[case]:
            exported.items.clear()
            asked = [*items, {"role": "user", "content": turn["user"]}]
            result = await Runner.run(agent, asked, run_config=RunConfig(group_id="thread-1"))
            items = result.to_input_list()
    keep(f"openai-agents-{name}-{case}", {"data": exported.items}, LIBRARY)
    if kind is OpenAIResponsesModel:
        keep(f"openai-responses-items-{case}", items, LIBRARY)


async def main() -> None:
    for case in CASES:
        await record(case, OpenAIChatCompletionsModel, "trace")
        await record(case, OpenAIResponsesModel, "responses-trace")


if __name__ == "__main__":
    asyncio.run(main())
