import json
from typing import Any

import pytest

from live_scoring.core.decoding import DecodeError
from live_scoring.dialects.genai.converse import parts_of


def written(*blocks: Any) -> str:
    return json.dumps(blocks)


def test_a_text_of_blocks_is_read_as_parts() -> None:
    use = {"toolUse": {"toolUseId": "a", "name": "look", "input": {"at": 1}}}
    result = {"toolResult": {"toolUseId": "a", "status": "success", "content": [{"text": "x"}]}}
    assert parts_of(written({"text": "Looking."}, use, result)) == [
        {"type": "text", "content": "Looking."},
        {"type": "tool_call", "id": "a", "name": "look", "arguments": {"at": 1}},
        {"type": "tool_call_response", "id": "a", "response": [{"text": "x"}]},
    ]


def test_blocks_that_are_no_text_and_no_tool_keep_their_kind() -> None:
    assert parts_of(written({"image": {"format": "png"}}, {"toolUse": "?"})) == [
        {"type": "image"},
        {"type": "toolUse"},
    ]


@pytest.mark.parametrize(
    "content",
    [None, [], "Fine.", "[1]", '[{"sky": "sunny"}]', '[{"text": "x", "more": 1}]', '[{"sky": "su'],
)
def test_a_text_that_only_looks_like_blocks_stays_a_text(content: Any) -> None:
    assert parts_of(content) is None


def test_blocks_that_were_cut_off_are_refused() -> None:
    with pytest.raises(DecodeError, match="cut off"):
        parts_of('[{"toolUse": {"toolUseId": "a", "na')
