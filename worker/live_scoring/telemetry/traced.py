"""Runs from the steps of a trace: what every convention of spans tells alike."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentRun
from live_scoring.telemetry.attributes import error_of, moment_of, tags_of
from live_scoring.telemetry.conversation import Conversation
from live_scoring.telemetry.span import Span
from live_scoring.telemetry.steps import Steps

_NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Facts:
    """What a convention has names of its own for."""

    agent_id: str | None
    input: Any = None
    """What the outermost agent was asked; the conversation's input stands where it is None."""
    conversation_id: str | None = None
    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None
    cost_usd: float | None = None
    has_content: bool = True
    """False where what was said, asked of tools and answered by them was not captured."""
    run_id: str | None = None
    """In place of the trace's."""
    tags: Mapping[str, Any] = field(default_factory=dict)
    """Besides the resource's; what is no scalar is left out."""


def to_run(steps: Steps, conversation: Conversation, facts: Facts, *, is_only: bool) -> AgentRun:
    """The run of these steps.

    Args:
        steps: Not empty.
        conversation: What was said in them.
        facts: What the convention tells besides.
        is_only: Whether the trace holds no other run; else its id names the agent's span, too.

    Raises:
        DecodeError: No agent is named.
        ValidationError: A field is bad.
    """
    spans = steps.spans
    first = spans[0]
    if facts.agent_id is None:
        raise DecodeError(
            "missing_field", "agent_id: no span names its agent, nor its resource a service.name"
        )
    return AgentRun(
        run_id=facts.run_id or _run_id_of(first, is_only=is_only),
        agent_id=facts.agent_id,
        timestamp=moment_of(_end_ns(steps)),
        input=conversation.input if facts.input is None else facts.input,
        output=conversation.output,
        conversation_id=facts.conversation_id,
        trace_id=first.trace_id,
        tags=tags_of({**first.resource, **facts.tags}),
        model=facts.model,
        input_tokens=facts.input_tokens,
        output_tokens=facts.output_tokens,
        total_tokens=facts.total_tokens,
        duration_ms=_duration_ms(steps),
        cost_usd=facts.cost_usd,
        error=_error_of(steps),
        has_content=facts.has_content,
    )


def _run_id_of(first: Span, *, is_only: bool) -> str:
    return first.trace_id if is_only else f"{first.trace_id}:{first.span_id}"


def _end_ns(steps: Steps) -> int:
    if steps.agent and steps.agent.end_ns is not None:
        return steps.agent.end_ns
    return max(span.start_ns if span.end_ns is None else span.end_ns for span in steps.spans)


def _duration_ms(steps: Steps) -> float | None:
    """From the first start to the end; log records alone do not tell when a model began."""
    spans = steps.spans
    if all(span.is_log for span in spans):
        return None
    return max(_end_ns(steps) - min(span.start_ns for span in spans), 0) / _NS_PER_MS


def _error_of(steps: Steps) -> str | None:
    """Of the agent's span; without one, of the model's last."""
    last: Span | None = steps.agent or next(reversed(steps.models), None)
    return error_of(last) if last else None
