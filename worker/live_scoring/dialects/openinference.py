"""OpenInference's conventions (spans of kind `AGENT`, `CHAIN`, `LLM` and `TOOL`).

The rules are those of its specification and of what its instrumentations 0.1 of openai and
langchain emit. Text items of one message are pieces of one text, so they are joined with nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentRun, join_texts
from live_scoring.telemetry.attributes import (
    FlatItem,
    amount_in,
    count_in,
    first_text,
    flat_items,
    listed,
    nested,
    tool_error_of,
    total,
    unflattened,
)
from live_scoring.telemetry.conversation import Call, unwritten
from live_scoring.telemetry.history import History
from live_scoring.telemetry.retelling import Answer, ModelStep, ToolStep, Turn, retell
from live_scoring.telemetry.span import Span
from live_scoring.telemetry.steps import Kind, Steps, divide
from live_scoring.telemetry.traced import Facts, to_run

_KIND = "openinference.span.kind"
_KINDS: dict[str, Kind] = {"AGENT": "agent", "CHAIN": "workflow", "LLM": "model", "TOOL": "tool"}
_AGENTS_SDK = "openinference.instrumentation.openai_agents"
"""Makes an agent of a whole workflow of the OpenAI Agents SDK, too; only real ones have a name."""
_GIVEN, _SAID = "llm.input_messages", "llm.output_messages"
_HIDDEN = "__REDACTED__"
"""What stands for a value that OPENINFERENCE_HIDE_… left out."""


def recognises(span: Span) -> bool:
    """Whether the span tells of an agent, a model or a tool."""
    return _kind_of(span) is not None


def _kind_of(span: Span) -> Kind | None:
    kind = span.attributes.get(_KIND)
    if span.scope == _AGENTS_SDK and kind == "AGENT" and "agent.name" not in span.attributes:
        return "workflow"
    return _KINDS.get(kind) if isinstance(kind, str) else None


def read(spans: Sequence[Span]) -> Sequence[AgentRun]:
    """The runs of a trace; in one without an agent the outermost chains are runs.

    Raises:
        DecodeError: What was said is not told, or no agent is named.
        ValidationError: A field is bad.
    """
    runs = divide(spans, _kind_of)
    return [_run_of(steps, is_only=len(runs) == 1) for steps in runs]


def _run_of(steps: Steps, *, is_only: bool) -> AgentRun:
    timed: list[tuple[int, ModelStep | ToolStep]]
    history = History()
    told = [(span.start_ns, _model_step(span, history)) for span in steps.models]
    timed = [(start_ns, step) for start_ns, step in told if step]
    if not timed and steps.agent and (own := _own_step(steps.agent)):
        timed = [(steps.agent.start_ns, own)]
    has_content = bool(timed) and not any(map(_is_redacted, steps.spans))
    is_told = bool(steps.tools) or any(isinstance(s, ModelStep) and s.said for _, s in timed)
    if not has_content and not is_told:
        raise DecodeError(
            "no_content",
            "spans: tell of neither messages nor tools; unset OPENINFERENCE_HIDE_INPUTS, "
            "_HIDE_OUTPUTS and their kin",
        )
    timed += [(span.start_ns, _tool_step(span)) for span in steps.tools]
    timed.sort(key=lambda each: each[0])
    facts = replace(_facts_of(steps), has_content=has_content)
    return to_run(steps, retell([step for _, step in timed]), facts, is_only=is_only)


def _is_redacted(span: Span) -> bool:
    return _HIDDEN in span.attributes.values()


def _model_step(span: Span, history: History) -> ModelStep | None:
    given, said = flat_items(span.attributes, _GIVEN), unflattened(span.attributes, _SAID)
    if not given and not said:
        return None
    return ModelStep(history.of_list(given, _turns_of_items), _turns_of(said))


def _own_step(agent: Span) -> ModelStep | None:
    """What an agent was asked and said in the end, where no model's span tells more."""
    said = _plain(agent.attributes, "output")
    if said is None:
        return None
    asked = _plain(agent.attributes, "input")
    return ModelStep([] if asked is None else [Turn("user", asked)], [Turn("assistant", said)])


def _plain(told: Mapping[str, Any], side: str) -> str | None:
    is_json = told.get(f"{side}.mime_type") == "application/json"
    text = first_text(told, f"{side}.value")
    return None if is_json or text == _HIDDEN else text


def _turns_of_items(items: Sequence[FlatItem]) -> list[Turn]:
    return _turns_of([nested(item) for item in items])


