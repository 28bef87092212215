"""No trace takes long, however many spans it has and however often they repeat what was said."""

import json
from collections.abc import Callable, Mapping, Sequence
from time import process_time
from typing import Any

import pytest

from live_scoring.core.score import Failure
from live_scoring.dialects import DIALECTS, read_trace
from live_scoring.telemetry.span import MASTRA, OPENAI_AGENTS, Span
from tests.telemetry.spans import span

SECONDS = 1.2
"""Of processor time at most, twice what the slowest takes; reading all anew takes over 2."""
MANY = 5_000
"""Steps of a model, each with a tool's: as many spans as a trace may have."""
LONG = 800
"""Steps of a model that is given all that was said before: 320,000 messages."""

Message = dict[str, Any]


def genai(at: int, given: Sequence[Message]) -> Message:
    said = [{"role": "assistant", "parts": [{"type": "tool_call", "id": f"{at}", "name": "look"}]}]
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.agent.name": "desk",
        "gen_ai.input.messages": json.dumps([{"role": "user", "content": "Why?"}, *given]),
        "gen_ai.output.messages": json.dumps(said),
    }


def vercel(at: int, given: Sequence[Message]) -> Message:
    call = {"toolCallId": f"{at}", "toolName": "look", "input": {}}
    return {
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.prompt.messages": json.dumps([{"role": "user", "content": "Why?"}, *given]),
        "ai.response.toolCalls": json.dumps([call]),
    }


def openinference(at: int, given: Sequence[Message]) -> Message:
    told: Message = {"openinference.span.kind": "LLM"}
    for number, message in enumerate([{"role": "user", "content": "Why?"}, *given]):
        for key, value in message.items():
            told[f"llm.input_messages.{number}.message.{key}"] = value
    said = "llm.output_messages.0.message"
    call = {"id": f"{at}", "function.name": "look", "function.arguments": "{}"}
    told |= {f"{said}.tool_calls.0.tool_call.{key}": value for key, value in call.items()}
    return told | {f"{said}.role": "assistant"}


def openai_agents(at: int, given: Sequence[Message]) -> Message:
    call = {"id": f"{at}", "function": {"name": "look", "arguments": "{}"}}
    said = {"role": "assistant", "content": None, "tool_calls": [call]}
    asked = [{"role": "user", "content": "Why?"}, *given]
    return {"span_data": {"type": "generation", "input": asked, "output": [said]}}


def mastra(at: int, given: Sequence[Message]) -> Message:
    call = {"toolCallId": f"{at}", "toolName": "look", "args": {}}
    told = {"id": f"m{at}", "type": "model_generation", "input": {"messages": list(given)}}
    return told | {"output": {"text": "", "toolCalls": [call]}}


MODELS: Mapping[str, tuple[str, Callable[[int, Sequence[Message]], Message]]] = {
    "mastra": (MASTRA, mastra),
    "openai_agents": (OPENAI_AGENTS, openai_agents),
    "vercel": ("", vercel),
    "openinference": ("", openinference),
    "genai": ("", genai),
}
"""For each dialect the scope of its spans, and what a model's step tells."""
ROOTS: Mapping[str, Message] = {
    "mastra": {"id": "root", "type": "agent_run", "entityId": "desk", "output": {"text": "Done."}},
    "openai_agents": {"span_data": {"type": "agent", "name": "desk"}},
    "vercel": {"ai.operationId": "ai.generateText", "ai.telemetry.functionId": "desk"},
    "openinference": {"openinference.span.kind": "AGENT", "agent.name": "desk"},
    "genai": {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk"},
}
TOOLS: Mapping[str, Callable[[int], Message]] = {
    "mastra": lambda at: {"id": f"t{at}", "type": "tool_call", "entityName": "look"},
    "openai_agents": lambda _: {"span_data": {"type": "function", "name": "look", "output": "1"}},
    "vercel": lambda at: {
        "ai.operationId": "ai.toolCall",
        "ai.toolCall.id": f"{at}",
        "ai.toolCall.name": "look",
    },
    "openinference": lambda at: {
        "openinference.span.kind": "TOOL",
        "tool.name": "look",
        "tool.id": f"{at}",
    },
    "genai": lambda at: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "look",
        "gen_ai.tool.call.id": f"{at}",
    },
}


def trace_of(dialect: str, steps: int, *, is_repeating: bool) -> list[Span]:
    """An agent that asks a model and a tool in turn; its model may be given all that was said."""
    scope, model = MODELS[dialect]
    spans = [span("root", scope=scope, attributes=ROOTS[dialect])]
    said: list[Message] = []
    for at in range(steps):
        told = model(at, said if is_repeating else ())
        places = {"at": 2 * at + 1, "scope": scope}
        spans.append(span(f"m{at}", "root", attributes=told, **places))
        done = TOOLS[dialect](at)
        spans.append(span(f"t{at}", "root", attributes=done, **places | {"name": "look"}))
        said.append({"role": "assistant", "content": f"I looked {at} times."})
    return spans


def test_every_dialect_is_read() -> None:
    assert MODELS.keys() == ROOTS.keys() == TOOLS.keys() == DIALECTS.keys()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("steps", "is_repeating"), [(MANY, False), (LONG, True)])
def test_no_trace_takes_long(dialect: str, steps: int, *, is_repeating: bool) -> None:
    spans = trace_of(dialect, steps, is_repeating=is_repeating)
    began = process_time()
    runs = read_trace(spans)
    seconds = process_time() - began
    assert not isinstance(runs, Failure), runs
    assert len(runs) == 1
    assert len(runs[0].invocations) == steps
    assert seconds < SECONDS
