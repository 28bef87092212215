"""Items of OpenAI's Responses API as messages, after its Python library (openai 3.57)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, Field, TypeAdapter

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import join_texts
from live_scoring.telemetry.conversation import Call, has_error, unwritten
from live_scoring.telemetry.parts import as_parts
from live_scoring.telemetry.retelling import Answer, Turn

_CALL, _OUTPUT = "_call", "_call_output"
_REQUEST, _DECISION = "mcp_approval_request", "mcp_approval_response"
_OF_AGENT = {
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "shell_call",
    "apply_patch_call",
    "computer_call",
    _REQUEST,
}
"""Calls that the agent is to answer, by an item of its own; a call of any other type ran on the
model's side and tells itself how it ended."""
_NO_TOOL = "tool_search_call"
_REFERENCE = "item_reference"
_DONE = ("completed", None)


class _Content(BaseModel):
    text: str | None = None
    refusal: str | None = None


class _Item(BaseModel):
    """One item; which of its fields are there depends on its type."""

    type: str = "message"
    role: str = ""
    content: Annotated[tuple[_Content, ...], BeforeValidator(as_parts)] = ()
    id: str | None = None
    call_id: str | None = None
    name: str | None = None
    args: Any = Field(
        None,
        validation_alias=AliasChoices(
            "arguments", "input", "action", "operation", "queries", "code"
        ),
    )
    status: str | None = None
    output: Any = Field(None, validation_alias=AliasChoices("output", "outputs", "results"))
    error: Any = None
    request_id: str | None = Field(None, alias="approval_request_id")
    approve: bool = True

    @property
    def text(self) -> str:
        """What a message says, its parts joined by nothing; a refusal is said too."""
        return join_texts((part.text or part.refusal or "" for part in self.content), "")

    @property
    def key(self) -> str | None:
        """What a call, its approval and its output have in common."""
        return self.call_id or self.request_id or self.id

    @property
    def is_call(self) -> bool:
        is_typed = self.type in _OF_AGENT or self.type.endswith(_CALL)
        return is_typed and self.type != _NO_TOOL

    def call(self) -> Call:
        """The call; one without a name goes by the item's type."""
        name = self.name or self.type.removesuffix(_CALL)
        is_partial = self.type in _OF_AGENT and self.status == "in_progress"
        return Call(self.key, name, self.args, is_partial=is_partial)

    def answers(self) -> Iterator[Answer]:
        """How a call ended, if the item tells it.

        An output tells of a failure only by the convention of a key `error` in it.
        """
        if self.error is not None or self.status == "failed":
            yield Answer(self.key, "", {"error": self.error or "failed"}, is_error=True)
        elif self.type == _DECISION and not self.approve:
            yield Answer(self.key, "", "denied", is_error=True)
        elif self.type.endswith(_OUTPUT) or self._ran_at_model:
            result = unwritten(_plain(self.output))
            yield Answer(self.key, "", result, is_error=has_error(result))

    @property
    def _ran_at_model(self) -> bool:
        return self.is_call and self.type not in _OF_AGENT and self.status in _DONE


_ITEMS = TypeAdapter(tuple[_Item, ...])


@dataclass(slots=True)
class _Saying:
    """A message of the assistant: a text, and the calls that follow it."""

    text: str = ""
    calls: list[Call] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)

    def turn(self) -> Turn:
        return Turn("assistant", self.text, tuple(self.calls), tuple(self.answers))


class _Telling:
    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self._saying: _Saying | None = None
        self._requested: set[str | None] = set()

    def take(self, item: _Item) -> None:
        if item.is_call:
            self._call(item)
        elif item.type == "message":
            self._message(item)
        elif item.type == _REFERENCE:
            raise DecodeError("no_content", "item_reference: what it refers to is kept elsewhere")
        elif answers := tuple(item.answers()):
            self.end()
            self.turns.append(Turn("other", "", (), answers))

    def end(self) -> None:
        if self._saying:
            self.turns.append(self._saying.turn())
        self._saying = None

    def _message(self, item: _Item) -> None:
        self.end()
        if item.role == "assistant":
            self._saying = _Saying(item.text)
        else:
            self.turns.append(Turn("user" if item.role == "user" else "other", item.text))

    def _call(self, item: _Item) -> None:
        saying = self._saying = self._saying or _Saying()
        if item.key not in self._requested:
            saying.calls.append(item.call())
        if item.type == _REQUEST:
            self._requested.add(item.key)
        saying.answers.extend(item.answers())


def turns_of(items: Any) -> list[Turn]:
    """The messages that items make up; a call belongs to the text before it.

    Raises:
        DecodeError: An item refers to one that is kept elsewhere.
        ValidationError: A field is missing or bad.
    """
    telling = _Telling()
    for item in _ITEMS.validate_python(items):
        telling.take(item)
    telling.end()
    return telling.turns


def _plain(output: Any) -> Any:
    """An output without its parts where all of them are text; else as it is."""
    if not isinstance(output, list) or not output:
        return output
    texts = [part.get("text") if isinstance(part, dict) else None for part in output]
    told = [text for text in texts if isinstance(text, str)]
    return join_texts(told, "") if len(told) == len(texts) else output
