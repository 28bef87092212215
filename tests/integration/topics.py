"""Makes, fills and reads topics whole, without the worker's own code but for closing."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, ConsumerRecord, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from live_scoring.adapters.kafka.closing import close_consumer

_BATCH = 1_000


@dataclass(frozen=True, slots=True)
class Sending:
    """A record to be sent."""

    value: bytes | None
    partition: int
    key: bytes | None = None
    timestamp_ms: int | None = None
    """None is now."""
    headers: tuple[tuple[str, bytes | None], ...] = ()


def create_topic(address: str, name: str, partitions: int, **settings: str) -> None:
    """Make a topic, copied as the broker does by default; a setting's `.` is written `_`."""
    configs = {key.replace("_", "."): value for key, value in settings.items()}
    topic = NewTopic(name, partitions, -1, replica_assignments={}, topic_configs=configs)

    async def create() -> None:
        admin = AIOKafkaAdminClient(bootstrap_servers=address)
        await admin.start()
        try:
            await admin.create_topics([topic])
        finally:
            await admin.close()

    asyncio.run(create())


def send(address: str, topic: str, records: Iterable[Sending]) -> None:
    """Send records, in order within a partition; returns once all are confirmed."""

    async def send_all() -> None:
        producer = AIOKafkaProducer(bootstrap_servers=address, linger_ms=5)
        await producer.start()
        try:
            for batch in _batches(list(records)):
                await asyncio.gather(*[await _send(producer, topic, record) for record in batch])
        finally:
            await producer.stop()

    asyncio.run(send_all())


def _batches(records: Sequence[Sending]) -> Iterable[Sequence[Sending]]:
    return (records[start : start + _BATCH] for start in range(0, len(records), _BATCH))


async def _send(
    producer: AIOKafkaProducer, topic: str, record: Sending
) -> asyncio.Future[ConsumerRecord]:
    delivery: asyncio.Future[ConsumerRecord] = await producer.send(
        topic,
        record.value,
        key=record.key,
        partition=record.partition,
        timestamp_ms=record.timestamp_ms,
        headers=list(record.headers),
    )
    return delivery


def read(address: str, topic: str) -> list[ConsumerRecord]:
    """Every record that stands in a topic, by partition and offset; none if there is no topic."""

    async def read_all() -> list[ConsumerRecord]:
        partitions = await _partitions(address, topic)
        if not partitions:
            return []
        consumer = AIOKafkaConsumer(bootstrap_servers=address, auto_offset_reset="earliest")
        await consumer.start()
        try:
            found = [await _read_partition(consumer, at) for at in partitions]
            return [record for records in found for record in records]
        finally:
            await close_consumer(consumer)

    return asyncio.run(read_all())


async def _partitions(address: str, topic: str) -> list[TopicPartition]:
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        if topic not in await admin.list_topics():
            return []  # to describe it would create it
        (described,) = await admin.describe_topics([topic])
    finally:
        await admin.close()
    return sorted(TopicPartition(topic, p["partition"]) for p in described["partitions"])


async def _read_partition(consumer: AIOKafkaConsumer, at: TopicPartition) -> list[ConsumerRecord]:
    consumer.assign([at])
    consumer.seek(at, 0)
    found: list[ConsumerRecord] = []
    while True:
        found += (await consumer.getmany(at, timeout_ms=200)).get(at, [])
        # The embedded broker tells `end_offsets` too low; what a fetch says is right.
        end = consumer.highwater(at)
        if end is not None and await consumer.position(at) >= end:
            return found
