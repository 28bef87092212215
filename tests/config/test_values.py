from datetime import timedelta

import pytest
from pydantic import TypeAdapter, ValidationError

from live_scoring.config.values import Pattern, parse_length


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("500ms", timedelta(milliseconds=500)),
        ("30s", timedelta(seconds=30)),
        ("5m", timedelta(minutes=5)),
        ("24h", timedelta(hours=24)),
        ("7d", timedelta(days=7)),
    ],
)
def test_a_length_is_a_number_and_a_unit(text: str, length: timedelta) -> None:
    assert parse_length(text) == length


@pytest.mark.parametrize(
    "text",
    ["", "5", "m", "0s", "05m", "5 m", "5M", "1.5h", "-5m", "1h30m", "5m\n", "\u0665m", 5, None],
)
def test_anything_else_is_none(text: object) -> None:
    with pytest.raises(ValueError, match="is not a length; write one such as 30s, 5m, 1h or 7d"):
        parse_length(text)


@pytest.mark.parametrize("text", ["a[[]", "[[][*][]]", "[!]]", "a[b-d]*", "[]x]"])
def test_a_pattern_may_mean_a_bracket(text: str) -> None:
    assert TypeAdapter(Pattern).validate_python(text) == text


@pytest.mark.parametrize("text", ["[", "[]", "[!]", "[a][b", "a[[][", "a" * 1025])
def test_a_pattern_that_never_closes_or_ends_is_none(text: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Pattern).validate_python(text)
