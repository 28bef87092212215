"""UI messages of Vercel's AI SDK, as `useChat` sends and stores them (package `ai`, 4 to 7).

`{"id": …, "messages": [{"id", "role", "parts"}]}`, the list alone, or one message alone. A tool is
a part `tool-NAME` or `dynamic-tool` with a `state`; in `ai` 4 it lies in a part `tool-invocation`.
"""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, TypeAdapter

from live_scoring.core.run import AgentRun, Moment, join_texts
from live_scoring.telemetry.conversation import Call, Conversation
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.frame import messages_in, to_run

_STATIC, _DYNAMIC, _OLD = "tool-", "dynamic-tool", "tool-invocation"

_Part = dict[str, Any]


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True)

    id: str = ""
    role: str
    parts: tuple[_Part, ...]
    created_at: Moment | None = Field(None, alias="createdAt")


class _Tool(BaseModel):
    """A tool's part; of `ai` 4 what lies in it."""

    model_config = ConfigDict(frozen=True)

    id: str = Field(alias="toolCallId")
    name: str = Field(alias="toolName")
    state: Literal[
        "partial-call",
        "input-streaming",
        "call",
        "input-available",
        "approval-requested",
        "approval-responded",
        "result",
        "output-available",
        "output-error",
        "output-denied",
    ]
    """One that is not known is refused: what it means for the tool cannot be guessed."""
    args: Any = Field(None, validation_alias=AliasChoices("input", "args"))
    raw_args: Any = Field(None, alias="rawInput")
    result: Any = Field(None, validation_alias=AliasChoices("output", "result"))
    is_preliminary: bool = Field(default=False, alias="preliminary")
    error_text: str = Field("", alias="errorText")
    approval: Any = None

    def call(self) -> Call:
        """What the model asked for; arguments that could not be read mean that it never ran."""
        has_args = self.args is not None
        return Call(
            self.id,
            self.name,
            self.args if has_args else self.raw_args,
            is_unparsed=self.state == "output-error" and not has_args,
            is_partial=self.state in ("partial-call", "input-streaming"),
        )

    def answer(self, conversation: Conversation) -> None:
        """Tell how it ended, if it did; a preliminary result is not the end."""
        match self.state:
            case "output-error":
                conversation.answer(self.id, self.error_text, is_error=True)
            case "output-denied":
                told = self.approval.get("reason") if isinstance(self.approval, dict) else None
                conversation.answer(self.id, told or "denied", is_error=True)
            case "result" | "output-available" if not self.is_preliminary:
                conversation.answer(self.id, self.result)


_MESSAGES = TypeAdapter(tuple[_Message, ...])


def recognises(value: Any) -> bool:
    """Whether the value holds messages whose parts are those of the UI."""
    messages = (m for m in _messages_of(value) if isinstance(m, dict) and "role" in m)
    listed = (parts for m in messages if isinstance(parts := m.get("parts"), list))
    return any(_is_of_ui(part) for parts in listed for part in parts)


def _is_of_ui(part: Any) -> bool:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind in ("text", "reasoning"):
        return "text" in part
    return kind == "step-start" or _is_tool(kind)


def _is_tool(kind: Any) -> bool:
    return isinstance(kind, str) and (kind.startswith(_STATIC) or kind == _DYNAMIC)


def _messages_of(value: Any) -> list[Any]:
    is_message = isinstance(value, dict) and "parts" in value
    return [value] if is_message else messages_in(value) or []


def decode(value: Any, envelope: Envelope) -> AgentRun:
    """Read the turn that follows the user's last message.

    A chat keeps its id from turn to turn: it is the conversation's, and the run goes by the id of
    the last message.

    Raises:
        DecodeError: The assistant said nothing, or no agent is named.
        ValidationError: A field is missing or bad, or a tool's state is not known.
    """
    messages = _MESSAGES.validate_python(_messages_of(value))
    conversation = Conversation()
    for message in messages:
        if message.role == "user":
            conversation.ask(_text_of(message.parts))
        elif message.role == "assistant":
            _tell(message, conversation)
    frame = dict(value) if isinstance(value, dict) else {}
    own_id = frame.pop("id", None)
    if "messages" in frame and own_id is not None:
        frame.setdefault("conversation_id", own_id)
    last = messages[-1] if messages else None
    told = {"run_id": last.id or None, "timestamp": last.created_at} if last else {}
    return to_run(conversation, frame, envelope, told)


def _tell(message: _Message, conversation: Conversation) -> None:
    for step in _steps(message.parts):
        tools = [_tool(part) for part in step if part["type"] != "text"]
        conversation.say(_text_of(step), [tool.call() for tool in tools])
        for tool in tools:
            tool.answer(conversation)


def _steps(parts: Iterable[_Part]) -> list[list[_Part]]:
    """The texts and tools of each step that has some; one empty step where none has."""
    steps: list[list[_Part]] = [[]]
    for part in parts:
        kind = part.get("type")
        if kind == "step-start":
            steps.append([])
        elif kind == "text" or _is_tool(kind):
            steps[-1].append(part)
    return [step for step in steps if step] or [[]]


def _text_of(parts: Iterable[_Part]) -> str:
    """The text parts joined by nothing, as the library joins those of a step."""
    texts = (part.get("text") for part in parts if part.get("type") == "text")
    return join_texts((text for text in texts if isinstance(text, str)), "")


def _tool(part: _Part) -> _Tool:
    if part["type"] == _OLD:
        return _Tool.model_validate(part.get("toolInvocation"))
    is_dynamic = part["type"] == _DYNAMIC
    named = part if is_dynamic else part | {"toolName": part["type"].removeprefix(_STATIC)}
    return _Tool.model_validate(named)
