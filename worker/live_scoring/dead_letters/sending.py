"""A dead letter on its way back, and the marks that tell a later run how far it came."""

from collections.abc import Mapping
from dataclasses import dataclass

from live_scoring.adapters.kafka import ConsumerRecord, Outgoing, partition_of
from live_scoring.dead_letters.survey import Letter, position_of
from live_scoring.formats.dead_letter import (
    Position,
    RetryMark,
    Step,
    original_headers,
    retry_mark_headers,
)

RETRIED_FROM = "retried-from"
"""The header of a record that was sent back."""

Ends = Mapping[str, Mapping[int, int]]
"""Of each topic's partitions, an offset at or before the end."""


def origin_of(topic: str, letter: Position) -> bytes:
    """What `RETRIED_FROM` says of the letter at a position of the dead-letter topic."""
    return f"{topic}/{letter.partition}/{letter.offset}".encode()


@dataclass(frozen=True, slots=True)
class Sending:
    """A letter with its bytes, and where it goes."""

    letter: Letter
    record: ConsumerRecord
    target: Position
    """The partition of its source's topic, and an offset at or before the end of that."""

    def mark(self, step: Step) -> Outgoing:
        """A mark, on the partition of the letter and younger: it is kept as long."""
        mark = RetryMark(step, self.letter.facts.source, self.letter.position, self.target)
        return mark_record(mark)

    def outgoing(self) -> Outgoing:
        """The record as it was, its time included, and which dead letter it was meanwhile."""
        record = self.record
        headers = [h for h in original_headers(record.headers) if h[0] != RETRIED_FROM]
        return Outgoing(
            record.key,
            record.value,
            self.target.partition,
            (*headers, (RETRIED_FROM, origin_of(record.topic, position_of(record)))),
            max(0, self.letter.facts.source.timestamp_ms),
        )


def mark_record(mark: RetryMark) -> Outgoing:
    """A mark as a record of the dead-letter topic."""
    return Outgoing(None, b"", mark.letter.partition, retry_mark_headers(mark))


def address(letter: Letter, record: ConsumerRecord, ends: Ends) -> Sending:
    """Send a letter to the partition it came from; where that is gone, to its key's."""
    source, key = letter.facts.source, record.key
    found, partition = ends[source.topic], source.partition
    if partition not in found:
        partition = partition % len(found) if key is None else partition_of(key, len(found))
    return Sending(letter, record, Position(partition, found[partition]))
