"""pydantic-ai's messages, as `all_messages_json()` and `new_messages_json()` write them.

After pydantic-ai 2.68, and histories that versions since 0.1 have stored: `retry-prompt` parts
instead of an outcome, usage by older names, requests without a time.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeVar

from pydantic import BaseModel

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentRun, Moment, join_texts
from live_scoring.telemetry.conversation import Call, Conversation
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.frame import Usage, opened, to_run, tokens_of

_CALL, _RETURN = "tool-call", "tool-return"
"""Ends of the kinds: tools of the model's own servers are `builtin-tool-call`."""
_RETRY = "retry-prompt"
_TEXTS = frozenset({"user-prompt", "text", "speech"})

T = TypeVar("T")


class _Part(BaseModel):
    part_kind: str
    content: Any = None
    tool_name: str | None = None
    tool_call_id: str | None = None
    args: Any = None
    outcome: str = "success"
    transcript: str | None = None

    @property
    def is_call(self) -> bool:
        """Whether it calls a tool, of the agent or of the model's own servers."""
        return self.part_kind.endswith(_CALL)

    @property
    def is_answer(self) -> bool:
        """Whether it ends a call; a `retry-prompt` without a tool speaks of the whole response."""
        is_retry = self.part_kind == _RETRY and self.tool_name is not None
        return is_retry or self.part_kind.endswith(_RETURN)

    @property
    def has_failed(self) -> bool:
        """Whether the call failed, was denied or interrupted, or has to be made again."""
        return self.part_kind == _RETRY or self.outcome != "success"

    @property
    def text(self) -> str:
        """What the user or the model says in it."""
        if self.part_kind == "speech":
            return self.transcript or ""
        items = self.content if isinstance(self.content, list) else [self.content]
        return join_texts((_text_of(item) for item in items), "")


class _Message(BaseModel):
    kind: Literal["request", "response"]
    parts: tuple[_Part, ...]
    timestamp: Moment | None = None
    model_name: str | None = None
    usage: Usage | None = None
    run_id: str | None = None
    conversation_id: str | None = None
    state: str | None = None

    @property
    def text(self) -> str:
        """Its texts joined with nothing, as they are pieces of one."""
        return join_texts((part.text for part in self.parts if part.part_kind in _TEXTS), "")

    @property
    def is_question(self) -> bool:
        """Whether it begins a run; not beside answers: there it holds files that tools gave."""
        kinds = {part.part_kind for part in self.parts}
        has_answer = any(part.is_answer for part in self.parts)
        return self.kind == "request" and not has_answer and not kinds.isdisjoint(_TEXTS)


class _Chat(BaseModel):
    messages: tuple[_Message, ...]


def recognises(value: Any) -> bool:
    """Whether the value holds messages that are all pydantic-ai's."""
    messages, _ = opened(value)
    return bool(messages) and all(map(_is_message, messages))


def decode(value: Any, envelope: Envelope) -> AgentRun:
    """Read messages; the run is what follows the last prompt of the user.

    Raises:
        DecodeError: Nothing was answered, or a call names no tool.
        ValidationError: A field is missing or bad.
    """
    messages, frame = opened(value)
    conversation = Conversation()
    said: list[_Message] = []
    for message in _Chat.model_validate({"messages": messages}).messages:
        if message.is_question:
            said.clear()
        said.append(message)
        _tell(message, conversation)
    return to_run(conversation, frame, envelope, _told(said))


def _tell(message: _Message, conversation: Conversation) -> None:
    if message.is_question:
        conversation.ask(message.text)
    if message.kind == "response":
        is_partial = message.state == "incomplete"
        conversation.say(
            message.text, (_call(p, is_partial=is_partial) for p in message.parts if p.is_call)
        )
    for part in message.parts:
        if part.is_answer:
            conversation.answer(part.tool_call_id, part.content, is_error=part.has_failed)


def _call(part: _Part, *, is_partial: bool) -> Call:
    if not part.tool_name:
        raise DecodeError("missing_field", "parts: a call has no tool_name")
    # To pydantic-ai nothing and an empty text are no arguments too.
    return Call(part.tool_call_id, part.tool_name, part.args or {}, is_partial=is_partial)


def _told(messages: Sequence[_Message]) -> dict[str, Any]:
    """What the messages of a run tell of it, the newest first."""
    newest = messages[::-1]
    return {
        "run_id": _first(m.run_id for m in newest),
        "conversation_id": _first(m.conversation_id for m in newest),
        "timestamp": _first(m.timestamp for m in newest),
        "model": _first(m.model_name for m in newest),
    } | tokens_of(m.usage for m in newest)


def _first(values: Iterable[T | None]) -> T | None:
    return next((value for value in values if value), None)


def _text_of(item: Any) -> str:
    """The text of a prompt's item: itself, or what a `text-content` holds."""
    text = item.get("content") if isinstance(item, dict) else item
    return text if isinstance(text, str) else ""


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("kind") not in ("request", "response"):
        return False
    parts = value.get("parts")
    return isinstance(parts, list) and all(isinstance(p, dict) and "part_kind" in p for p in parts)
