"""Dead letters: the raw bytes of a record that could not be used, and in headers why.

Beside them on their topic stand marks, which say that one is being or has been sent back.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from live_scoring.core.run import to_utf8
from live_scoring.core.score import Failure, Source
from live_scoring.core.wire import to_ms, to_rfc3339

Header = tuple[str, bytes | None]
Step = Literal["begun", "sent"]
"""Of sending a dead letter back: written before it is sent, and once the broker has it."""

TRUNCATED: Header = ("truncated", b"true")
"""Of a dead letter that holds only the head of its record."""
_ORIGINAL = "original-"
"""Before the names of the headers that the record itself had."""
_STEPS: Mapping[bytes, Step] = {b"begun": "begun", b"sent": "sent"}
_OFFSETS = 2**63


class Position(NamedTuple):
    """Where a record stands in a topic that the context names."""

    partition: int
    offset: int

    def __str__(self) -> str:
        """As it is written on a command line: `0:17`."""
        return f"{self.partition}:{self.offset}"


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """What a dead letter's headers say."""

    failure: Failure
    source: Source
    """Repeats of a dead letter have the same."""
    is_truncated: bool


@dataclass(frozen=True, slots=True)
class RetryMark:
    """That the dead letter of a record is being, or has been, sent back."""

    step: Step
    source: Source
    """The dead letter's own."""
    letter: Position
    """Where on the dead-letter topic the one stands that is sent."""
    target: Position
    """The partition of the source's topic that it goes to, and an offset not after its own."""


def dead_letter_headers(
    failure: Failure, source: Source, original: Iterable[Header] = ()
) -> list[Header]:
    """What failed, where the record came from, so that repeats can be told, and its own headers."""
    facts = {"stage": failure.stage, "reason": failure.reason, "detail": failure.detail}
    own = [(name, to_utf8(fact)) for name, fact in facts.items()]
    return [*own, *_source_headers(source), *((_ORIGINAL + name, v) for name, v in original)]


def without_original(headers: Iterable[Header]) -> list[Header]:
    """A dead letter's headers without those that its record had."""
    return [(name, value) for name, value in headers if not name.startswith(_ORIGINAL)]


def original_headers(headers: Iterable[Header]) -> list[Header]:
    """The headers that a dead letter's record had."""
    return [(n.removeprefix(_ORIGINAL), v) for n, v in headers if n.startswith(_ORIGINAL)]


def retry_mark_headers(mark: RetryMark) -> list[Header]:
    """A mark, which is all headers."""
    places = {
        "letter-partition": mark.letter.partition,
        "letter-offset": mark.letter.offset,
        "target-partition": mark.target.partition,
        "target-offset": mark.target.offset,
    }
    numbers = [(name, str(number).encode()) for name, number in places.items()]
    return [("retry", mark.step.encode()), *_source_headers(mark.source), *numbers]


def read_headers(headers: Iterable[Header]) -> DeadLetter | RetryMark | None:
    """Read what `dead_letter_headers` or `retry_mark_headers` wrote; None of a foreign record."""
    facts = {name: value for name, value in headers if value is not None}
    try:
        return _read_mark(facts) if "retry" in facts else _read_letter(facts)
    except (KeyError, ValueError):
        return None


def _source_headers(source: Source) -> list[Header]:
    facts = {
        "topic": source.topic,
        "partition": str(source.partition),
        "offset": str(source.offset),
        "timestamp": to_rfc3339(source.timestamp_ms),
    }
    return [(name, to_utf8(fact)) for name, fact in facts.items()]


def _read_letter(facts: Mapping[str, bytes]) -> DeadLetter:
    failure = Failure(*(facts[name].decode() for name in ("stage", "reason", "detail")))
    name, value = TRUNCATED
    return DeadLetter(failure, _read_source(facts), facts.get(name) == value)


def _read_mark(facts: Mapping[str, bytes]) -> RetryMark:
    return RetryMark(
        _STEPS[facts["retry"]],
        _read_source(facts),
        _read_position(facts, "letter-"),
        _read_position(facts, "target-"),
    )


def _read_source(facts: Mapping[str, bytes]) -> Source:
    at = to_ms(facts["timestamp"].decode())
    return Source(facts["topic"].decode(), *_read_position(facts), at)


def _read_position(facts: Mapping[str, bytes], prefix: str = "") -> Position:
    position = Position(int(facts[prefix + "partition"]), int(facts[prefix + "offset"]))
    if not all(0 <= number < _OFFSETS for number in position):
        raise ValueError("no position")
    return position
