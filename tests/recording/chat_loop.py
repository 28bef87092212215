"""An agent as people write it by hand over OpenAI's client: ask, call tools, ask again."""

import json
from collections.abc import Callable
from typing import Any

from openai import OpenAI
from scenario import MODEL, TOOLS

Call = Callable[[str, str, dict[str, Any]], Any]


def call_tool(_call_id: str, name: str, args: dict[str, Any]) -> Any:
    """Call a tool of the scenario."""
    return TOOLS[name](**args)


def answer(client: OpenAI, messages: list[dict[str, Any]], call: Call = call_tool) -> None:
    """Add to the messages until the model answers, or asks for what a person must approve."""
    while True:
        completion = client.chat.completions.create(model=MODEL, messages=messages)
        message = completion.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return
        for asked in message.tool_calls:
            if asked.function.name == "send_alert":
                return
            result = _result_of(call, asked)
            messages.append(
                {"role": "tool", "tool_call_id": asked.id, "content": json.dumps(result)}
            )


def _result_of(call: Call, asked: Any) -> Any:
    try:
        return call(asked.id, asked.function.name, json.loads(asked.function.arguments))
    except ValueError as error:
        return {"error": str(error)}
