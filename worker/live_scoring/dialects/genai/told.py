"""What a span tells of the messages that a model or an agent was given and said."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from live_scoring.dialects.genai.converse import parts_of
from live_scoring.dialects.genai.folding import DETAILS, MESSAGES
from live_scoring.dialects.genai.messages import turn_of, turns_of
from live_scoring.telemetry.attributes import listed, unflattened, written_json
from live_scoring.telemetry.history import History
from live_scoring.telemetry.retelling import ModelStep, Turn
from live_scoring.telemetry.span import Span

_GIVEN, _SAID = "gen_ai.input.messages", "gen_ai.output.messages"
_CHOICE = "gen_ai.choice"
_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
    _CHOICE: "assistant",
}
_EVENT_LISTS = ("events", "all_messages_events")
"""Attributes of older pydantic-ai: the span's events as one list."""


def model_step(span: Span, history: History) -> ModelStep | None:
    """What was given and said; None where the span tells nothing of it.

    Args:
        span: Of a model or an agent.
        history: Of the run, whose steps are read by start.

    Raises:
        DecodeError: It is told, but cannot be read.
    """
    return next((step for read in _READERS if (step := read(span, history))), None)


def _from_messages(span: Span, history: History) -> ModelStep | None:
    """Attributes of the span, or of events; Strands Agents tells of each side in its own."""
    told = (span.attributes, *(e.attributes for e in span.events if e.name == DETAILS))
    given, said = (next((t for t in told if t.get(name)), {}) for name in (_GIVEN, _SAID))
    if not given and not said:
        return None
    return ModelStep(_read_on(given.get(_GIVEN), history), _read(said, _SAID))


def _from_all_messages(span: Span, _history: History) -> ModelStep | None:
    """All messages of a run of pydantic-ai's, the model's among them."""
    turns = _read(span.attributes, "pydantic_ai.all_messages")
    return ModelStep(turns, ()) if turns else None


def _read_on(given: Any, history: History) -> tuple[Turn, ...]:
    if isinstance(given, str) and given:
        return history.of_text(given, lambda text: turns_of(written_json(text, _GIVEN), _GIVEN))
    return turns_of(given, _GIVEN) if given else ()


def _read(told: Mapping[str, Any], name: str) -> tuple[Turn, ...]:
    value = told.get(name)
    return turns_of(written_json(value, name), name) if value else ()


def _from_events(span: Span, _history: History) -> ModelStep | None:
    """Events of one message each, of versions up to 1.36."""
    told = [(event.name, event.attributes) for event in span.events if event.name in MESSAGES]
    told += _listed_events(span)
    if not told:
        return None
    given = [_message_of(name, each) for name, each in told if name != _CHOICE]
    said = [_message_of(name, each) for name, each in told if name == _CHOICE]
    return ModelStep(given, said)


def _listed_events(span: Span) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for attribute in _EVENT_LISTS:
        items = written_json(span.attributes.get(attribute), attribute)
        for item in items if isinstance(items, list) else ():
            name = item.get("event.name") if isinstance(item, dict) else None
            if isinstance(name, str) and name in MESSAGES:
                yield name, item


def _message_of(name: str, told: Mapping[str, Any]) -> Turn:
    message = told.get("message")
    if isinstance(message, str) and message.startswith("{"):
        message = written_json(message, f"{name}.message")
    if not isinstance(message, dict):
        message = {"content": message} if name == _CHOICE and message else told
    message = {"role": _ROLES[name], **message}
    if parts := parts_of(message.get("content")):
        message["content"] = parts
    if calls := message.get("tool_calls"):
        message["tool_calls"] = written_json(calls, f"{name}.tool_calls")
    return turn_of(message, name)


def _from_indexed(span: Span, _history: History) -> ModelStep | None:
    """Attributes such as `gen_ai.prompt.0.content`, of OpenLLMetry before it wrote messages."""
    if not any(f"gen_ai.{side}.0.role" in span.attributes for side in ("prompt", "completion")):
        return None
    return ModelStep(*(_indexed(span, f"gen_ai.{side}") for side in ("prompt", "completion")))


def _indexed(span: Span, name: str) -> tuple[Turn, ...]:
    messages = unflattened(span.attributes, name)
    for message in messages:
        if isinstance(message, dict) and "tool_calls" in message:
            message["tool_calls"] = listed(message["tool_calls"])
    return turns_of(messages, name)


_READERS: Sequence[Callable[[Span, History], ModelStep | None]] = (
    _from_messages,
    _from_all_messages,
    _from_events,
    _from_indexed,
)
