"""OpenAI's Responses: a response, a log of requests and responses, or a list of their items.

After the API as its Python library has it (openai 3.57).
"""

from typing import Any

from live_scoring.core.run import AgentRun
from live_scoring.telemetry.conversation import Conversation
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.frame import opened, to_run
from live_scoring.telemetry.items import turns_of
from live_scoring.telemetry.parts import types_in

_ITEMS = {
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "mcp_call",
    "mcp_approval_request",
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "computer_call",
    "local_shell_call",
    "shell_call",
    "apply_patch_call",
    "item_reference",
}
_PARTS = {"input_text", "output_text"}


def recognises(value: Any) -> bool:
    """Whether the value is a response, or holds items of one."""
    items, frame = _opened(value)
    types = (item.get("type") for item in items if isinstance(item, dict))
    is_response = frame.get("object") == "response"
    return (
        is_response
        or any(t in _ITEMS for t in types if isinstance(t, str))
        or bool(types_in(items) & _PARTS)
    )


def decode(value: Any, envelope: Envelope) -> AgentRun:
    """Read the items that follow the user's last message.

    Raises:
        DecodeError: An item is kept elsewhere, nothing was answered, or no agent is named.
        ValidationError: A field is missing or bad.
    """
    items, frame = _opened(value)
    conversation = Conversation()
    for turn in turns_of(items):
        if turn.role == "user":
            conversation.ask(turn.text)
        elif turn.role == "assistant":
            conversation.say(turn.text, turn.calls)
        for answer in turn.answers:
            conversation.answer(answer.call_id, answer.result, is_error=answer.is_error)
    return to_run(conversation, frame, envelope, {"error": _cut(frame)})


def _opened(value: Any) -> tuple[list[Any], dict[str, Any]]:
    """All items, those of the request first, and the objects around them as one."""
    if isinstance(value, list):
        return value, {}
    _, frame = opened(value)
    asked = frame.get("input")
    told = [{"role": "user", "content": asked}] if isinstance(asked, str) else asked
    lists = (told, frame.get("output"), frame.get("items"))
    items = [item for part in lists if isinstance(part, list) for item in part]
    return items, {key: part for key, part in frame.items() if part is not None}


def _cut(frame: dict[str, Any]) -> str | None:
    """Why the model did not come to an end."""
    details = frame.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, dict) else None
    return f"incomplete: {reason}" if frame.get("status") == "incomplete" else None
