"""The newest records of a topic, read outside any group."""

import asyncio
from collections.abc import Iterator, Mapping

from live_scoring.adapters.kafka import (
    ConsumerRecord,
    Extent,
    StretchConsumer,
    TopicPartition,
    count_partitions,
    unless_away,
)
from live_scoring.config import KafkaConfig, WorkerConfig
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.score import Source
from live_scoring.formats.header import named_format
from live_scoring.inspection.record import Record
from live_scoring.telemetry.envelope import Envelope
from live_scoring.wiring import build_formats

_BATCH = 100


def topic_records(
    worker: WorkerConfig, topic: str, format_name: str | None, limit: int
) -> Iterator[Record]:
    """Read the newest records, in order within a partition; the topic is never created.

    Args:
        worker: How to connect, and what is said of the topic.
        topic: Its name.
        format_name: What records are said to be whose headers name no format.
        limit: Records at most, evenly of each partition as far as it has so many.

    Raises:
        LiveScoringError: No broker answers, or it refuses, or the topic does not exist.
    """
    named = format_name or worker.topics.formats.get(topic)
    formats, agent_id = build_formats(worker), worker.topics.agents.get(topic)
    for found in _newest(worker.kafka, topic, limit):
        source = Source(found.topic, found.partition, found.offset, found.timestamp)
        yield Record(
            place=f"{topic}/{found.partition}: offset {found.offset}",
            payload=found.value,
            envelope=Envelope(source, found.key, found.headers, agent_id),
            format_name=named_format(found.headers, formats) or named,
        )


def _newest(kafka: KafkaConfig, topic: str, limit: int) -> Iterator[ConsumerRecord]:
    with asyncio.Runner() as runner:
        partitions = runner.run(_partitions_of(kafka, topic))
        consumer = StretchConsumer(kafka, partitions)
        try:
            runner.run(consumer.start())
            consumer.begin(newest_stretches(runner.run(consumer.survey()), limit))
            while not consumer.is_read:
                for records in runner.run(consumer.poll(_BATCH)).values():
                    yield from records
        finally:
            runner.run(consumer.stop())


async def _partitions_of(kafka: KafkaConfig, topic: str) -> list[TopicPartition]:
    async def count() -> int | None:
        return (await count_partitions(kafka, [topic])).get(topic)

    partitions = await unless_away(count, kafka)
    if partitions is None:
        raise LiveScoringError(
            f"topic {topic}: does not exist on {kafka.bootstrap_servers}, or lacks the right "
            "Describe; name another with --topic, or grant it"
        )
    return [TopicPartition(topic, number) for number in range(partitions)]


def newest_stretches(
    extents: Mapping[TopicPartition, Extent], limit: int
) -> dict[TopicPartition, tuple[int, int]]:
    """Where to begin and end in each partition so that at most `limit` records are read."""
    stretches, left = {}, limit
    by_size = sorted(extents.items(), key=lambda item: item[1].end - item[1].first)
    for done, (at, extent) in enumerate(by_size):
        share = min(extent.end - extent.first, -(-left // (len(by_size) - done)))
        stretches[at] = extent.end - share, extent.end
        left -= share
    return stretches
