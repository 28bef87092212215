"""Content blocks that call tools and answer calls, as Anthropic and LangChain write them."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator, Field

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import join_texts
from live_scoring.telemetry.conversation import Call, Conversation
from live_scoring.telemetry.parts import Part, as_parts

_CALLS = ("tool_use", "tool_call")
"""Ends of the types that call: `server_tool_use` and `mcp_tool_use` do too."""
_INVALID = "invalid_tool_call"
_RESULT = "tool_result"


class Block(Part):
    """One block: text, a tool call, its result, or what is left out."""

    id: str | None = None
    name: str | None = None
    args: Any = Field(default=None, validation_alias=AliasChoices("input", "args"))
    call_id: str | None = Field(
        default=None, validation_alias=AliasChoices("tool_use_id", "tool_call_id")
    )
    result: Any = Field(default=None, validation_alias=AliasChoices("content", "output"))
    is_error: bool | None = None
    status: str | None = None

    @property
    def is_call(self) -> bool:
        """Whether it calls a tool."""
        return self.type.endswith(_CALLS) and self.type != _INVALID

    @property
    def is_result(self) -> bool:
        """Whether it answers a call, of a tool of the agent or of the model's own servers."""
        return self.type.endswith(_RESULT)

    @property
    def has_failed(self) -> bool:
        """Whether it says so itself, or its result is of a type that ends in `_error`."""
        kind = self.result.get("type") if isinstance(self.result, dict) else None
        is_error_type = isinstance(kind, str) and kind.endswith("_error")
        return self.is_error is True or self.status == "error" or is_error_type


Blocks = Annotated[tuple[Block, ...], BeforeValidator(as_parts)]


def calls_in(blocks: Iterable[Block]) -> Iterator[Call]:
    """The calls that a message's blocks make.

    Raises:
        DecodeError: One names no tool.
    """
    for block in blocks:
        if block.is_call:
            if not block.name:
                raise DecodeError("missing_field", "content: a block that calls has no name")
            yield Call(block.id or None, block.name, block.args)


def answer_from(blocks: Iterable[Block], conversation: Conversation) -> None:
    """Tell the results that a message's blocks hold."""
    for block in blocks:
        if block.is_result:
            result = _plain(block.result)
            conversation.answer(block.call_id, result, is_error=block.has_failed)


def _plain(content: Any) -> Any:
    """A result without its blocks where all of them are text; else as it is."""
    if not isinstance(content, list) or not content:
        return content
    texts = [_text_of(item) for item in content]
    return content if None in texts else join_texts((text for text in texts if text), "")


def _text_of(block: Any) -> str | None:
    is_text = isinstance(block, dict) and block.get("type") == "text"
    text = block.get("text") if is_text else block
    return text if isinstance(text, str) else None
