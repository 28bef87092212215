"""How dead letters are counted."""

import json

from live_scoring.dead_letters.listing import listing_to_json, listing_to_text
from live_scoring.dead_letters.survey import Survey
from tests.builders import SOURCE
from tests.dead_letters.letters import letter_of, survey_of


def counted() -> Survey:
    survey = survey_of(letter_of(0), letter_of(1, reason="empty"), letter_of(2))
    survey.sent.add(SOURCE._replace(offset=2))
    survey.foreign = 3
    return survey


def test_letters_are_counted_by_what_failed_and_where_they_came_from() -> None:
    assert list(listing_to_text("dead", counted())) == [
        "stage   reason    topic       letters  retried  "
        "first                     last                      example",
        "decode  not_json  agent-runs  2        1        "
        "2026-11-01T12:00:03.000Z  2026-11-01T12:00:05.000Z  0:2",
        "decode  empty     agent-runs  1        0        "
        "2026-11-01T12:00:04.000Z  2026-11-01T12:00:04.000Z  0:1",
        "dead: 3 dead letters, 1 retried, 3 foreign records",
    ]


def test_json_says_the_same() -> None:
    listing = json.loads(listing_to_json("dead", counted()))
    assert (listing["topic"], listing["foreign"]) == ("dead", 3)
    assert listing["counts"][1] == {
        "stage": "decode",
        "reason": "empty",
        "topic": "agent-runs",
        "letters": 1,
        "retried": 0,
        "first": "2026-11-01T12:00:04.000Z",
        "last": "2026-11-01T12:00:04.000Z",
        "example": "0:1",
    }


def test_a_topic_without_letters_is_one_line() -> None:
    assert list(listing_to_text("dead", Survey())) == [
        "dead: 0 dead letters, 0 retried, 0 foreign records"
    ]


def test_a_name_cannot_act_on_the_terminal() -> None:
    text = "\n".join(listing_to_text("dead", survey_of(letter_of(0, reason="\x1b[2J"))))
    assert "\x1b" not in text