def _turns_of(messages: Sequence[Any]) -> list[Turn]:
    told = (m["message"] for m in messages if isinstance(m, dict) and "message" in m)
    return [_turn_of(message) for message in told if isinstance(message, dict)]


def _turn_of(message: Mapping[str, Any]) -> Turn:
    items = [i for c in listed(message.get("contents")) if (i := _inner(c, "message_content"))]
    texts = [message.get("content"), *(i.get("text") for i in items if i.get("type") == "text")]
    text = join_texts((t for t in texts if isinstance(t, str) and t != _HIDDEN), "")
    calls = [_call_of(each) for each in listed(message.get("tool_calls"))]
    calls += [_used(item) for item in items if item.get("type") == "tool_use"]
    answers = [_result(item) for item in items if item.get("type") == "tool_result"]
    role = message.get("role")
    if role in ("tool", "function"):
        call_id, name = first_text(message, "tool_call_id"), first_text(message, "name")
        return Turn("other", "", answers=(Answer(call_id, name or "", text),))
    if role in ("assistant", "model", "ai"):
        return Turn("assistant", text, tuple(calls), tuple(answers))
    # A message of answers alone is none of the user, as Anthropic writes them.
    is_asked = role in ("user", "human") and (bool(text) or not answers)
    return Turn("user" if is_asked else "other", text if is_asked else "", (), tuple(answers))


def _inner(outer: Any, key: str) -> dict[str, Any]:
    inner = outer.get(key) if isinstance(outer, dict) else None
    return inner if isinstance(inner, dict) else {}


def _call_of(item: Any) -> Call:
    call = _inner(item, "tool_call")
    function = _inner(call, "function")
    name = first_text(function, "name") or ""
    return Call(first_text(call, "id"), name, function.get("arguments"))


def _used(item: Mapping[str, Any]) -> Call:
    """A call among the contents: with a prefix of its own, or without."""
    used = _inner(item, "tool_use") or item
    return Call(first_text(used, "id"), first_text(used, "name") or "", used.get("input"))


def _result(item: Mapping[str, Any]) -> Answer:
    told = _inner(item, "tool_result") or item
    content = told.get("content", told.get("text"))
    return Answer(first_text(told, "tool_use_id", "tool_call_id", "id"), "", content)


def _tool_step(span: Span) -> ToolStep:
    """A tool's run; of LangChain's the output is a whole message, with id and status."""
    told = span.attributes
    result = unwritten(told.get("output.value"))
    message = result if isinstance(result, dict) and result.get("type") == "tool" else {}
    message = _inner(message, "data") or message
    if message:
        result = unwritten(message.get("content"))
    error = tool_error_of(span)
    call_id = first_text(told, "tool.id", "tool_call.id") or first_text(message, "tool_call_id")
    name = first_text(told, "tool.name", "tool_call.function.name") or span.name
    return ToolStep(
        Call(call_id, name, told.get("input.value")),
        error if result is None else result,
        is_error=error is not None or message.get("status") == "error",
    )


def _facts_of(steps: Steps) -> Facts:
    models = [span.attributes for span in steps.models]
    agent = steps.agent.attributes if steps.agent else {}
    return Facts(
        agent_id=_agent_of(steps),
        input=_plain(agent, "input"),
        conversation_id=_first_of([agent, *models], "session.id"),
        model=_first_of([*reversed(models), agent], "llm.model_name"),
        input_tokens=total(count_in(told, "llm.token_count.prompt") for told in models),
        output_tokens=total(count_in(told, "llm.token_count.completion") for told in models),
        total_tokens=total(count_in(told, "llm.token_count.total") for told in models),
        cost_usd=total(amount_in(told, "llm.cost.total") for told in models),
    )


def _agent_of(steps: Steps) -> str | None:
    first = steps.spans[0]
    if not steps.agent:
        return first_text(first.resource, "service.name")
    named = first_text(first.attributes, "agent.name") or _langchain_name(first.attributes)
    if named is None and _kind_of(first) == "agent":
        named = first.name or None
    return named or first_text(first.resource, "service.name")


def _langchain_name(told: Mapping[str, Any]) -> str | None:
    """The name that LangChain's agents have in the metadata of their chain."""
    metadata = unwritten(told.get("metadata"))
    return first_text(metadata, "lc_agent_name") if isinstance(metadata, dict) else None


def _first_of(spans: Sequence[Mapping[str, Any]], name: str) -> str | None:
    return next((text for told in spans if (text := first_text(told, name))), None)
