"""JSON and timestamps as records carry them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.wire import to_json, to_ms, to_rfc3339

UNITS = st.text(st.characters(exclude_categories=()))


@given(st.lists(UNITS | st.integers(-(2**53), 2**53) | st.none()))
def test_json_reads_back(value: list[Any]) -> None:
    assert json.loads(to_json(value)) == json.loads(json.dumps(value))


@given(st.lists(UNITS))
def test_json_is_written_the_same_with_and_without_surrogates_nearby(value: list[str]) -> None:
    spelt = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert to_json(value) == spelt.encode(errors="backslashreplace")


@given(st.integers(-62_135_596_800_000, 253_402_300_799_999))
def test_a_timestamp_reads_back(ms: int) -> None:
    assert to_ms(to_rfc3339(ms)) == ms


def test_a_timestamp_shows_its_milliseconds() -> None:
    assert to_rfc3339(1_793_534_401_110) == "2026-11-01T12:00:01.110Z"


def test_a_timestamp_is_held_to_the_years_a_calendar_has() -> None:
    assert to_rfc3339(10**18) == "9999-12-31T23:59:59.999Z"
    assert to_rfc3339(-(10**18)) == "0001-01-01T00:00:00.000Z"


@pytest.mark.parametrize("text", ["", "noon", "2026-11-01T12:00:01"])
def test_a_text_that_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"isoformat|time zone"):
        to_ms(text)
