"""No trace takes longer than it is large, and what its spans repeat is hardly read again."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pytest

from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.dialects import DIALECTS, read_trace
from live_scoring.telemetry.span import MASTRA, OPENAI_AGENTS, Span
from tests.hostile.growth import BOUND, TIMES, above, growth, share
from tests.telemetry.spans import span

MANY, FEW = 4_992, 4_992 // TIMES
"""Steps of a model, each with a tool's: as many spans as a trace may have, nearly."""
LONG, SHORT = 240, 60
"""Steps of a model that is given all that was said before: 28,800 messages, and 1,800."""
KNOWN = 0.6
"""Of the time of what is all new, what may be taken by what was read before: 0.4 is the most."""

Message = dict[str, Any]


def genai(at: int, given: Sequence[Message]) -> Message:
    said = [{"role": "assistant", "parts": [{"type": "tool_call", "id": f"{at}", "name": "look"}]}]
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.agent.name": "desk",
        "gen_ai.input.messages": json.dumps(given),
        "gen_ai.output.messages": json.dumps(said),
    }


def vercel(at: int, given: Sequence[Message]) -> Message:
    call = {"toolCallId": f"{at}", "toolName": "look", "input": {}}
    return {
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.prompt.messages": json.dumps(given),
        "ai.response.toolCalls": json.dumps([call]),
    }


def openinference(at: int, given: Sequence[Message]) -> Message:
    told: Message = {"openinference.span.kind": "LLM"}
    for number, message in enumerate(given):
        for key, value in message.items():
            told[f"llm.input_messages.{number}.message.{key}"] = value
    said = "llm.output_messages.0.message"
    call = {"id": f"{at}", "function.name": "look", "function.arguments": "{}"}
    told |= {f"{said}.tool_calls.0.tool_call.{key}": value for key, value in call.items()}
    return told | {f"{said}.role": "assistant"}


def openai_agents(at: int, given: Sequence[Message]) -> Message:
    call = {"id": f"{at}", "function": {"name": "look", "arguments": "{}"}}
    said = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {"span_data": {"type": "generation", "input": list(given), "output": [said]}}


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


def trace_of(dialect: str, steps: int, *, is_repeating: bool, is_new: bool = False) -> list[Span]:
    """An agent that asks a model and a tool in turn.

    Args:
        dialect: Of its spans.
        steps: Of the model, and of the tool.
        is_repeating: The model is given all that was said.
        is_new: What it is given begins otherwise each time, so that it has to be read anew.
    """
    scope, model = MODELS[dialect]
    spans = [span("root", scope=scope, attributes=ROOTS[dialect])]
    said: list[Message] = []
    for at in range(steps):
        asked = {"role": "user", "content": f"Why {at if is_new else 0}?"}
        told = model(at, [asked, *said])
        places = {"at": 2 * at + 1, "scope": scope}
        spans.append(span(f"m{at}", "root", attributes=told, **places))
        done = TOOLS[dialect](at)
        spans.append(span(f"t{at}", "root", attributes=done, **places | {"name": "look"}))
        if is_repeating:
            said.append({"role": "assistant", "content": f"I looked {at} times."})
    return spans


def read(spans: Sequence[Span]) -> AgentRun:
    """The one run of a trace."""
    runs = read_trace(spans)
    assert not isinstance(runs, Failure), runs
    (run,) = runs
    assert len(run.invocations) == len(spans) // 2
    return run


def test_every_dialect_is_read() -> None:
    assert MODELS.keys() == ROOTS.keys() == TOOLS.keys() == DIALECTS.keys()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("steps", "fewer", "is_repeating"), [(MANY, FEW, False), (LONG, SHORT, True)]
)
def test_no_trace_takes_longer_than_it_is_large(
    dialect: str, steps: int, fewer: int, *, is_repeating: bool
) -> None:
    large = trace_of(dialect, steps, is_repeating=is_repeating)
    small = trace_of(dialect, fewer, is_repeating=is_repeating)
    excess = partial(growth, partial(read, large), partial(read, small))
    assert above(BOUND, {dialect: excess}) == {}


@pytest.mark.parametrize("dialect", sorted(DIALECTS.keys() - {"mastra"}))  # reads no repetition
def test_what_was_said_before_is_hardly_read_again(dialect: str) -> None:
    known = trace_of(dialect, LONG, is_repeating=True)
    new = trace_of(dialect, LONG, is_repeating=True, is_new=True)
    assert read(known) == read(new)
    compared = partial(share, partial(read, known), partial(read, new))
    assert above(KNOWN, {dialect: compared}) == {}
