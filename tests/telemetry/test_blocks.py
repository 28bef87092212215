"""Content blocks that call tools and answer calls."""

from typing import Any

import pytest
from pydantic import TypeAdapter

from live_scoring.core.decoding import DecodeError
from live_scoring.telemetry.blocks import Blocks, answer_from, calls_in
from live_scoring.telemetry.conversation import Call, Conversation

BLOCKS: TypeAdapter[Any] = TypeAdapter(Blocks)


def read(**block: Any) -> Any:
    return BLOCKS.validate_python([block])


@pytest.mark.parametrize("kind", ["tool_use", "server_tool_use", "mcp_tool_use", "tool_call"])
@pytest.mark.parametrize("args", ["input", "args"])
def test_a_block_whose_type_ends_so_calls(kind: str, args: str) -> None:
    blocks = read(type=kind, id="c", name="look", **{args: {"at": 1}})
    assert list(calls_in(blocks)) == [Call("c", "look", {"at": 1})]


@pytest.mark.parametrize("kind", ["invalid_tool_call", "tool_call_chunk", "text", "tool_result"])
def test_a_block_of_another_type_calls_nothing(kind: str) -> None:
    assert list(calls_in(read(type=kind))) == []


def test_a_block_that_calls_no_tool_by_name_is_refused() -> None:
    with pytest.raises(DecodeError):
        list(calls_in(read(type="tool_use", id="c")))


@pytest.mark.parametrize(
    ("block", "has_failed"),
    [
        ({"content": "x"}, False),
        ({"content": "x", "is_error": True}, True),
        ({"output": "x", "status": "error"}, True),
        ({"content": {"type": "web_fetch_tool_result_error"}}, True),
        ({"content": {"type": ["x_error"]}}, False),
        ({"content": [{"type": "x_error"}]}, False),
    ],
)
def test_a_result_says_whether_its_call_failed(block: dict[str, Any], has_failed: bool) -> None:
    conversation = Conversation()
    conversation.say("", [Call("c", "look")])
    answer_from(read(type="web_fetch_tool_result", tool_use_id="c", **block), conversation)
    (invocation,) = conversation.output[0].tool_invocations
    assert (invocation.state, invocation.is_error) == ("result", has_failed)
