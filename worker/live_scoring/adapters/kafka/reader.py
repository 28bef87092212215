"""Reading partitions back from their start to their end, outside any group."""

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition

from live_scoring.adapters.kafka.closing import close_consumer
from live_scoring.adapters.kafka.connection import client_options, fetch_options
from live_scoring.adapters.kafka.consumer import first_since
from live_scoring.config import KafkaConfig

_POLL_MS = 200
_RECORDS = 500


async def read_partitions(
    kafka: KafkaConfig,
    topic: str,
    partitions: Iterable[int],
    begin: Mapping[int, int] | None = None,
    since_ms: int | None = None,
) -> AsyncGenerator[Sequence[ConsumerRecord]]:
    """Yield every record that stands in the partitions now, some at a time, each in its order.

    The end is the high watermark of the last fetch, since the embedded broker tells
    `end_offsets` too low. `begin` names, by partition, offsets to begin at instead of the first;
    with `since_ms` records of an earlier time may be left out.
    """
    begin = begin or {}
    unread = {TopicPartition(topic, partition) for partition in partitions}
    consumer = AIOKafkaConsumer(**fetch_options(kafka))
    consumer.assign(sorted(unread))
    try:
        await consumer.start()
        since = {} if since_ms is None else await first_since(consumer, unread, since_ms)
        for at, offset in (await consumer.beginning_offsets(list(unread))).items():
            consumer.seek(at, max(offset, since.get(at, 0), begin.get(at.partition, 0)))
        while unread:
            polled = await consumer.getmany(*unread, timeout_ms=_POLL_MS, max_records=_RECORDS)
            for records in polled.values():
                yield records
            unread -= {at for at in unread if await _is_read(consumer, at)}
    finally:
        await close_consumer(consumer)


async def end_offsets(kafka: KafkaConfig, topic: str, partitions: int) -> Mapping[int, int]:
    """An offset of each partition at or before its end: all that is sent later stands after it."""
    wanted = [TopicPartition(topic, partition) for partition in range(partitions)]
    consumer = AIOKafkaConsumer(enable_auto_commit=False, **client_options(kafka))
    consumer.assign(wanted)
    try:
        await consumer.start()
        return {at.partition: end for at, end in (await consumer.end_offsets(wanted)).items()}
    finally:
        await close_consumer(consumer)


async def _is_read(consumer: AIOKafkaConsumer, at: TopicPartition) -> bool:
    end = consumer.highwater(at)
    return end is not None and await consumer.position(at) >= end
