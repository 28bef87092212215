"""Traces of the OpenAI Agents SDK (`openai-agents` 0.24).

A run is what one call of the runner did: a span of the type `task`, before there were such that of
its first agent, and in both the agents that it handed over to. What was said stands in `generation`
spans; `response` spans hold it only where an exporter adds their `response` and `input`.
"""

import re
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentRun
from live_scoring.telemetry.chat import ChatMessage
from live_scoring.telemetry.conversation import Call
from live_scoring.telemetry.frame import Usage, tokens_of
from live_scoring.telemetry.history import History
from live_scoring.telemetry.items import turns_of
from live_scoring.telemetry.retelling import Answer, ModelStep, ToolStep, Turn, retell
from live_scoring.telemetry.span import OPENAI_AGENTS, Span
from live_scoring.telemetry.steps import Kind, Steps, divide
from live_scoring.telemetry.traced import Facts, to_run

_AGENT, _FUNCTION, _HANDOFF, _RESPONSE = "agent", "function", "handoff", "response"
_KINDS: dict[str, Kind] = {
    "task": "agent",
    _AGENT: "agent",
    "generation": "model",
    _RESPONSE: "model",
    _FUNCTION: "tool",
    _HANDOFF: "tool",
}
_NO_NAME = re.compile(r"[^A-Za-z0-9_]")


_CHAT = TypeAdapter(tuple[ChatMessage, ...])
_USAGE = TypeAdapter(Usage | None)


def recognises(span: Span) -> bool:
    """Whether it tells of a trace, an agent, a model or a tool."""
    return span.scope == OPENAI_AGENTS and (_kind_of(span) is not None or _is_trace(span))


def _is_trace(span: Span) -> bool:
    return span.scope == OPENAI_AGENTS and span.is_log


def _kind_of(span: Span) -> Kind | None:
    return _KINDS.get(_type_of(span) or "")


def _type_of(span: Span) -> str | None:
    """The SDK's own type; the newer of them are exported as custom ones."""
    told = _told(span)
    if told.get("type") == "custom" and isinstance(told.get("data"), dict):
        kind = told["data"].get("sdk_span_type")
    else:
        kind = told.get("type")
    return kind if isinstance(kind, str) else None


def _told(span: Span) -> dict[str, Any]:
    told = span.attributes.get("span_data") if span.scope == OPENAI_AGENTS else None
    return told if isinstance(told, dict) else {}


def read(spans: Sequence[Span]) -> Sequence[AgentRun]:
    """Read a run for each call of the runner.

    Raises:
        DecodeError: What was said and called is left out or cut off, or no agent is named.
        ValidationError: A field is missing or bad.
    """
    trace = next((span.attributes for span in spans if _is_trace(span)), {})
    first = {s.parent_id: s.name for s in reversed(spans) if _type_of(s) == _AGENT}
    runs = divide(_joined(spans), _kind_of)
    told = [(steps, _facts_of(steps, first, trace)) for steps in runs]
    return [_run_of(steps, facts, is_only=len(runs) == 1) for steps, facts in told]


def _joined(spans: Sequence[Span]) -> list[Span]:
    """The trace, with what an agent was handed put under the first that handed it over.

    What is outside learns of the failure inside, and lasts as long.
    """
    known = {span.span_id: span for span in spans}
    joined = dict(known)
    handed: dict[tuple[str | None, str], str] = {}
    above: dict[str, str] = {}
    for span in spans:
        outer = known.get(span.parent_id or "")
        if _type_of(span) == _HANDOFF and outer and _type_of(outer) == _AGENT:
            to = outer.parent_id, str(_told(span).get("to_agent"))
            handed[to] = above.get(outer.span_id, outer.span_id)
        elif _type_of(span) == _AGENT:
            parent_id = handed.pop((span.parent_id, span.name), span.parent_id)
            outer = joined.get(parent_id or "")
            if outer and _kind_of(outer) == "agent":
                above[span.span_id] = outer.span_id
                joined[span.span_id] = replace(span, parent_id=outer.span_id)
                joined[outer.span_id] = _around(outer, span)
    return list(joined.values())


def _around(outer: Span, inner: Span) -> Span:
    ends = (outer.end_ns, inner.end_ns)
    known = [end_ns for end_ns in ends if end_ns is not None]
    return replace(
        outer,
        error=inner.error if outer.error is None else outer.error,
        end_ns=max(known) if len(known) == len(ends) else None,
    )


def _run_of(steps: Steps, facts: Facts, *, is_only: bool) -> AgentRun:
    history = History()
    models = [(span, step) for span in steps.models if (step := _model_step(span, history))]
    speaking = [*steps.models, *filter(None, [steps.agent])]
    has_failed = any(span.error is not None for span in speaking)
    has_content = (bool(models) or has_failed) and not any(map(_is_hidden, steps.models))
    functions = [span for span in steps.tools if _type_of(span) == _FUNCTION]
    if not has_content and not functions:
        raise DecodeError(
            "no_content",
            "span_data: tells of neither messages nor tools; use a chat model, or export the "
            "response and the input of response spans too",
        )
    made = [call for _, step in models for turn in step.said for call in turn.calls]
    ids = _call_ids(functions, made)
    timed: list[tuple[Span, ModelStep | ToolStep]] = [*models]
    timed += [(span, _asking(span)) for span in functions if ids[span.span_id] == span.span_id]
    timed += [(span, done) for span in functions if (done := _ran(span, ids[span.span_id]))]
    called = {call.name for call in made}
    timed += [(span, done) for span in steps.tools if (done := _handed_over(span, called))]
    timed.sort(key=lambda each: each[0].start_ns)
    conversation = retell([step for _, step in timed])
    return to_run(steps, conversation, replace(facts, has_content=has_content), is_only=is_only)


