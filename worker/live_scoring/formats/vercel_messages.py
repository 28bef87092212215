"""Model messages of Vercel's AI SDK, which older lists of Mastra's messages are too.

After package `ai` 4 to 7: a role and a text or parts, of which `tool-call` calls and `tool-result`
answers. What the user interface stores is another format, `vercel_ui`.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, Field

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentRun
from live_scoring.telemetry.conversation import Call, Conversation
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.frame import opened, to_run
from live_scoring.telemetry.parts import Part, as_parts, text_of, types_in

_ROLES = ("system", "user", "assistant", "tool")
_CALL, _RESULT = "tool-call", "tool-result"
_MARKS = {_CALL, _RESULT, "reasoning", "tool-approval-request", "tool-approval-response"}
_DENIED = "execution-denied"
_OUTPUTS = {"text", "json", "error-text", "error-json", "content", _DENIED}
"""Types of an output since `ai` 5; before, the result stood by itself."""


class _Part(Part):
    call_id: str | None = Field(default=None, alias="toolCallId")
    name: str | None = Field(default=None, alias="toolName")
    args: Any = Field(default=None, validation_alias=AliasChoices("input", "args"))
    output: Any = None
    result: Any = None
    is_error: bool | None = Field(default=None, alias="isError")

    @property
    def answer(self) -> tuple[Any, bool]:
        """What a call ended with, and whether it failed."""
        kind = self.output.get("type") if isinstance(self.output, dict) else None
        if not isinstance(kind, str) or kind not in _OUTPUTS:
            return self.result if self.output is None else self.output, self.is_error is True
        if kind == _DENIED:
            return self.output.get("reason") or "denied", True
        return self.output.get("value"), kind.startswith("error-")


class _Message(BaseModel):
    role: Literal["system", "user", "assistant", "tool"]
    content: Annotated[tuple[_Part, ...], BeforeValidator(as_parts)]
    """Required, so that a foreign message format is never read as silence."""

    @property
    def calls(self) -> Iterator[Call]:
        """The calls that its parts make.

        Raises:
            DecodeError: One names no tool.
        """
        for part in self.content:
            if part.type == _CALL:
                if not part.name:
                    raise DecodeError("missing_field", "content: a tool-call has no toolName")
                yield Call(part.call_id, part.name, part.args)


class _Chat(BaseModel):
    messages: tuple[_Message, ...]


def recognises(value: Any) -> bool:
    """Whether the value holds messages of which parts call, answer or reason as Vercel's do."""
    messages, _ = opened(value)
    is_chat = bool(messages) and all(map(_is_message, messages))
    return is_chat and not _MARKS.isdisjoint(types_in(messages))


def decode(value: Any, envelope: Envelope) -> AgentRun:
    """Read messages; the run is what follows the last of the user.

    Raises:
        DecodeError: Nothing was answered, or a call names no tool.
        ValidationError: A field is missing or bad.
    """
    messages, frame = opened(value)
    conversation = Conversation()
    for message in _Chat.model_validate({"messages": messages}).messages:
        if message.role == "user":
            conversation.ask(text_of(message.content))
        elif message.role == "assistant":
            conversation.say(text_of(message.content), message.calls)
        for part in message.content:
            if part.type == _RESULT:
                result, is_error = part.answer
                conversation.answer(part.call_id, result, is_error=is_error)
    return to_run(conversation, frame, envelope, {})


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("role") not in _ROLES:
        return False
    return isinstance(value.get("content"), str | list) and "parts" not in value
