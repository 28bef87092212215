"""OpenAI's chat messages, alone or in a log of requests and responses.

After the Chat Completions API as its Python library has it (openai 3.57), and what servers that
speak it write.
"""

from typing import Any, get_args

from pydantic import BaseModel

from live_scoring.core.decoding import DecodeError
from live_scoring.core.run import AgentRun
from live_scoring.telemetry.chat import ChatMessage, ChatRole
from live_scoring.telemetry.conversation import Conversation, has_error, unwritten
from live_scoring.telemetry.envelope import Envelope
from live_scoring.telemetry.frame import opened, to_run
from live_scoring.telemetry.parts import types_in

_ROLES = get_args(ChatRole)
_PARTS = {"text", "refusal", "image_url", "input_audio", "file", "video_url"}
_OTHERS = {"parts", "toolInvocations", "type"}
"""Keys of messages that are else alike: Vercel's, LangChain's and items of Responses."""
_SAID = {"content", "refusal", "audio", "tool_calls", "function_call"}


class _Chat(BaseModel):
    messages: tuple[ChatMessage, ...]


def recognises(value: Any) -> bool:
    """Whether the value is a chat, a response, or a log of both, whose parts are all OpenAI's."""
    messages, frame = _opened(value)
    if not messages or "stop_reason" in frame:
        return False
    return all(map(_is_message, messages)) and types_in(messages) <= _PARTS


def decode(value: Any, envelope: Envelope) -> AgentRun:
    """Read a chat; the run is what follows the last user message.

    A result tells of a failure only by the convention of a key `error` in it.

    Raises:
        DecodeError: A message has no content, or nothing was answered.
        ValidationError: A field is missing or bad.
    """
    messages, frame = _opened(value)
    conversation = Conversation()
    for at, message in enumerate(_Chat.model_validate({"messages": messages}).messages):
        if not message.model_fields_set & _SAID:
            raise DecodeError("missing_field", f"messages[{at}].content: Field required")
        _tell(message, conversation)
    return to_run(conversation, frame, envelope, {})


def _tell(message: ChatMessage, conversation: Conversation) -> None:
    match message.role:
        case "user":
            conversation.ask(message.text)
        case "assistant":
            conversation.say(message.text, message.calls)
        case "tool" | "function":
            result = unwritten(message.text)
            if message.tool_call_id:
                conversation.answer(message.tool_call_id, result, is_error=has_error(result))
            elif message.name:
                conversation.answer_to(message.name, result, is_error=has_error(result))
        case "system" | "developer":
            pass


def _opened(value: Any) -> tuple[list[Any], dict[str, Any]]:
    messages, frame = opened(value)
    choices = frame.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else {}
    answer = first.get("message") if isinstance(first, dict) else None
    return ([*messages, answer] if answer else messages), frame


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("role") not in _ROLES:
        return False
    content = value.get("content")
    has_form = content is None or isinstance(content, str | list)
    return has_form and not _SAID.isdisjoint(value) and _OTHERS.isdisjoint(value)
