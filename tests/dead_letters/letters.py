"""Dead letters and the records that hold them."""

from typing import Any

from live_scoring.adapters.kafka import ConsumerRecord
from live_scoring.core.score import Failure
from live_scoring.dead_letters.survey import Letter, Survey
from live_scoring.formats.dead_letter import (
    TRUNCATED,
    DeadLetter,
    Header,
    Position,
    dead_letter_headers,
)
from tests.builders import SOURCE

WRITTEN_MS = SOURCE.timestamp_ms + 1_000


def letter_of(
    number: int,
    *,
    stage: str = "decode",
    reason: str = "not_json",
    is_truncated: bool = False,
    **source: Any,
) -> Letter:
    """The nth letter of partition 0, a second after the one before."""
    whole = SOURCE._replace(**({"offset": number} | source))
    facts = DeadLetter(Failure(stage, reason), whole, is_truncated)
    return Letter(Position(0, number), WRITTEN_MS + 1_000 * number, 1, facts)


def survey_of(*letters: Letter) -> Survey:
    """A topic that holds these letters."""
    return Survey(letters=list(letters))


def record_of(
    value: bytes, *original: Header, stage: str = "decode", is_truncated: bool = False
) -> tuple[ConsumerRecord, DeadLetter]:
    """A dead letter as it stands at 0:17."""
    failure = Failure(stage, "not_json", "line 1:\n\x1b[2J")
    headers = dead_letter_headers(failure, SOURCE, original)
    headers += [TRUNCATED] * is_truncated
    record = ConsumerRecord(
        "dead", 0, 17, WRITTEN_MS, 0, b"key\x07", value, None, 0, 0, tuple(headers)
    )
    return record, DeadLetter(failure, SOURCE, is_truncated)
