"""Where a group that never committed begins to read, as `kafka.start` says."""

from typing import Literal

from live_scoring.adapters.kafka import GroupConsumer, TopicPartition

Start = int | Literal["earliest", "latest"]
"""Milliseconds to go back from now, or an end of the topic."""


async def start_offset(
    consumer: GroupConsumer, partition: TopicPartition, start: Start, now_ms: int
) -> int:
    """The offset of the first record to read."""
    if start == "earliest":
        return await consumer.beginning(partition)
    if start == "latest":
        return await consumer.end(partition)
    return await consumer.offset_at(partition, now_ms - start)
