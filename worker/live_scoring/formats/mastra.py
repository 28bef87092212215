"""Mastra's scorer payload (`runId`, `entity`, `input`, `output`), and its messages alone."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentId, AgentRun, Id, Message, Moment, State, ToolInvocation
from live_scoring.telemetry.conversation import has_error
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.frame import fields_of, messages_in, opened

_STATES: dict[Any, State] = {"result": "result", "output-error": "result", "call": "call"}


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, alias_generator=to_camel)


class _Entity(_Record):
    id: Annotated[AgentId, Field(validation_alias=AliasChoices("id", "name"))]
    """The id Mastra gave the agent, or its name in payloads of versions that gave none."""


class _Message(_Record):
    role: str
    content: Any
    """Required, so that a foreign message format is never read as silence."""
    created_at: Moment | None = None
    thread_id: str | None = None


class _Dump(_Record):
    messages: tuple[_Message, ...]


class _Payload(_Record):
    run_id: Id
    entity: _Entity
    input: Any = None
    output: tuple[_Message, ...]
    trace_id: Annotated[
        str | None, Field(validation_alias=AliasChoices("traceId", "targetTraceId"))
    ] = None
    """Mastra 1.71 writes the second; its own sampling draws by that trace."""
    thread_id: str | None = None


def recognises(value: Any) -> bool:
    """Whether the value is meant as a scorer payload, or holds messages that are all Mastra's."""
    return _is_payload(value) or all(map(_is_stored, messages_in(value) or [None]))


def decode(value: Any, envelope: Envelope) -> AgentRun:
    """Read a scorer payload, whose output is the run, or a dump: what follows its last question.

    Raises:
        DecodeError: A dump has no answer, or names no agent, nor does the envelope.
        ValidationError: A field is missing or bad.
    """
    messages, frame = opened(value)
    if not messages or _is_payload(value):
        return _read_payload(value)
    return _read_dump(messages, frame, envelope)


def _is_payload(value: Any) -> bool:
    return isinstance(value, dict) and "entity" in value


def _is_stored(message: Any) -> bool:
    """Whether its content is an object, as that of no other format's messages."""
    is_message = isinstance(message, dict) and "role" in message
    return is_message and isinstance(message.get("content"), dict)


def _read_payload(value: Any) -> AgentRun:
    payload = _Payload.model_validate(value)
    told = _told(payload.output)
    return AgentRun(
        run_id=payload.run_id,
        agent_id=payload.entity.id,
        timestamp=told["timestamp"],
        input=_input_of(payload.input),
        output=_read(payload.output),
        conversation_id=payload.thread_id or told["conversation_id"],
        trace_id=payload.trace_id,
    )


def _read_dump(messages: list[Any], frame: Any, envelope: Envelope) -> AgentRun:
    asked, output = _split_at_last_user(_Dump.model_validate({"messages": messages}).messages)
    if not output:
        raise DecodeError("no_content", "messages: none follows the user's last")
    return AgentRun(
        input=text_of(asked.content) if asked else None,
        output=_read(output),
        **fields_of(frame, envelope, _told(output)),
    )


def _told(output: Sequence[_Message]) -> dict[str, Any]:
    threads = (message.thread_id for message in output)
    return {
        "timestamp": max((m.created_at for m in output if m.created_at), default=None),
        "conversation_id": next(filter(None, threads), None),
    }


def _read(output: Sequence[_Message]) -> tuple[Message, ...]:
    return tuple(_message(m.role, m.content) for m in output)


def _split_at_last_user(
    messages: Sequence[_Message],
) -> tuple[_Message | None, Sequence[_Message]]:
    for at in range(len(messages) - 1, -1, -1):
        if messages[at].role == "user":
            return messages[at], messages[at + 1 :]
    return None, messages


def _input_of(value: Any) -> Any:
    """The text of the last user message, or the input as it is where it holds none."""
    messages = value.get("inputMessages") if isinstance(value, dict) else value
    for message in reversed(_objects(messages)):
        if message.get("role") == "user":
            return text_of(message.get("content"))
    return value


def _message(role: str, content: Any) -> Message:
    return Message(
        role=role,
        text=text_of(content),
        tool_invocations=tuple(_invocation(i) for i in _merged_invocations(content)),
    )


def text_of(content: Any) -> str:
    """The text of a message's content: of several text parts only the last counts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return _last_text(content)
    if not isinstance(content, dict):
        return ""
    for key in ("content", "text"):
        text = content.get(key)
        if text and isinstance(text, str):
            return text
    return _last_text(content.get("parts"))


def _last_text(parts: Any) -> str:
    for part in reversed(_objects(parts)):
        if part.get("type") == "text":
            text = part.get("text")
            return text if isinstance(text, str) else ""
    return ""


def _objects(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        return []
    return [item for item in value if isinstance(item, dict)]


def _merged_invocations(content: Any) -> Iterator[dict[str, Any]]:
    """Parts and older `toolInvocations` as one list: by call id, parts winning, order kept."""
    if not isinstance(content, dict):
        return
    legacy = _objects(content.get("toolInvocations"))
    parts = _objects(
        [
            part.get("toolInvocation")
            for part in _objects(content.get("parts"))
            if part.get("type") == "tool-invocation"
        ]
    )
    if not legacy:
        yield from parts
        return
    in_parts = {_call_id(part) for part in parts} - {None}
    positions = {_call_id(item): at for at, item in enumerate(legacy)}
    emitted = 0
    for part in parts:
        call_id = _call_id(part)
        position = positions.get(call_id, 0) if call_id else 0
        yield from _absent(legacy[emitted:position], in_parts)
        emitted = max(emitted, position)
        yield part
    yield from _absent(legacy[emitted:], in_parts)


def _absent(legacy: list[dict[str, Any]], in_parts: set[str | None]) -> Iterator[dict[str, Any]]:
    return (item for item in legacy if _call_id(item) not in in_parts)


def _call_id(invocation: dict[str, Any]) -> str | None:
    call_id = invocation.get("toolCallId")
    return call_id if isinstance(call_id, str) and call_id else None


def _invocation(raw: dict[str, Any]) -> ToolInvocation:
    name, state, result = raw.get("toolName"), raw.get("state"), raw.get("result")
    has_failed = state == "output-error" or raw.get("isError") is True or has_error(result)
    if result is None and isinstance(raw.get("errorText"), str):
        result = {"error": raw["errorText"]}
    return ToolInvocation(
        id=_call_id(raw),
        name=name if isinstance(name, str) else "",
        args=raw.get("args"),
        state=_STATES.get(state, "partial-call") if isinstance(state, str) else "partial-call",
        is_error=has_failed,
        result=result,
    )
