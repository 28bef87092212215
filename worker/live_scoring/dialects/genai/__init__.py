"""OpenTelemetry's conventions for generative AI, 1.28 to 1.41: spans and log records.

Read as they are emitted by OpenTelemetry's own instrumentations, pydantic-ai, Strands Agents,
Google ADK, Microsoft's Agent Framework and the Vercel AI SDK 7. `told` knows where messages stand,
`messages` and `converse` how they are written.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentRun
from live_scoring.dialects.genai.folding import folded, is_read_log
from live_scoring.dialects.genai.messages import id_of
from live_scoring.dialects.genai.told import model_step
from live_scoring.telemetry.attributes import (
    count_in,
    first_text,
    tool_error_of,
    total,
    written_json,
)
from live_scoring.telemetry.conversation import Call
from live_scoring.telemetry.history import History
from live_scoring.telemetry.retelling import ModelStep, ToolStep, retell
from live_scoring.telemetry.span import Span
from live_scoring.telemetry.steps import Kind, Steps, divide
from live_scoring.telemetry.traced import Facts, to_run

_KINDS: dict[str, Kind] = {
    "chat": "model",
    "generate_content": "model",
    "text_completion": "model",
    "execute_tool": "tool",
    "invoke_agent": "agent",
    "invoke_workflow": "workflow",
}
_MERGED = "(merged tools)"
"""Google ADK's name for a span over the answers to several calls: it is no tool's."""
_AGENT_NAMES = ("gen_ai.agent.id", "gen_ai.agent.name")
_MARKS_OF_AGENTS = ("pydantic_ai.all_messages", "all_messages_events", "gen_ai.agent.name")


def recognises(span: Span) -> bool:
    """Whether the span tells of an agent, a model or a tool."""
    return is_read_log(span) if span.is_log else _kind_of(span) is not None


def _kind_of(span: Span) -> Kind | None:
    told = span.attributes
    if told.get("gen_ai.tool.name") == _MERGED:
        return None
    operation = told.get("gen_ai.operation.name")
    if isinstance(operation, str):
        return _KINDS.get(operation)
    if "gen_ai.tool.name" in told:  # from here on: versions that named no operation
        return "tool"
    if "gen_ai.request.model" in told:
        return "model"
    return "agent" if any(mark in told for mark in _MARKS_OF_AGENTS) else None


def read(spans: Sequence[Span]) -> Sequence[AgentRun]:
    """The runs of a trace.

    Raises:
        DecodeError: What was said is not told, is cut off or cannot be read, or no agent is named.
        ValidationError: A field is bad.
    """
    runs = divide(folded(spans), _kind_of)
    return [_run_of(steps, is_only=len(runs) == 1) for steps in runs]


def _run_of(steps: Steps, *, is_only: bool) -> AgentRun:
    timed: list[tuple[int, ModelStep | ToolStep]]
    history = History()
    told = [(span.start_ns, model_step(span, history)) for span in steps.models]
    timed = [(start_ns, step) for start_ns, step in told if step]
    if not timed and steps.agent and (own := model_step(steps.agent, history)):
        timed = [(steps.agent.start_ns, own)]
    has_content = bool(timed)
    if not has_content and not _are_calls_told(steps):
        raise DecodeError(
            "no_content",
            "spans: tell of neither messages nor tools; let content be captured, with "
            "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY (true in older ones)",
        )
    timed += [(span.start_ns, _tool_step(span)) for span in steps.tools]
    timed.sort(key=lambda each: each[0])
    conversation = retell([step for _, step in timed])
    facts = replace(_facts_of(steps), has_content=has_content)
    return to_run(steps, conversation, facts, is_only=is_only)


def _are_calls_told(steps: Steps) -> bool:
    """Whether it is known without messages which tools were called: by spans, or none at all."""
    return bool(steps.tools) or (bool(steps.models) and all(map(_has_called_none, steps.models)))


def _has_called_none(model: Span) -> bool:
    name = "gen_ai.response.finish_reasons"
    reasons = written_json(model.attributes.get(name), name)
    is_told = isinstance(reasons, list) and bool(reasons)
    return is_told and not any("tool" in str(r) or "function" in str(r) for r in reasons)


def _tool_step(span: Span) -> ToolStep:
    told = span.attributes
    call = Call(
        id_of(told.get("gen_ai.tool.call.id")),
        first_text(told, "gen_ai.tool.name") or "",
        told.get("gen_ai.tool.call.arguments", told.get("tool_arguments")),
    )
    result = told.get("gen_ai.tool.call.result", told.get("tool_response"))
    error = tool_error_of(span)
    return ToolStep(call, error if result is None else result, is_error=error is not None)


def _facts_of(steps: Steps) -> Facts:
    spans = [span.attributes for span in steps.spans]
    agent = steps.agent.attributes if steps.agent else {}
    models = [span.attributes for span in reversed(steps.models)]
    return Facts(
        agent_id=_agent_of(steps),
        conversation_id=_first_of(spans, "gen_ai.conversation.id"),
        model=_first_of([*models, agent], "gen_ai.response.model", "gen_ai.request.model"),
        input_tokens=_tokens(models, agent, "input_tokens", "prompt_tokens"),
        output_tokens=_tokens(models, agent, "output_tokens", "completion_tokens"),
    )


def _agent_of(steps: Steps) -> str | None:
    first = steps.spans[0]
    spans = [first] if steps.agent else steps.spans
    named = (_first_of([span.attributes for span in spans], name) for name in _AGENT_NAMES)
    return next(filter(None, named), None) or first_text(first.resource, "service.name")


def _first_of(spans: Sequence[Any], *names: str) -> str | None:
    return next((text for told in spans if (text := first_text(told, *names))), None)


def _tokens(models: Sequence[Any], agent: Any, *names: str) -> int | None:
    """What all models used; where they do not say, what the agent's span sums up."""
    keys = [f"gen_ai.usage.{name}" for name in names]
    used = total(count_in(told, *keys) for told in models)
    return count_in(agent, *keys) if used is None else used
