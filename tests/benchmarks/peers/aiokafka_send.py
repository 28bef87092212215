"""A contender: an aiokafka loop as one writes it at first, a `send()` a score."""

import asyncio
import sys
from pathlib import Path

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from live_scoring.core.score import Source
from tests.benchmarks.workload import plan_of, scores_of


async def main(address: str, runs: str, scores: str, group: str, config: str) -> None:
    """Score for ever."""
    plan = plan_of(Path(config))
    consumer = AIOKafkaConsumer(
        runs,
        bootstrap_servers=address,
        group_id=group,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
    )
    producer = AIOKafkaProducer(bootstrap_servers=address, linger_ms=5)
    await consumer.start()
    await producer.start()
    while True:
        deliveries = []
        for records in (await consumer.getmany(timeout_ms=200, max_records=1_000)).values():
            for record in records:
                source = Source(record.topic, record.partition, record.offset, record.timestamp)
                deliveries += [
                    await producer.send(scores, value, key=record.key)
                    for value in scores_of(record.value, source, plan)
                ]
        if deliveries:
            await asyncio.gather(*deliveries)
            await consumer.commit()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
