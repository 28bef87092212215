"""Where a group that never committed begins to read, as `kafka.start` says."""

from typing import Literal, Protocol

from live_scoring.adapters.kafka import TopicPartition

Start = int | Literal["earliest", "latest"]
"""Milliseconds to go back from now, or an end of the topic."""


class Offsets(Protocol):
    """Who knows a partition's offsets."""

    async def beginning(self, partition: TopicPartition, /) -> int:
        """Of the first record that is still there."""

    async def end(self, partition: TopicPartition, /) -> int:
        """After the last record."""

    async def offset_at(self, partition: TopicPartition, timestamp_ms: int, /) -> int:
        """Of the first record of that time or later."""


async def start_offset(
    offsets: Offsets, partition: TopicPartition, start: Start, now_ms: int
) -> int:
    """The offset of the first record to read."""
    if start == "earliest":
        return await offsets.beginning(partition)
    if start == "latest":
        return await offsets.end(partition)
    return await offsets.offset_at(partition, now_ms - start)
