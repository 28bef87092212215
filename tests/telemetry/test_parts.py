"""A message's content, whichever way it is written."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from live_scoring.telemetry.parts import Parts, text_of, types_in

PARTS: TypeAdapter[Any] = TypeAdapter(Parts)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("one", "one"),
        (["one", {"type": "text", "text": " two"}], "one two"),
        ([{"type": "text", "text": "\ud83d"}, {"type": "text", "text": "\ude00"}], "😀"),
        ([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], "ab"),
        ([{"type": "refusal", "refusal": "no"}], "no"),
        ([{"type": "thinking", "text": "hm"}], ""),
        ([{"type": "text", "text": None}, {"type": "text"}], ""),
        ([], ""),
        (None, ""),
    ],
)
def test_the_text_of_content_is_its_text_parts_in_one(content: Any, text: str) -> None:
    assert text_of(PARTS.validate_python(content)) == text


@pytest.mark.parametrize(
    "content", [17, {"type": "text"}, [17], [{"text": "x"}], [{"type": "text", "text": 1}]]
)
def test_content_of_a_foreign_type_is_refused(content: Any) -> None:
    with pytest.raises(ValidationError):
        PARTS.validate_python(content)


def test_types_are_found_in_messages_that_were_not_read_yet() -> None:
    parts = [{"type": "a"}, {"type": ["b"]}, {}, "c", None]
    assert types_in([{"content": parts}, {"content": "d"}, {}, "e"]) == {"a"}
