"""When a contender's first score was made and its last sent, found without reading beside it.

While it works the broker is only asked how far the topic reaches; a reader would take a processor
from both. Once all is there, the first and the last record of each partition are read.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from datetime import datetime

import orjson
from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition

from live_scoring.adapters.kafka.closing import close_consumer
from tests.benchmarks.workload import PARTITIONS

SECONDS = 300.0
"""So long a contender may take."""
_POLL_SECONDS = 0.25
_ANSWER_MS = 50

Offsets = Mapping[TopicPartition, int]


async def first_and_last(
    address: str, topic: str, expected: int, look: Callable[[], None]
) -> tuple[float, float]:
    """When the first score was made and the last was sent, in seconds since the epoch.

    Args:
        address: The broker's.
        topic: Where the scores go.
        expected: How many there will be.
        look: Raises once the contender has failed.

    Raises:
        TimeoutError: There are too few after `SECONDS`.
    """
    consumer = AIOKafkaConsumer(
        bootstrap_servers=address, auto_offset_reset="earliest", fetch_max_wait_ms=_ANSWER_MS
    )
    await consumer.start()
    try:
        ends = await _filled(consumer, topic, expected, look)
        firsts = await _records_at(consumer, {at: 0 for at, end in ends.items() if end})
        lasts = await _records_at(consumer, {at: end - 1 for at, end in ends.items() if end})
    finally:
        await close_consumer(consumer)
    made = [_scored_at(record) for record in (*firsts, *lasts)]
    # Quix Streams sends a score with its run's time, so the time of its scoring must do.
    return min(made), max(*made, *(record.timestamp / 1000 for record in lasts))


async def _filled(
    consumer: AIOKafkaConsumer, topic: str, expected: int, look: Callable[[], None]
) -> Offsets:
    """Where the partitions end, once all is there."""
    partitions = [TopicPartition(topic, number) for number in range(PARTITIONS)]
    deadline = time.monotonic() + SECONDS
    before: dict[TopicPartition, int] = {}
    while True:
        look()
        told: dict[TopicPartition, int] = await consumer.end_offsets(partitions)
        if told == before:  # it rests; while it grows nothing is fetched
            ends = await _ends(consumer, told)
            if sum(ends.values()) >= expected:
                return ends
            if time.monotonic() > deadline:
                count = sum(ends.values())
                raise TimeoutError(f"{topic}: {count} of {expected} scores in {SECONDS:.0f} s")
        before = told
        await asyncio.sleep(_POLL_SECONDS)


async def _ends(consumer: AIOKafkaConsumer, told: Offsets) -> Offsets:
    """Where partitions end; the embedded broker tells it too low unless a fetch asks."""
    _seek(consumer, told)
    while any(consumer.highwater(at) is None for at in told):
        await consumer.getmany(timeout_ms=_ANSWER_MS)
    ends = {at: int(consumer.highwater(at)) for at in told}
    consumer.unsubscribe()
    return ends


async def _records_at(consumer: AIOKafkaConsumer, offsets: Offsets) -> list[ConsumerRecord]:
    _seek(consumer, offsets)
    found: dict[TopicPartition, ConsumerRecord] = {}
    while len(found) < len(offsets):
        for at, records in (await consumer.getmany(timeout_ms=_ANSWER_MS)).items():
            found.setdefault(at, records[0])
    consumer.unsubscribe()
    return list(found.values())


def _seek(consumer: AIOKafkaConsumer, offsets: Offsets) -> None:
    consumer.assign(list(offsets))
    for at, offset in offsets.items():
        consumer.seek(at, offset)


def _scored_at(record: ConsumerRecord) -> float:
    return datetime.fromisoformat(orjson.loads(record.value)["scored_at"]).timestamp()
