"""A list of messages that goes on from the last one, read as if it stood alone."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.decoding import DecodeError
from live_scoring.dialects.genai.messages import turns_of
from live_scoring.telemetry.attributes import written_json
from live_scoring.telemetry.history import History
from live_scoring.telemetry.retelling import Turn

MESSAGES = st.sampled_from(
    [
        {"role": "user", "content": "Why?"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "name": "look"}]},
        {"role": "assistant", "content": "", "tool_calls": [{"name": "a", "arguments": [1, "]"]}]},
        {"role": "assistant", "content": "", "tool_calls": [{"name": "a", "arguments": [True]}]},
        {"role": "tool", "content": "\ud83d],", "id": "1"},
        {"role": "user", "parts": [{"type": "text"}]},  # its content was left out
        7,  # no message
    ]
)
LISTS = st.lists(MESSAGES, max_size=6)


@st.composite
def growing(draw: st.DrawFn) -> list[list[Any]]:
    """Lists of which many go on from the one before."""
    lists = [draw(LISTS)]
    for _ in range(draw(st.integers(1, 4))):
        kept = draw(st.sampled_from([None, None, -1, 0]))
        lists.append(lists[-1][:kept] + draw(LISTS))
    return lists


@st.composite
def written(draw: st.DrawFn) -> list[str]:
    """The same as JSON, now and then damaged."""
    separators = draw(st.sampled_from([(",", ":"), (", ", ": ")]))
    texts = [json.dumps(messages, separators=separators) for messages in draw(growing())]
    damage = st.sampled_from(["", "", "", "]", ",]", " ", "[", "nothing"])
    return [text[: draw(st.sampled_from([None, None, -1]))] + draw(damage) for text in texts]


def read_text(text: str) -> Sequence[Turn]:
    return turns_of(written_json(text, "messages"), "messages")


def read_list(messages: list[Any]) -> Sequence[Turn]:
    return turns_of(messages, "messages")


def told(read: Callable[[], Sequence[Turn]]) -> Any:
    """The turns, or why there are none."""
    try:
        return tuple(read())
    except DecodeError as error:
        return error.failure


@given(written())
def test_a_text_is_read_as_if_it_stood_alone(texts: list[str]) -> None:
    history = History()
    for text in texts:
        assert told(lambda: history.of_text(text, read_text)) == told(lambda: read_text(text))  # noqa: B023 -- asked at once


@given(growing())
def test_a_list_is_read_as_if_it_stood_alone(lists: list[list[Any]]) -> None:
    history = History()
    for messages in lists:
        read = told(lambda: history.of_list(messages, read_list))  # noqa: B023 -- asked at once
        assert repr(read) == repr(told(lambda: read_list(messages)))  # noqa: B023 -- the same


@pytest.mark.parametrize("is_text", [True, False])
def test_only_what_is_new_is_read_and_the_rest_is_the_same(is_text: bool) -> None:
    history, counts = History(), list[int]()

    def read(told: Any) -> Sequence[Turn]:
        turns = read_text(told) if is_text else read_list(told)
        counts.append(len(turns))
        return turns

    last: Sequence[Turn] = ()
    for length in range(1, 20):
        messages = [{"role": "user", "content": str(n)} for n in range(length)]
        if is_text:
            turns = history.of_text(json.dumps(messages), read)
        else:
            turns = history.of_list(messages, read)
        assert [turn.text for turn in turns] == [str(n) for n in range(length)]
        assert all(one is other for one, other in zip(turns, last, strict=False))
        last = turns
    assert counts == [1] * 19
