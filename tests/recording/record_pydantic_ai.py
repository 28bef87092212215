# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "pydantic-ai-slim==2.68.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-proto-common==1.45.2",
# ]
# ///
"""Record pydantic-ai's messages and spans: `uv run --script tests/recording/record_pydantic_ai.py`.

Its function model stands in for a model.
"""

from contextlib import suppress
from typing import Any

import otlp
from pydantic_ai import Agent, DeferredToolRequests, ModelRetry, Tool
from pydantic_ai.agent import InstrumentationSettings
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelResponse,
    TextPart,
    ToolCallPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from scenario import AGENT, CASES, TOOLS, get_weather, keep, replies

LIBRARY = "pydantic-ai-slim"


def scripted(case: str) -> FunctionModel:
    script = replies(case)

    def reply(_messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        said = next(script)
        parts: list[TextPart | ToolCallPart] = [TextPart(said["text"])] if "text" in said else []
        calls = said.get("calls", [])
        parts += [ToolCallPart(c["name"], c["args"], tool_call_id=c["id"]) for c in calls]
        return ModelResponse(parts=parts)

    return FunctionModel(reply, model_name="scripted")


def weather_or_retry(city: str) -> dict[str, Any]:
    """Tell the weather of a city."""
    try:
        return get_weather(city)
    except ValueError as error:
        raise ModelRetry(str(error)) from error


def agent_of(case: str, weather: Tool[None]) -> Agent[None, str | DeferredToolRequests]:
    alert = Tool(TOOLS["send_alert"], requires_approval=True)
    tools = [weather, Tool(TOOLS["pack_bag"]), alert]
    return Agent(scripted(case), name=AGENT, tools=tools, output_type=[str, DeferredToolRequests])


def record(case: str, seed: int) -> None:
    provider, exporter = otlp.tracing(seed)
    agent = agent_of(case, Tool(weather_or_retry, name="get_weather"))
    agent.instrument = InstrumentationSettings(tracer_provider=provider)
    history: list[ModelMessage] = []
    for turn in CASES[case]:
        exporter.clear()
        history = agent.run_sync(turn["user"], message_history=history).all_messages()
    messages = ModelMessagesTypeAdapter.dump_python(history, mode="json")
    keep(f"pydantic-ai-messages-{case}", messages, LIBRARY)
    keep(f"pydantic-ai-spans-{case}", otlp.as_json(exporter.get_finished_spans()), LIBRARY)
    if case == "success":
        keep("pydantic-ai-proto-success", otlp.as_proto(exporter.get_finished_spans()), LIBRARY)


def record_crash(seed: int) -> None:
    """A tool that raises what pydantic-ai does not expect ends the run."""
    provider, exporter = otlp.tracing(seed)
    agent = agent_of("failed-tool", Tool(get_weather))
    agent.instrument = InstrumentationSettings(tracer_provider=provider)
    with suppress(ValueError):
        agent.run_sync(CASES["failed-tool"][0]["user"])
    keep("pydantic-ai-spans-crash", otlp.as_json(exporter.get_finished_spans()), LIBRARY)


if __name__ == "__main__":
    for number, name in enumerate(CASES, 1):
        record(name, number)
    record_crash(len(CASES) + 1)
