"""A ceiling: aiokafka reads the runs, again and again, and throws them away."""

import asyncio

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from tests.benchmarks.task import Task
from tests.benchmarks.workload import HEARTBEAT_SECONDS, SESSION_SECONDS, mark


async def main(task: Task) -> None:
    """Read all, and mark the beginning and the end."""
    consumer = AIOKafkaConsumer(
        task.runs,
        bootstrap_servers=task.address,
        group_id=task.group,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        session_timeout_ms=SESSION_SECONDS * 1_000,
        heartbeat_interval_ms=HEARTBEAT_SECONDS * 1_000,
    )
    producer = AIOKafkaProducer(bootstrap_servers=task.address)
    await consumer.start()
    await producer.start()
    marks: list[bytes] = []
    read = 0
    for at in consumer.assignment():
        consumer.seek(at, task.first_of(at.partition))
    while read < task.run_count * task.passes:
        polled = await consumer.getmany(timeout_ms=200, max_records=1_000)
        marks = marks or ([mark()] if polled else [])
        for at, records in polled.items():
            read += len(records)
            if records[-1].offset + 1 == task.end_of(at.partition):
                consumer.seek(at, 0)
    for value in (*marks, mark()):
        await producer.send_and_wait(task.scores, value)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Task.from_argv()))