def _call_ids(functions: Sequence[Span], made: Sequence[Call]) -> dict[str, str | None]:
    """Ids of the calls that tools ran for, by their spans, which lack the id that the model gave.

    It is the next call with the tool's name and arguments; None if only the name is the same, and
    the span's own id if no model is known to have called the tool.
    """
    waiting: dict[tuple[str, str], deque[str | None]] = {}
    for call in made:
        waiting.setdefault((call.name, str(call.args)), deque()).append(call.id)
    called = {call.name for call in made}
    found: dict[str, str | None] = {}
    for span in functions:
        ids = waiting.get((span.name, str(_told(span).get("input"))))
        by_name = None if span.name in called else span.span_id
        found[span.span_id] = ids.popleft() if ids else by_name
    return found


def _asking(function: Span) -> ModelStep:
    """The call of a tool that no model is known to have made."""
    call = Call(function.span_id, function.name, _told(function).get("input"))
    return ModelStep((), [Turn("assistant", "", (call,))])


def _ran(function: Span, call_id: str | None) -> ToolStep | None:
    """What a tool ended with; None where it did not run, as when its approval is awaited."""
    told = _told(function)
    call = Call(call_id, function.name, told.get("input"))
    if function.error is not None:
        return ToolStep(call, _reason_of(function), is_error=True)
    return None if told.get("output") is None else ToolStep(call, told["output"], is_error=False)


def _handed_over(handoff: Span, called: Collection[str]) -> ToolStep | None:
    """That a handoff took place, where a model called it by the name that the SDK gives it."""
    agent = str(_told(handoff).get("to_agent"))
    name = f"transfer_to_{_NO_NAME.sub('_', agent).lower()}"
    is_called = _type_of(handoff) == _HANDOFF and name in called
    done = ToolStep(Call(None, name), {"assistant": agent}, is_error=False)
    return done if is_called else None


def _is_hidden(span: Span) -> bool:
    """Whether a response span names its response and nothing more."""
    is_response = _type_of(span) == _RESPONSE and span.error is None
    return is_response and _told(span).get("response") is None


def _model_step(span: Span, history: History) -> ModelStep | None:
    """What a model was given and said; None where that is left out."""
    told = _told(span)
    if _type_of(span) == _RESPONSE:
        response = told.get("response")
        items = response.get("output") if isinstance(response, dict) else None
        return None if items is None else ModelStep(_given_items(told), turns_of(items))
    output, given = told.get("output"), told.get("input")
    if output is None:
        return None
    if _is_cut(output):
        raise DecodeError(
            "truncated_json", "span_data.output: left out by the exporter as too long"
        )
    if isinstance(given, list):
        return ModelStep(history.of_list(given, _turns_of), _said(output))
    return ModelStep(_turns_of(() if given is None or _is_cut(given) else given), _said(output))


def _turns_of(messages: Any) -> Sequence[Turn]:
    return [_turn_of(message) for message in _CHAT.validate_python(messages)]


def _is_cut(value: Any) -> bool:
    """Whether the SDK's exporter put a note in place of what was too long for it."""
    return isinstance(value, dict) and value.get("truncated") is True


def _given_items(told: Mapping[str, Any]) -> Sequence[Turn]:
    given = told.get("input")
    return [Turn("user", given)] if isinstance(given, str) else turns_of(given or ())


def _said(output: Any) -> Sequence[Turn]:
    """What a generation gave: messages, or, where they were streamed, whole responses."""
    turns: list[Turn] = []
    for each in output if isinstance(output, list) else [output]:
        if isinstance(each, dict) and each.get("object") == _RESPONSE:
            turns += turns_of(each.get("output") or ())
        else:
            turns.append(_turn_of(ChatMessage.model_validate(each)))
    return turns


def _turn_of(message: ChatMessage) -> Turn:
    """A message as models that are no Responses are given and say it."""
    if message.tool_call_id is not None:
        return Turn("other", "", (), (Answer(message.tool_call_id, "", message.text),))
    role = message.role if message.role in ("user", "assistant") else "other"
    return Turn(role, message.text, tuple(message.calls))


def _reason_of(span: Span) -> str:
    """Why a tool failed: what it raised, else the SDK's word for it."""
    error = span.attributes.get("error")
    details = error.get("data") if isinstance(error, dict) else None
    raised = details.get("error") if isinstance(details, dict) else None
    return raised if isinstance(raised, str) else span.error or "failed"


def _facts_of(steps: Steps, first: Mapping[str | None, str], trace: Mapping[str, Any]) -> Facts:
    """The facts of a run; `first` has the first agent under a span."""
    outer = steps.agent
    name = first.get(outer.span_id) if outer else None
    if outer and _type_of(outer) == _AGENT:
        name = outer.name
    models = [_told(span) for span in steps.models]
    tokens = tokens_of(_USAGE.validate_python(told.get("usage")) for told in models)
    metadata = trace.get("metadata")
    return Facts(
        agent_id=name or trace.get("workflow_name") or None,
        conversation_id=trace.get("group_id"),
        model=next((m for told in reversed(models) if (m := _model_of(told))), None),
        tags=metadata if isinstance(metadata, dict) else {},
        input_tokens=tokens.get("input_tokens"),
        output_tokens=tokens.get("output_tokens"),
        total_tokens=tokens.get("total_tokens"),
    )


def _model_of(told: Mapping[str, Any]) -> Any:
    response = told.get("response")
    return response.get("model") if isinstance(response, dict) else told.get("model")
