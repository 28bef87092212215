"""Reading JSON, and saying why something is none."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from live_scoring.core.decoding import parse_json, read_record
from live_scoring.core.score import Failure

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
PIECES = [
    *(b"{", b"}", b"[", b"]", b",", b":", b'"a"', b'"', b" ", b"\n", b"null", b"tru", b"NaN"),
    *(b"1", b"-0", b".5", b"e9", b"1e999", b"+", b"Infinity", b"9" * 30, b"9" * 5_000),
    *(
        b'"\\ud83d"',
        b'"\\ud83d\\ude00"',
        b"\\",
        b"\0",
        b"\x1f",
        b"\xff",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
    ),
]
NUMBERS = TypeAdapter(list[int])


@given(VALUES)
def test_all_json_is_read_lone_surrogates_included(value: Any) -> None:
    payload = json.dumps(value).encode()
    assert parse_json(payload) == json.loads(payload)


@given(st.binary())
def test_no_bytes_raise(payload: bytes) -> None:
    parse_json(payload)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join))
def test_json_is_what_the_strictest_of_parsers_takes(payload: bytes) -> None:
    try:
        wanted = json.loads(payload.decode(), parse_constant=int)  # which knows none
    except ValueError:
        assert isinstance(parse_json(payload), Failure)
    else:
        assert repr(parse_json(payload)) == repr(wanted)


def test_nesting_beyond_the_parser_is_told() -> None:
    assert parse_json(b"[" * 100_000).reason == "too_deep"


@pytest.mark.parametrize(
    ("payload", "answer"),
    [
        (b"[1, 2]", [1, 2]),
        (None, Failure("decode", "empty", "the record has no value")),
        (b"[1, ", Failure("decode", "truncated_json", "Expecting value: line 1 column 5 (char 4)")),
        (b"1", Failure("decode", "bad_field", "payload: Input should be an array")),
        (
            b'[1, "x"]',
            Failure(
                "decode",
                "bad_field",
                "[1]: Input should be a valid integer, unable to parse string as an integer",
            ),
        ),
    ],
)
def test_a_record_is_read_or_refused(payload: bytes | None, answer: object) -> None:
    assert read_record(NUMBERS, payload) == answer
