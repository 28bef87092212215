"""What a dead letter and the marks beside it say, and reading it back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.score import Failure, Source
from live_scoring.formats.dead_letter import (
    TRUNCATED,
    DeadLetter,
    Header,
    Position,
    RetryMark,
    Step,
    dead_letter_headers,
    original_headers,
    read_headers,
    retry_mark_headers,
    without_original,
)
from tests.builders import SOURCE

FAILURE = Failure("decode", "missing_field", "agent_id: Field required")
OWN: list[Header] = [("stage", b"mine"), ("stage", b"twice"), ("trace", None)]

numbers = st.integers(0, 2**63 - 1)
positions = st.builds(Position, numbers, numbers)
sources = st.builds(Source, st.text(), numbers, numbers, st.integers(-1, 2**42))
headers = st.lists(st.tuples(st.text(), st.none() | st.binary()))


def test_a_dead_letter_says_what_failed_and_where_it_came_from() -> None:
    assert dead_letter_headers(FAILURE, SOURCE) == [
        ("stage", b"decode"),
        ("reason", b"missing_field"),
        ("detail", b"agent_id: Field required"),
        ("topic", b"agent-runs"),
        ("partition", b"0"),
        ("offset", b"7"),
        ("timestamp", b"2026-11-01T12:00:02.000Z"),
    ]


def test_a_dead_letter_bears_a_lone_surrogate() -> None:
    headers = dict(dead_letter_headers(Failure("score", "E", "\ud83d"), SOURCE))
    assert headers["detail"] == "\ufffd".encode()


def test_a_dead_letter_keeps_the_headers_of_its_record_apart_from_its_own() -> None:
    headers = dead_letter_headers(FAILURE, SOURCE, OWN)
    assert original_headers(headers) == OWN
    assert without_original(headers) == dead_letter_headers(FAILURE, SOURCE)
    assert read_headers(headers) == DeadLetter(FAILURE, SOURCE, is_truncated=False)


def test_a_dead_letter_that_was_cut_says_so() -> None:
    headers = [*dead_letter_headers(FAILURE, SOURCE), TRUNCATED]
    assert read_headers(headers) == DeadLetter(FAILURE, SOURCE, is_truncated=True)


def test_that_its_record_had_a_header_of_that_name_does_not_make_a_dead_letter_cut() -> None:
    headers = dead_letter_headers(FAILURE, SOURCE, [TRUNCATED, ("retry", b"sent")])
    assert read_headers(headers) == DeadLetter(FAILURE, SOURCE, is_truncated=False)


@given(st.builds(RetryMark, st.sampled_from(["begun", "sent"]), sources, positions, positions))
def test_a_mark_that_was_written_is_read_back(mark: RetryMark) -> None:
    source = mark.source._replace(topic=mark.source.topic.encode(errors="replace").decode())
    read = read_headers(retry_mark_headers(mark))
    assert read == RetryMark(mark.step, source, mark.letter, mark.target)


@given(headers)
def test_headers_of_anyones_are_read_as_foreign(foreign: list[Header]) -> None:
    assert read_headers(foreign) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("stage", None),
        ("reason", b"\xff"),
        ("partition", b"-1"),
        ("partition", b"one"),
        ("offset", b"9223372036854775808"),
        ("offset", b"9" * 5_000),
        ("timestamp", b"yesterday"),
        ("timestamp", b"2026-11-01T12:00:02"),
        ("retry", b"sent"),
        ("retry", b"planned"),
    ],
)
def test_a_dead_letter_with_one_bad_header_is_foreign(name: str, value: bytes | None) -> None:
    facts = dict(dead_letter_headers(FAILURE, SOURCE)) | {name: value}
    assert read_headers(facts.items()) is None


@pytest.mark.parametrize("step", ["begun", "sent"])
def test_a_mark_is_no_dead_letter(step: Step) -> None:
    mark = RetryMark(step, SOURCE, Position(1, 2), Position(3, 4))
    assert read_headers(retry_mark_headers(mark)) == mark
