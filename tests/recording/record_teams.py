# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "pydantic-ai-slim==2.68.0",
#   "openai-agents==0.24.0",
#   "openai==3.57.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-common==1.45.2",
# ]
# ///
"""Record agents that work together: `uv run --script tests/recording/record_teams.py`.

Side by side in one trace, one as the tool of another, and one that hands over to another.
"""

import asyncio
from contextlib import suppress

import otlp
from agents import Agent as SdkAgent
from agents import OpenAIChatCompletionsModel, Runner, function_tool, set_trace_processors
from model_server import model_server
from openai import AsyncOpenAI
from pydantic_ai import Agent
from pydantic_ai.agent import InstrumentationSettings
from record_openai_agents import Exported
from record_pydantic_ai import scripted
from scenario import AGENT, CASES, MODEL, TEAMS, get_weather, keep, pack_bag


def record_side_by_side() -> None:
    provider, exporter = otlp.tracing(0xA1)
    with provider.get_tracer("desk").start_as_current_span("POST /questions"):
        for case in ("success", "failed-tool"):
            agent = Agent(scripted(case), name=f"{AGENT}-{case}", tools=[get_weather])
            agent.instrument = InstrumentationSettings(tracer_provider=provider)
            with suppress(ValueError):  # a tool that raises ends the run
                agent.run_sync(CASES[case][0]["user"])
    recorded = otlp.as_json(exporter.get_finished_spans())
    keep("team-side-by-side", recorded, "pydantic-ai-slim")


def record_delegating() -> None:
    provider, exporter = otlp.tracing(0xA2)
    settings = InstrumentationSettings(tracer_provider=provider)
    asked = Agent(scripted("success"), name="asked", tools=[get_weather])
    desk = Agent(scripted("delegating"), name=AGENT)
    asked.instrument = desk.instrument = settings

    @desk.tool_plain
    async def ask_weather(question: str) -> str:
        return (await asked.run(question)).output

    desk.run_sync(TEAMS["delegating"][0]["user"])
    recorded = otlp.as_json(exporter.get_finished_spans())
    keep("team-delegating", recorded, "pydantic-ai-slim")


async def record_handoff() -> None:
    exported = Exported()
    set_trace_processors([exported])
    with model_server("handoff") as address:
        client = AsyncOpenAI(api_key="none", base_url=f"{address}/v1")
        model = OpenAIChatCompletionsModel(MODEL, client)
        packer = SdkAgent(name="packer", model=model, tools=[function_tool(pack_bag)])
        desk = SdkAgent(
            name=AGENT, model=model, tools=[function_tool(get_weather)], handoffs=[packer]
        )
        await Runner.run(desk, TEAMS["handoff"][0]["user"])
    keep("team-handoff", {"data": exported.items}, "openai-agents")


if __name__ == "__main__":
    record_side_by_side()
    record_delegating()
    asyncio.run(record_handoff())
