from typing import Any

import pytest

from live_scoring.checks.arguments.given import ArgumentsTooLarge, arguments_of
from tests.builders import call


def given(*args: Any) -> list[Any]:
    return [value for _, value in arguments_of(call("search", args=a) for a in args)]


def test_arguments_that_are_a_text_of_json_are_parsed() -> None:
    assert given('{"city": "Brooklyn"}') == [{"city": "Brooklyn"}]


def test_a_text_that_is_no_json_stays_a_text() -> None:
    assert given('{"city": "Bro', "", "[" * 5_000) == ['{"city": "Bro', "", "[" * 5_000]


def test_no_arguments_are_an_empty_mapping() -> None:
    assert given(None, "null") == [{}, None]


def test_texts_of_too_many_values_in_all_are_an_error_and_a_long_value_is_none() -> None:
    assert given("9" * 100, '"' + "a" * 1_000_000 + '"')[1] == "a" * 1_000_000
    half = "[" + "0," * 25_000 + "0]"
    assert len(given(half)[0]) == 25_001
    with pytest.raises(ArgumentsTooLarge, match="JSON with more than 50000 values"):
        given(half, half)
