"""What stands on the dead-letter topic: one reading from its start to its end."""

from collections import defaultdict
from collections.abc import Iterable
from contextlib import aclosing
from dataclasses import dataclass, field

from live_scoring.adapters.kafka import (
    ConsumerRecord,
    count_partitions,
    read_partitions,
    until_connected,
)
from live_scoring.config import KafkaConfig
from live_scoring.core.score import Source
from live_scoring.formats.dead_letter import DeadLetter, Position, RetryMark, read_headers


@dataclass(frozen=True, slots=True)
class Letter:
    """A dead letter without its bytes."""

    position: Position
    at_ms: int
    """When it was written, in milliseconds since the epoch."""
    size: int
    """Bytes of its value."""
    facts: DeadLetter


@dataclass(slots=True)
class Survey:
    """All that stands on the topic."""

    letters: list[Letter] = field(default_factory=list)
    begun: defaultdict[Source, list[RetryMark]] = field(default_factory=lambda: defaultdict(list))
    """Marks of letters that were about to be sent back, by the source of the letter."""
    sent: set[Source] = field(default_factory=set)
    """Sources of the letters that have been sent back."""
    foreign: int = 0
    """Records that no worker wrote."""

    def add(self, records: Iterable[ConsumerRecord]) -> None:
        """Take records of one partition in, in their order."""
        for record in records:
            match read_headers(record.headers):
                case DeadLetter() as facts:
                    size = len(record.value or b"")
                    self.letters.append(Letter(position_of(record), record.timestamp, size, facts))
                case RetryMark(step="sent", source=source):
                    self.sent.add(source)
                case RetryMark() as mark:
                    self.begun[mark.source].append(mark)
                case None:
                    self.foreign += 1


async def survey_topic(kafka: KafkaConfig, topic: str) -> Survey | None:
    """Read the topic whole, outside any group; None if it does not exist.

    Begins again if the broker goes away meanwhile.

    Raises:
        KafkaFatalError: The broker refuses, and waiting cannot mend it.
    """

    async def read() -> Survey | None:
        partitions = (await count_partitions(kafka, [topic])).get(topic)
        if partitions is None:
            return None
        survey = Survey()
        async for records in read_partitions(kafka, topic, range(partitions)):
            survey.add(records)
        survey.letters.sort(key=lambda letter: letter.position)
        return survey

    return await until_connected(read, kafka)


async def read_record(kafka: KafkaConfig, topic: str, at: Position) -> ConsumerRecord | None:
    """The record at a position; None where none stands.

    Raises:
        KafkaFatalError: The broker refuses, and waiting cannot mend it.
    """

    async def read() -> ConsumerRecord | None:
        if at.partition >= (await count_partitions(kafka, [topic])).get(topic, 0):
            return None
        begin = {at.partition: at.offset}
        async with aclosing(read_partitions(kafka, topic, begin, begin)) as reading:
            async for records in reading:
                return next((record for record in records if position_of(record) == at), None)
        return None

    return await until_connected(read, kafka)


def position_of(record: ConsumerRecord) -> Position:
    """Where a record stands in its topic."""
    return Position(record.partition, record.offset)
