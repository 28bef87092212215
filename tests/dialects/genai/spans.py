"""Builders of spans and log records of the GenAI conventions, and what their runs tell."""

from typing import Any

from live_scoring.core.run import AgentRun
from live_scoring.core.score import Failure
from live_scoring.dialects import read_trace
from live_scoring.telemetry.span import Span
from tests.telemetry.spans import span

DETAILS = "gen_ai.client.inference.operation.details"
SERVICE = {"service.name": "desk"}


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "content": content}


def call(call_id: Any, name: str = "look", arguments: Any = None) -> dict[str, Any]:
    return {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments}


def response(call_id: Any, result: Any) -> dict[str, Any]:
    return {"type": "tool_call_response", "id": call_id, "response": result}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def said(*parts: Any) -> dict[str, Any]:
    return {"role": "assistant", "parts": list(parts)}


def answered(*parts: Any) -> dict[str, Any]:
    return {"role": "tool", "parts": list(parts)}


ASKED = user(text("Why?"))


def agent(span_id: str = "agent", parent: str | None = None, **fields: Any) -> Span:
    told = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": span_id}
    return span(span_id, parent, attributes=told | fields.pop("told", {}), **fields)


def chat(span_id: str, given: Any, out: Any, parent: str | None = "agent", **fields: Any) -> Span:
    told = {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": given,
        "gen_ai.output.messages": out,
    }
    fields = {"resource": SERVICE} | fields
    return span(span_id, parent, attributes=told | fields.pop("told", {}), **fields)


def tool(call_id: Any, parent: str = "agent", **fields: Any) -> Span:
    told = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "look",
        "gen_ai.tool.call.id": call_id,
    }
    return span(f"tool-{call_id}", parent, attributes=told | fields.pop("told", {}), **fields)


def log(parent: str | None, name: str, told: dict[str, Any], at: int = 0) -> Span:
    fields = {"is_log": True, "name": name, "attributes": told, "resource": SERVICE}
    return span(f"log-{parent}-{name}-{at}", parent, at=at, **fields)


def runs_of(*spans: Span) -> list[AgentRun]:
    runs = read_trace(spans)
    assert not isinstance(runs, Failure), runs
    return list(runs)


def run_of(*spans: Span) -> AgentRun:
    (run,) = runs_of(*spans)
    return run


def refusal_of(*spans: Span) -> Failure:
    failure = read_trace(spans)
    assert isinstance(failure, Failure)
    return failure


def story(run: AgentRun) -> list[Any]:
    """What was said, each call as its id, its state and whether it failed."""
    told: list[Any] = []
    for message in run.output:
        told += [message.text] if message.text else []
        told += [(i.id, i.state, i.is_error) for i in message.tool_invocations]
    return told
