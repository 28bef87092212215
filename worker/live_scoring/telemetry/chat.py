"""Messages of OpenAI's chat API, after its Python library (openai 3.57).

And as servers that speak it write them: arguments as objects, tools answered by name, calls without
ids.
"""

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, Field

from live_scoring.telemetry.conversation import Call
from live_scoring.telemetry.parts import Parts, text_of

ChatRole = Literal["system", "developer", "user", "assistant", "tool", "function"]


class _Function(BaseModel):
    name: str
    arguments: Any = Field(default=None, validation_alias=AliasChoices("arguments", "input"))


class _ToolCall(BaseModel):
    id: str | None = None
    function: _Function = Field(validation_alias=AliasChoices("function", "custom"))


class _Audio(BaseModel):
    transcript: str = ""


class ChatMessage(BaseModel):
    """One message; which of its fields are there depends on its role."""

    role: ChatRole
    content: Parts = ()
    refusal: str | None = None
    audio: _Audio | None = None
    tool_calls: tuple[_ToolCall, ...] | None = None
    function_call: _Function | None = None
    tool_call_id: str | None = None
    name: str | None = Field(default=None, validation_alias=AliasChoices("name", "tool_name"))

    @property
    def text(self) -> str:
        """What was said, in writing or aloud; a refusal is said too."""
        spoken = self.audio.transcript if self.audio else ""
        return text_of(self.content) or self.refusal or spoken

    @property
    def calls(self) -> Iterator[Call]:
        """The calls of tools, and the one of a function that older versions had instead."""
        for call in self.tool_calls or ():
            yield Call(call.id or None, call.function.name, call.function.arguments)
        if self.function_call is not None:
            yield Call(None, self.function_call.name, self.function_call.arguments)
