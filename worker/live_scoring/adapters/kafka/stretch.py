"""Reading bounded stretches of partitions, outside any group."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition
from aiokafka.errors import KafkaError

from live_scoring.adapters.kafka.closing import close_consumer
from live_scoring.adapters.kafka.connection import (
    RETRY_SECONDS,
    KafkaFatalError,
    fetch_options,
    may_pass,
    told,
    until_connected,
)
from live_scoring.config import KafkaConfig

_POLL_MS = 200

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Extent:
    """What a partition holds at a moment."""

    first: int
    """Offset of the first record that is still there."""
    end: int
    """Offset after the last record."""
    first_ms: int | None
    """Timestamp of the first record; None without one."""


class StretchConsumer:
    """Reads each partition from an offset to an offset; commits nothing, belongs to no group.

    Waits for an absent broker wherever it is asked something.
    """

    def __init__(self, kafka: KafkaConfig, partitions: Iterable[TopicPartition]) -> None:
        """Prepare; nothing connects before `start`. The partitions must exist."""
        self._kafka = kafka
        self._partitions = sorted(partitions)
        self._ends: dict[TopicPartition, int] = {}
        """Of the partitions that are not yet read to their end."""
        self._consumer: AIOKafkaConsumer | None = None
        self.next: dict[TopicPartition, int] = {}
        """For each partition the offset up to which it has been polled."""

    async def start(self) -> None:
        """Connect."""
        await self._until_connected(self._connect)

    async def _connect(self) -> None:
        consumer = AIOKafkaConsumer(**fetch_options(self._kafka))
        consumer.assign(self._partitions)
        try:
            await consumer.start()
        except BaseException:
            await close_consumer(consumer)
            raise
        self._consumer = consumer

    @property
    def _started(self) -> AIOKafkaConsumer:
        if self._consumer is None:
            raise RuntimeError("the consumer was not started")
        return self._consumer

    async def stop(self) -> None:
        """Close the connection."""
        if self._consumer is not None:
            await close_consumer(self._consumer)

    async def survey(self) -> dict[TopicPartition, Extent]:
        """What each partition holds now; to be asked before `begin`."""
        return await self._until_connected(self._survey)

    async def _survey(self) -> dict[TopicPartition, Extent]:
        consumer = self._started
        beginnings = await consumer.beginning_offsets(self._partitions)
        for at, offset in beginnings.items():
            consumer.seek(at, offset)
        consumer.resume(*self._partitions)
        found: dict[TopicPartition, Extent] = {}
        while unseen := [at for at in self._partitions if at not in found]:
            polled = await consumer.getmany(*unseen, timeout_ms=_POLL_MS)
            for at in unseen:
                # The embedded broker tells `end_offsets` too low; what a fetch says is right.
                end, records = consumer.highwater(at), polled.get(at)
                if end is not None and (records or await consumer.position(at) >= end):
                    first_ms = records[0].timestamp if records else None
                    found[at] = Extent(beginnings[at], end, first_ms)
                    consumer.pause(at)
        return found

    async def offsets_since(self, timestamp_ms: int) -> dict[TopicPartition, int | None]:
        """For each partition an offset before which no record is of that time or later.

        None where no record is. The embedded broker may tell an offset too low, never too high.
        """
        since = dict.fromkeys(self._partitions, max(0, timestamp_ms))
        ask = partial(self._started.offsets_for_times, since)
        found = await self._until_connected(ask)
        return {at: None if place is None else place.offset for at, place in found.items()}

    def begin(self, stretches: Mapping[TopicPartition, tuple[int, int]]) -> None:
        """Say what is to be read of each partition: the first offset, and that after the last."""
        self._started.pause(*self._partitions)
        for at, (first, end) in stretches.items():
            self.next[at] = first
            if first < end:
                self._ends[at] = end
                self._started.seek(at, first)
                self._started.resume(at)

    @property
    def is_read(self) -> bool:
        """Whether every stretch is read to its end."""
        return not self._ends

    def is_finished(self, at: TopicPartition) -> bool:
        """Whether a partition's stretch is read to its end."""
        return at not in self._ends

    def finish(self, at: TopicPartition) -> None:
        """Read no more of a partition, as if its end were reached."""
        self.next[at] = self._ends.pop(at)
        self._started.pause(at)

    async def poll(self, max_records: int) -> dict[TopicPartition, list[ConsumerRecord]]:
        """The next records, in order within a partition; none if none come in a moment.

        Raises:
            KafkaFatalError: Records cannot be had and waiting will not help.
        """
        if self.is_read:
            return {}
        try:
            polled = await self._started.getmany(
                *self._ends, timeout_ms=_POLL_MS, max_records=max_records
            )
        except KafkaError as error:
            if not may_pass(error):
                raise KafkaFatalError(f"replay: cannot read: {told(error)}") from error
            await asyncio.sleep(RETRY_SECONDS)
            return {}
        inside = {
            at: [record for record in records if record.offset < self._ends[at]]
            for at, records in polled.items()
        }
        for at, end in list(self._ends.items()):
            # The position and not the last record: what is compacted away leaves holes.
            self.next[at] = await self._started.position(at)
            if self.next[at] >= end:
                self.finish(at)
        return inside

    async def _until_connected(self, step: Callable[[], Awaitable[T]]) -> T:
        return await until_connected(step, self._kafka)
