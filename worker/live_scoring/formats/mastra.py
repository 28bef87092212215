"""Mastra's scorer payload (`runId`, `entity`, `input`, `output`) and its messages."""

from collections.abc import Iterator
from typing import Any

from live_scoring.core.run import Message, State, ToolInvocation

_STATES: dict[Any, State] = {"result": "result", "output-error": "result", "call": "call"}


def messages_of(output: list[Any]) -> tuple[Message, ...]:
    """Read messages in Mastra's format; an item that is no object is dropped."""
    return tuple(_message(item) for item in output if isinstance(item, dict))


def _message(item: dict[str, Any]) -> Message:
    role, content = item.get("role"), item.get("content")
    return Message(
        role=role if isinstance(role, str) else "",
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
    has_failed = state == "output-error" or raw.get("isError") is True or _has_error(result)
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


def _has_error(result: Any) -> bool:
    """Whether `result.error` is truthy as JavaScript counts it."""
    if not isinstance(result, dict):
        return False
    error = result.get("error")
    if isinstance(error, dict | list):
        return True
    is_nan = error != error  # noqa: PLR0124 -- true of NaN alone
    return bool(error) and not is_nan
