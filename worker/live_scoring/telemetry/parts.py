"""A message's content as chat APIs write it: one text, or parts of several types."""

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, Field

from live_scoring.core.run import join_texts

_TEXT, _REFUSAL = "text", "refusal"


class Part(BaseModel):
    """One part; what is neither text nor tool is left out."""

    type: str
    text: str | None = Field(default=None, validation_alias=AliasChoices(_TEXT, _REFUSAL))


def as_parts(content: object) -> object:
    """Content as a list of parts, one text being one part; other values as they are."""
    if content is None:
        return []
    if isinstance(content, str):
        return [_text_part(content)]
    if isinstance(content, list):
        return [_text_part(item) if isinstance(item, str) else item for item in content]
    return content


Parts = Annotated[tuple[Part, ...], BeforeValidator(as_parts)]


def text_of(parts: Iterable[Part]) -> str:
    """The text of a message: its text parts joined with nothing, as they are pieces of one.

    A refusal is said too.
    """
    said = (part.text for part in parts if part.type in (_TEXT, _REFUSAL))
    return join_texts((text for text in said if text), "")


def types_in(messages: Iterable[Any]) -> set[str]:
    """Types of the parts that unread messages hold."""
    contents = (message.get("content") for message in messages if isinstance(message, dict))
    parts = (part for content in contents if isinstance(content, list) for part in content)
    types = (part.get("type") for part in parts if isinstance(part, dict))
    return {kind for kind in types if isinstance(kind, str)}


def _text_part(text: str) -> dict[str, Any]:
    return {"type": _TEXT, "text": text}
