"""A ceiling: aiokafka reads the runs and throws them away."""

import asyncio

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from tests.benchmarks.task import Task
from tests.benchmarks.workload import mark


async def main(task: Task) -> None:
    """Read all, and mark the beginning and the end."""
    consumer = AIOKafkaConsumer(
        task.runs,
        bootstrap_servers=task.address,
        group_id=task.group,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
    )
    producer = AIOKafkaProducer(bootstrap_servers=task.address)
    await consumer.start()
    await producer.start()
    marks: list[bytes] = []
    read = 0
    while read < int(task.run_count):
        polled = await consumer.getmany(timeout_ms=200, max_records=1_000)
        marks = marks or ([mark()] if polled else [])
        read += sum(map(len, polled.values()))
    for value in (*marks, mark()):
        await producer.send_and_wait(task.scores, value)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Task.from_argv()))
