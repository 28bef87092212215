"""What attributes tell, whatever convention names them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from live_scoring.core.decoding import DecodeError
from live_scoring.telemetry.attributes import (
    amount_in,
    count_in,
    error_of,
    first_text,
    listed,
    moment_of,
    tags_of,
    total,
    unflattened,
    written_json,
)
from tests.telemetry.spans import span


@pytest.mark.parametrize("value", [None, 1, "", [], {}])
def test_what_is_no_text_is_passed_over(value: Any) -> None:
    assert first_text({"a": value, "b": "text"}, "a", "b") == "text"


@pytest.mark.parametrize("value", [None, True, -1, 1.5, "7", []])
def test_what_is_no_count_is_passed_over(value: Any) -> None:
    assert count_in({"a": value, "b": 7}, "a", "b") == 7


def test_amounts_are_numbers_of_zero_or_more() -> None:
    told = {"a": 0.5, "b": -1, "c": True, "d": "1"}
    assert [amount_in(told, name) for name in "abcde"] == [0.5, None, None, None, None]


def test_a_total_is_of_what_is_known() -> None:
    assert total([1, None, 2]) == 3
    assert total([None]) is None


def test_tags_are_scalars_and_short_names_give_way_to_given_ones() -> None:
    told = {"service.version": "v1", "pids": [1], "deployment.environment": "prod", "n": 1}
    tags = tags_of({"environment": "mine"} | told)
    assert (tags["version"], tags["environment"], tags["n"]) == ("v1", "mine", 1)
    assert "pids" not in tags


def test_a_span_tells_its_error_by_kind_then_by_status() -> None:
    assert error_of(span("a")) is None
    assert error_of(span("a", error="")) == "failed"
    assert error_of(span("a", error="slow")) == "slow"
    assert error_of(span("a", error="slow", attributes={"error.type": "Timeout"})) == "Timeout"


def test_moments_are_exact_to_the_microsecond() -> None:
    assert moment_of(1_793_534_400_123_456_789) == datetime(
        2026, 11, 1, 12, 0, 0, 123456, tzinfo=UTC
    )
    assert moment_of(2**64 - 1).year == 2554


def test_written_json_is_read_and_other_values_stay() -> None:
    assert written_json('[{"a": "\\ud83d"}]', "m") == [{"a": "\ud83d"}]
    assert written_json('["\ud83d"]', "m") == ["\ud83d"]
    assert written_json([1], "m") == [1]


def test_a_value_that_was_cut_off_names_the_setting_that_cut_it() -> None:
    with pytest.raises(DecodeError) as caught:
        written_json('[{"role": "us', "m")
    assert caught.value.failure.reason == "truncated_json"
    assert caught.value.failure.detail == (
        "m: cut off after 13 characters; raise or unset OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT "
        "and OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"
    )


@pytest.mark.parametrize("depth", [101, 300, 100_000])
def test_json_that_nests_too_deeply_is_refused(depth: int) -> None:
    with pytest.raises(DecodeError) as caught:
        written_json("[" * depth + "]" * depth, "m")
    assert caught.value.failure.reason == "too_deep"


def test_keys_with_an_index_become_a_list_in_its_order() -> None:
    told = {"p.10.a": "last", "p.2.a.b": "mid", "p.0": "first", "q.0": "other", "p.x": "no"}
    assert unflattened(told, "p") == ["first", {"a": {"b": "mid"}}, {"a": "last"}]


def test_of_keys_that_contradict_one_another_the_first_counts() -> None:
    assert unflattened({"p.0": "text", "p.0.a": "no"}, "p") == ["text"]
    assert unflattened({"p.0.a": "text", "p.0": "no"}, "p") == [{"a": "text"}]


def test_indices_are_digits_and_not_too_many() -> None:
    assert listed({"1": "b", "0": "a", "²": "no", "9" * 5_000: "no", "-1": "no"}) == ["a", "b"]
    assert listed("text") == []
