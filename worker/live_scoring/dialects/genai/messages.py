"""Messages of the GenAI conventions, and of the chat APIs that older versions repeated.

Text parts of one message are pieces of one text, so they are joined with nothing.
"""

from typing import Any

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import join_texts
from live_scoring.telemetry.conversation import Call
from live_scoring.telemetry.retelling import Answer, Turn

_Part = dict[str, Any]

_ASSISTANT = ("assistant", "model", "ai")
_USER = ("user", "human")
_TOOL = ("tool", "function")
_CONTENTS = ("parts", "content", "tool_calls")
_TEXT = "text"
_CALLS = ("tool_call", "server_tool_call")
_ANSWERS = ("tool_call_response", "server_tool_call_response")


def turns_of(messages: Any, name: str) -> tuple[Turn, ...]:
    """Read a list of messages.

    Args:
        messages: The list.
        name: Where it stands, for the error.

    Raises:
        DecodeError: It is none, its text was left out, or it tells of a tool in an unknown way.
    """
    if not isinstance(messages, list):
        raise DecodeError("bad_field", f"{name}: Input should be an array of messages")
    return tuple(turn_of(m, f"{name}[{at}]") for at, m in enumerate(messages))


def turn_of(message: Any, name: str) -> Turn:
    """Read one message, as `turns_of` does."""
    if not isinstance(message, dict):
        raise DecodeError("bad_field", f"{name}: Input should be an object")
    content = message.get("parts", message.get("content"))
    parts = _objects(content if isinstance(content, list) else [{"type": _TEXT, "text": content}])
    role = message.get("role")
    if role not in _TOOL and message.keys().isdisjoint(_CONTENTS):
        raise DecodeError("no_content", f"{name}: has no content; let it be captured")
    texts, called, answered = _sorted_out(parts, name)
    text = join_texts([_text_of(part, name) for part in texts], "")
    calls = [_call_of(part) for part in called]
    calls += [_chat_call_of(call) for call in _objects(message.get("tool_calls"))]
    answers = [_answer_of(part) for part in answered]
    if role in _TOOL and not answers:
        call_id = message.get("tool_call_id", message.get("id"))
        answers = [Answer(id_of(call_id), _name_of(message), content)]
    if role in _ASSISTANT:
        return Turn("assistant", text, tuple(calls), tuple(answers))
    # A message of answers alone is none of the user, whatever its role says.
    is_asked = role in _USER and len(answers) < max(len(parts), 1)
    return Turn("user" if is_asked else "other", text if is_asked else "", (), tuple(answers))


def _sorted_out(parts: list[_Part], name: str) -> tuple[list[_Part], list[_Part], list[_Part]]:
    """Texts, calls and answers; what tells of a tool in an unknown way must not read as no tool."""
    texts, calls, answers = list[_Part](), list[_Part](), list[_Part]()
    for part in parts:
        kind = part.get("type")
        if kind == _TEXT:
            texts.append(part)
        elif kind in _CALLS:
            calls.append(part)
        elif kind in _ANSWERS:
            answers.append(part)
        elif isinstance(kind, str) and ("tool" in kind or "function" in kind):
            raise DecodeError(
                "bad_field", f"{name}: a part is of a type that is not known: a tool's?"
            )
    return texts, calls, answers


def _text_of(part: dict[str, Any], name: str) -> str:
    if "content" not in part and "text" not in part:
        raise DecodeError(
            "no_content", f"{name}: has a text part without text; let its content be captured"
        )
    text = part.get("content", part.get("text"))
    return text if isinstance(text, str) else ""


def _call_of(part: dict[str, Any]) -> Call:
    args = part.get("arguments", part.get("server_tool_call"))
    return Call(id_of(part.get("id")), _name_of(part), args)


def _chat_call_of(call: dict[str, Any]) -> Call:
    function = call.get("function")
    told = function if isinstance(function, dict) else call
    return Call(id_of(call.get("id")), _name_of(told), told.get("arguments"))


def _answer_of(part: dict[str, Any]) -> Answer:
    told = ("response", "result", "server_tool_call_response")
    result = next((part[key] for key in told if key in part), None)
    return Answer(id_of(part.get("id")), _name_of(part), result)


def _name_of(named: dict[str, Any]) -> str:
    name = named.get("name")
    return name if isinstance(name, str) else ""


def id_of(value: Any) -> str | None:
    """A call's id: a text, a number, or the first of a list of them."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if value and isinstance(value, str) else None


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
