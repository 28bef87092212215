"""Anthropic's messages, alone or in a log of requests and responses.

After the Messages API as its Python library has it (anthropic 2.14), beta blocks included.
"""

from typing import Any, Literal

from pydantic import BaseModel

from live_scoring.core.run import AgentRun
from live_scoring.telemetry.blocks import Blocks, answer_from, calls_in
from live_scoring.telemetry.conversation import Conversation
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.frame import opened, to_run
from live_scoring.telemetry.parts import text_of, types_in

_ROLES = ("user", "assistant", "system")
_BLOCKS = {"thinking", "redacted_thinking", "image", "document", "search_result", "compaction"}
_OTHERS = {"parts", "toolInvocations", "tool_calls"}
"""Keys of Vercel's messages and of OpenAI's, which are else alike."""
_ENDS = ("tool_use", "tool_result")


class _Message(BaseModel):
    role: Literal["user", "assistant", "system"]
    content: Blocks
    """Required, so that a foreign message format is never read as silence."""

    @property
    def is_question(self) -> bool:
        """Whether the user said something: a message of results alone goes on with the run."""
        return not self.content or not all(block.is_result for block in self.content)


class _Chat(BaseModel):
    messages: tuple[_Message, ...]


def recognises(value: Any) -> bool:
    """Whether the value is a chat, a response or a log of both, with a mark of Anthropic's."""
    messages, frame = _opened(value)
    if not messages or not all(map(_is_message, messages)):
        return False
    types = types_in(messages)
    if any("-" in t for t in types):  # as those of Vercel's parts
        return False
    return "stop_reason" in frame or any(t in _BLOCKS or t.endswith(_ENDS) for t in types)


def decode(value: Any, envelope: Envelope) -> AgentRun:
    """Read a chat; the run is what follows the last user message that asks something.

    Raises:
        DecodeError: Nothing was answered, or a call names no tool.
        ValidationError: A field is missing or bad.
    """
    messages, frame = _opened(value)
    conversation = Conversation()
    for message in _Chat.model_validate({"messages": messages}).messages:
        _tell(message, conversation)
    return to_run(conversation, frame, envelope, {})


def _tell(message: _Message, conversation: Conversation) -> None:
    if message.role == "assistant":
        conversation.say(text_of(message.content), calls_in(message.content))
    answer_from(message.content, conversation)
    if message.role == "user" and message.is_question:
        conversation.ask(text_of(message.content))


def _opened(value: Any) -> tuple[list[Any], dict[str, Any]]:
    messages, frame = opened(value)
    is_answer = frame.get("type") == "message" and "role" in frame
    return ([*messages, frame] if is_answer else messages), frame


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("role") not in _ROLES:
        return False
    return isinstance(value.get("content"), str | list) and _OTHERS.isdisjoint(value)
