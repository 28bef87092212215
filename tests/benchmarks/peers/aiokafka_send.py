"""A contender: an aiokafka loop as one writes it at first, a `send()` a score."""

import asyncio

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from live_scoring.core.score import Source
from tests.benchmarks.task import Task
from tests.benchmarks.workload import HEARTBEAT_SECONDS, SESSION_SECONDS, plan_of, scores_of


async def main(task: Task) -> None:
    """Score for ever."""
    plan = plan_of(task.folder)
    consumer = AIOKafkaConsumer(
        task.runs,
        bootstrap_servers=task.address,
        group_id=task.group,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        session_timeout_ms=SESSION_SECONDS * 1_000,
        heartbeat_interval_ms=HEARTBEAT_SECONDS * 1_000,
    )
    producer = AIOKafkaProducer(bootstrap_servers=task.address, linger_ms=5)
    await consumer.start()
    await producer.start()
    while True:
        deliveries = []
        for records in (await consumer.getmany(timeout_ms=200, max_records=1_000)).values():
            for record in records:
                source = Source(record.topic, record.partition, record.offset, record.timestamp)
                deliveries += [
                    await producer.send(task.scores, value, key=record.key)
                    for value in scores_of(record.value, source, plan)
                ]
        if deliveries:
            await asyncio.gather(*deliveries)
            await consumer.commit()


if __name__ == "__main__":
    asyncio.run(main(Task.from_argv()))
