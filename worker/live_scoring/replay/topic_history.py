"""Topics as the past."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager

from live_scoring.adapters.kafka import (
    ConsumerRecord,
    Extent,
    StretchConsumer,
    TopicPartition,
    count_partitions,
    until_connected,
)
from live_scoring.config import KafkaConfig
from live_scoring.replay.gathering import Record
from live_scoring.replay.history import Bounds, HistoryError, Polled
from live_scoring.replay.span import Span
from live_scoring.replay.stretches import Stretch, stretch_of, written_place

_LATE_MS = 3_600_000
_LATE_RECORDS = 10_000
"""A partition has ended for a span once so many records in a row lie an hour behind it: records
are in no strict order of time, and one clock that is wrong must not end it."""


class TopicHistory:
    """What topics hold of a span when they are opened."""

    def __init__(
        self,
        consumer: StretchConsumer,
        topics: Sequence[str],
        span: Span,
        stretches: Mapping[TopicPartition, Stretch],
        known: Mapping[str, int],
    ) -> None:
        """Take over a consumer that reads these stretches; `open_topics` makes one.

        `known` are offsets, by place, before which an earlier run took everything in.
        """
        self.title = ", ".join(topics)
        self._consumer = consumer
        self._span = span
        self._stretches = stretches
        self._known = known
        self._late: dict[TopicPartition, int] = {}
        """Records in a row that lay far behind the span."""
        self.notes = tuple(_notes(stretches))

    @property
    def left(self) -> int:
        """Records that are still to be read, at most."""
        return sum(
            max(0, stretch.end - self._consumer.next[at]) for at, stretch in self._stretches.items()
        )

    @property
    def bounds(self) -> Bounds:
        """Offset of the next record and that after the last, by partition."""
        return Bounds(
            {
                place: max(offset, self._known.get(place, 0))
                for at, offset in sorted(self._consumer.next.items())
                for place in [written_place(at)]
            },
            {written_place(at): stretch.end for at, stretch in sorted(self._stretches.items())},
        )

    @property
    def is_read(self) -> bool:
        """Whether there is nothing left."""
        return self._consumer.is_read

    async def poll(self, max_records: int) -> Polled:
        """The next records; none if none come in a moment.

        Raises:
            KafkaFatalError: Records cannot be had and waiting will not help.
        """
        before = self.left
        polled = await self._consumer.poll(max_records)
        records = [self._record_of(record) for found in polled.values() for record in found]
        missing = max(0, before - self.left - len(records))
        for at, found in polled.items():
            if not self._consumer.is_finished(at) and self._is_behind(at, found):
                self._consumer.finish(at)
        return Polled(records, missing)

    def _record_of(self, record: ConsumerRecord) -> Record:
        found = Record(
            topic=record.topic,
            partition=record.partition,
            offset=record.offset,
            timestamp_ms=record.timestamp,
            value=record.value,
            key=record.key,
            headers=record.headers,
        )
        is_again = found.offset < self._known.get(found.place, 0)
        return found._replace(is_again=True) if is_again else found

    def _is_behind(self, at: TopicPartition, records: Sequence[ConsumerRecord]) -> bool:
        """Whether so many records lay behind the span that none inside it is to be expected."""
        if self._span.to_ms is None:
            return False
        for record in records:
            is_late = record.timestamp >= self._span.to_ms + _LATE_MS
            self._late[at] = self._late.get(at, 0) + 1 if is_late else 0
        return self._late.get(at, 0) >= _LATE_RECORDS


@asynccontextmanager
async def open_topics(
    kafka: KafkaConfig,
    topics: Sequence[str],
    span: Span,
    resumed: Bounds | None = None,
    margin_ms: int = 0,
) -> AsyncIterator[TopicHistory]:
    """Look at topics and fix where reading begins and ends; waits for an absent broker.

    Args:
        kafka: How to connect.
        topics: Their names.
        span: Which of their records.
        resumed: Where an earlier replay stopped; its ends hold.
        margin_ms: How long before the span reading begins.

    Raises:
        HistoryError: A topic or a partition does not exist, or not as it was.
    """
    consumer = StretchConsumer(kafka, await _find(kafka, topics, span))
    try:
        await consumer.start()
        extents = await consumer.survey()
        since: Mapping[TopicPartition, int | None] = {}
        if span.from_ms is not None:
            since = await consumer.offsets_since(span.from_ms - margin_ms)
        stretches = {
            at: _resumed(at, extent, resumed)
            if resumed
            else stretch_of(extent, span, at.partition, _first_since(since, at, extent))
            for at, extent in extents.items()
        }
        consumer.begin({at: (s.first, s.end) for at, s in stretches.items()})
        yield TopicHistory(consumer, topics, span, stretches, resumed.next if resumed else {})
    finally:
        await consumer.stop()


async def _find(kafka: KafkaConfig, topics: Sequence[str], span: Span) -> list[TopicPartition]:
    found = await until_connected(lambda: count_partitions(kafka, topics), kafka)
    for topic in topics:
        if topic not in found:
            raise HistoryError(
                f"topic {topic}: does not exist on {kafka.bootstrap_servers}, or lacks the right "
                "Describe; name another with --topic, or grant it"
            )
        for partition in span.offsets or ():
            if partition >= found[topic]:
                raise HistoryError(
                    f"--offsets: topic {topic} has no partition {partition}; it has "
                    f"{found[topic]}, counted from 0"
                )
    return [
        TopicPartition(topic, partition)
        for topic in topics
        for partition in span.offsets or range(found[topic])
    ]


def _first_since(
    since: Mapping[TopicPartition, int | None], at: TopicPartition, extent: Extent
) -> int:
    offset = since.get(at, extent.first)
    return extent.end if offset is None else offset


def _resumed(at: TopicPartition, extent: Extent, bounds: Bounds) -> Stretch:
    place = written_place(at)
    next_offset, end = bounds.next.get(place, extent.first), bounds.ends.get(place, extent.first)
    if extent.end < end:
        raise HistoryError(
            f"{place}: ends at offset {extent.end}, before the checkpoint's {end}; if the topic "
            "was made anew, remove the checkpoint to begin anew"
        )
    gone = min(extent.first, end) - next_offset
    notes = (f"{gone:,} records were deleted since the replay stopped",) if gone > 0 else ()
    return Stretch(bounds.first(place, extent.first), end, notes)


def _notes(stretches: Mapping[TopicPartition, Stretch]) -> Iterator[str]:
    """The notes of all partitions, those that are alike told once."""
    places: dict[tuple[str, str], list[int]] = {}
    for at, stretch in sorted(stretches.items()):
        for note in stretch.notes:
            places.setdefault((at.topic, note), []).append(at.partition)
    for (topic, note), partitions in places.items():
        noun = "partition" if len(partitions) == 1 else "each of partitions"
        yield f"{topic}: {noun} {', '.join(map(str, partitions))}: {note}"
