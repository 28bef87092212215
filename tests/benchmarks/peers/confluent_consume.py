"""A ceiling: confluent-kafka, which is librdkafka, reads the runs and throws them away."""

import time

from confluent_kafka import Consumer, Producer

from tests.benchmarks.task import Task
from tests.benchmarks.workload import mark


def main(task: Task) -> None:
    """Read all, and mark the beginning and the end."""
    consumer = Consumer(
        {
            "bootstrap.servers": task.address,
            "group.id": task.group,
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
        }
    )
    consumer.subscribe([task.runs])
    marks: list[bytes] = []
    read = 0
    while read < int(task.run_count):
        polled = consumer.consume(1_000, timeout=0.2)
        marks = marks or ([mark()] if polled else [])
        read += len(polled)
    producer = Producer({"bootstrap.servers": task.address})
    for value in (*marks, mark()):
        producer.produce(task.scores, value)
    producer.flush()
    while True:
        time.sleep(60)


if __name__ == "__main__":
    main(Task.from_argv())
