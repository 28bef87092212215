"""How items of Responses become messages; tests/formats/test_openai_responses.py shows the rest."""

import pytest

from live_scoring.core.decoding import DecodeError
from live_scoring.telemetry.items import turns_of


def test_items_become_messages_in_their_order() -> None:
    turns = turns_of(
        [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": "Book"},
            {"type": "reasoning", "id": "rs_1"},
            {"type": "function_call", "call_id": "c1", "name": "book", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "4"},
            {"role": "assistant", "content": [{"type": "output_text", "text": "Desk "}]},
        ]
    )
    assert [(turn.role, turn.text) for turn in turns] == [
        ("other", "Be brief."),
        ("user", "Book"),
        ("assistant", ""),
        ("other", ""),
        ("assistant", "Desk "),
    ]
    assert [call.name for turn in turns for call in turn.calls] == ["book"]
    assert [answer.result for turn in turns for answer in turn.answers] == ["4"]


def test_an_item_that_is_kept_elsewhere_is_refused() -> None:
    with pytest.raises(DecodeError):
        turns_of([{"type": "item_reference", "id": "msg_1"}])
