"""LangChain's messages and LangGraph's states, in each way that they are dumped.

After langchain-core 1.8 and langgraph 1.2: plain dumps of messages, `messages_to_dict` with its
`{type, data}`, `dumpd` with its `{lc, kwargs}`, a graph's state and a snapshot of one.
"""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, Field

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentRun
from live_scoring.telemetry.blocks import Blocks, answer_from, calls_in
from live_scoring.telemetry.conversation import Call, Conversation, unwritten
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.frame import Usage, opened, to_run, tokens_of
from live_scoring.telemetry.parts import text_of

_TYPES = {"human", "ai", "tool", "function", "system", "chat", "remove"}
_CHUNK = "MessageChunk"
_ROLES = {"user": "human", "assistant": "ai"}
"""Of `chat` messages, whose roles are anyone's."""


class _ToolCall(BaseModel):
    id: str | None = None
    name: str
    args: Any = None


class _PieceOfCall(BaseModel):
    """A call that is not whole: its arguments were never read, or more of them follow."""

    id: str | None = None
    name: str | None = None
    args: str | None = None


class _Function(BaseModel):
    name: str
    arguments: Any = None


class _ProviderCall(BaseModel):
    id: str | None = None
    function: _Function


class _Provided(BaseModel):
    tool_calls: tuple[_ProviderCall, ...] | None = None
    function_call: _Function | None = None


class _Response(BaseModel):
    model_name: str | None = None
    model: str | None = None


class _Message(BaseModel):
    type: str
    role: str = ""
    content: Blocks
    """Required, so that a foreign message format is never read as silence."""
    name: str | None = None
    tool_calls: tuple[_ToolCall, ...] | None = None
    invalid_tool_calls: tuple[_PieceOfCall, ...] | None = None
    tool_call_chunks: tuple[_PieceOfCall, ...] | None = None
    chunk_position: str | None = None
    additional_kwargs: _Provided = Field(default_factory=_Provided)
    response_metadata: _Response = Field(default_factory=_Response)
    usage_metadata: Usage | None = None
    tool_call_id: str | None = None
    status: str | None = None

    @property
    def kind(self) -> str:
        """Its type without regard to chunks; of a `chat` message what its role amounts to."""
        kind = self.type.removesuffix(_CHUNK).lower()
        return _ROLES.get(self.role, self.role) if kind == "chat" else kind

    @property
    def calls(self) -> Iterator[Call]:
        """Each call once, though content blocks and older fields may repeat it."""
        own = (*self._own_calls(), *self._invalid_calls())
        yield from own
        ids = {call.id for call in own}
        yield from (call for call in calls_in(self.content) if call.id not in ids)
        if not own:
            yield from self._provider_calls()

    def _own_calls(self) -> Iterator[Call]:
        is_open = self.type.endswith(_CHUNK) and self.chunk_position != "last"
        chunks = self.tool_call_chunks or () if is_open else ()
        unfinished = {chunk.id for chunk in chunks if isinstance(unwritten(chunk.args), str)}
        for call in self.tool_calls or ():
            is_partial = call.id in unfinished
            yield Call(call.id or None, call.name, call.args, is_partial=is_partial)

    def _invalid_calls(self) -> Iterator[Call]:
        for call in self.invalid_tool_calls or ():
            yield Call(call.id or None, call.name or "", call.args, is_unparsed=True)

    def _provider_calls(self) -> Iterator[Call]:
        provided = self.additional_kwargs
        for call in provided.tool_calls or ():
            yield Call(call.id or None, call.function.name, call.function.arguments)
        if provided.function_call is not None:
            yield Call(None, provided.function_call.name, provided.function_call.arguments)


class _Chat(BaseModel):
    messages: tuple[_Message, ...]


def recognises(value: Any) -> bool:
    """Whether the value holds messages that are all LangChain's."""
    messages, _ = _opened(value)
    return bool(messages) and all(map(_is_message, map(_unwrapped, messages)))


def decode(value: Any, envelope: Envelope) -> AgentRun:
    """Read messages or a state; the run is what follows the last message of a human.

    Raises:
        DecodeError: A message is of no known type, or nothing was answered.
        ValidationError: A field is missing or bad.
    """
    messages, frame = _opened(value)
    chat = _Chat.model_validate({"messages": [_unwrapped(message) for message in messages]})
    conversation = Conversation()
    said: list[_Message] = []
    for at, message in enumerate(chat.messages):
        if message.kind == "human":
            said.clear()
        said.append(message)
        _tell(message, conversation, at)
    models = (m.response_metadata.model_name or m.response_metadata.model for m in reversed(said))
    told = {"model": next(filter(None, models), None)}
    return to_run(conversation, frame, envelope, told | tokens_of(m.usage_metadata for m in said))


def _tell(message: _Message, conversation: Conversation, at: int) -> None:
    text = text_of(message.content)
    match message.kind:
        case "human":
            conversation.ask(text)
        case "ai":
            conversation.say(text, message.calls)
            answer_from(message.content, conversation)
        case "tool":
            conversation.answer(message.tool_call_id, text, is_error=message.status == "error")
        case "function":
            conversation.answer_to(message.name or "", text)
        case "system" | "developer" | "remove":
            pass
        case _:
            raise DecodeError("bad_field", f"messages[{at}].type: is none of LangChain's")


def _opened(value: Any) -> tuple[list[Any], dict[str, Any]]:
    """Open a payload; a snapshot has the graph's state under `values`."""
    if isinstance(value, dict) and isinstance(value.get("values"), dict):
        return opened(value["values"] | value)
    return opened(value)


def _unwrapped(message: Any) -> Any:
    """A message as the plain dump has it; what is none of LangChain's is as it is."""
    if not isinstance(message, dict):
        return message
    data, kwargs, path = (message.get(key) for key in ("data", "kwargs", "id"))
    if "lc" in message and isinstance(kwargs, dict):
        name = path[-1] if isinstance(path, list) and path else ""
        return {"type": _type_of(name)} | kwargs
    return {"type": message.get("type")} | data if isinstance(data, dict) else message


def _type_of(name: Any) -> str:
    """The type of a class, such as `human` of `HumanMessage`."""
    return name.removesuffix("Message").lower() if isinstance(name, str) else ""


def _is_message(value: Any) -> bool:
    kind = value.get("type") if isinstance(value, dict) and "content" in value else None
    return isinstance(kind, str) and (kind in _TYPES or kind.endswith(_CHUNK))
