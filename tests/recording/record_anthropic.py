# /// script
# requires-python = ">=3.11"
# dependencies = ["anthropic==2.14.0"]
# ///
"""Record Anthropic's messages: `uv run --script tests/recording/record_anthropic.py`."""

import json
from typing import Any

from anthropic import Anthropic
from anthropic.types import ToolUseBlock
from model_server import model_server
from scenario import CASES, MODEL, TOOLS, keep


def result_of(block: ToolUseBlock) -> dict[str, Any]:
    result: dict[str, Any] = {"type": "tool_result", "tool_use_id": block.id}
    try:
        return result | {"content": json.dumps(TOOLS[block.name](**block.input))}
    except ValueError as error:
        return result | {"content": str(error), "is_error": True}


def answer(client: Anthropic, messages: list[dict[str, Any]]) -> None:
    while True:
        message = client.messages.create(model=MODEL, max_tokens=100, messages=messages)
        content = [block.model_dump(mode="json", exclude_none=True) for block in message.content]
        messages.append({"role": "assistant", "content": content})
        asked = [block for block in message.content if block.type == "tool_use"]
        if not asked or any(block.name == "send_alert" for block in asked):
            return
        messages.append({"role": "user", "content": [result_of(block) for block in asked]})


def record(case: str) -> None:
    messages: list[dict[str, Any]] = []
    with model_server(case) as address:
        client = Anthropic(api_key="none", base_url=address)
        for turn in CASES[case]:
            messages.append({"role": "user", "content": turn["user"]})
            answer(client, messages)
    keep(f"anthropic-messages-{case}", {"messages": messages}, "anthropic")


if __name__ == "__main__":
    for name in CASES:
        record(name)
