"""Which dead letters are sent back."""

from typing import Any

import pytest

from live_scoring.dead_letters.choosing import Left, Wanted, choose
from live_scoring.dead_letters.survey import Letter
from tests.builders import SOURCE
from tests.dead_letters.letters import WRITTEN_MS, letter_of, survey_of

TOPICS = {"agent-runs", "more-runs"}


def chosen(*letters: Letter, **wanted: Any) -> list[int]:
    choice = choose(survey_of(*letters), Wanted(**wanted), TOPICS)
    return [position.offset for position in choice.letters]


def test_every_letter_is_chosen_unless_something_is_asked_for() -> None:
    assert chosen(letter_of(0), letter_of(1, reason="empty")) == [0, 1]


@pytest.mark.parametrize(
    "wanted",
    [
        {"reason": "empty"},
        {"stage": "score"},
        {"topic": "more-runs"},
        {"from_ms": WRITTEN_MS + 1_000, "to_ms": WRITTEN_MS + 2_000},
    ],
)
def test_only_what_is_asked_for_is_chosen(wanted: dict[str, Any]) -> None:
    other = letter_of(1, reason="empty", stage="score", topic="more-runs")
    assert chosen(letter_of(0), other, letter_of(2), **wanted) == [1]


@pytest.mark.parametrize(
    ("letter", "why"),
    [
        (letter_of(0, stage="publish", reason="too_large"), "score"),
        (letter_of(0, stage="assemble", reason="no_content"), "trace"),
        (letter_of(0, is_truncated=True), "truncated"),
        (letter_of(0, topic="agent-scores"), "topic"),
    ],
)
def test_what_cannot_be_sent_back_as_it_was_is_left(letter: Letter, why: Left) -> None:
    choice = choose(survey_of(letter), Wanted(), TOPICS)
    assert (choice.letters, choice.left) == ({}, {why: 1})


def test_letters_of_one_record_are_sent_once() -> None:
    choice = choose(survey_of(letter_of(0, offset=7), letter_of(1, offset=7)), Wanted(), TOPICS)
    assert [p.offset for p in choice.letters] == [0]
    assert choice.left == {"repeat": 1}


def test_a_letter_whose_record_was_sent_back_before_is_left() -> None:
    survey = survey_of(letter_of(0), letter_of(1))
    survey.sent.add(SOURCE._replace(offset=0))
    choice = choose(survey, Wanted(), TOPICS)
    assert [p.offset for p in choice.letters] == [1]
    assert choice.left == {"retried": 1}
