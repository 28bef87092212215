"""Blocks of Bedrock's Converse API, which Strands Agents writes, as JSON, for a message's text."""

from typing import Any

from live_scoring.core.decoding import DecodeError
from live_scoring.telemetry.attributes import written_json

_KINDS = frozenset(
    {
        "text",
        "toolUse",
        "toolResult",
        "image",
        "document",
        "video",
        "audio",
        "reasoningContent",
        "citationsContent",
        "guardContent",
        "cachePoint",
    }
)


def parts_of(content: Any) -> list[dict[str, Any]] | None:
    """The parts that a text of blocks stands for; None if it is no such text.

    Raises:
        DecodeError: It begins as blocks do, but was cut off.
    """
    if not isinstance(content, str) or not content.startswith('[{"'):
        return None
    try:
        blocks = written_json(content, "content")
    except DecodeError as error:
        if error.failure.reason == "truncated_json" and _begins(content):
            raise
        return None
    if not all(isinstance(block, dict) and len(block) == 1 for block in blocks):
        return None
    told = [pair for block in blocks for pair in block.items()]
    return [_part_of(*pair) for pair in told] if {kind for kind, _ in told} <= _KINDS else None


def _begins(content: str) -> bool:
    return content[3:].partition('"')[0] in _KINDS


def _part_of(kind: str, block: Any) -> dict[str, Any]:
    match kind, block:
        case "text", str():
            return {"type": "text", "content": block}
        case "toolUse", {"toolUseId": call_id, "name": name, **told}:
            return {
                "type": "tool_call",
                "id": call_id,
                "name": name,
                "arguments": told.get("input"),
            }
        case "toolResult", {"toolUseId": call_id, **told}:
            return {"type": "tool_call_response", "id": call_id, "response": told.get("content")}
        case _:
            return {"type": kind}
