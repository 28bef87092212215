"""A ceiling: confluent-kafka, which is librdkafka, reads the runs again and again, and no more."""

import time
from functools import partial

from confluent_kafka import Consumer, Producer, TopicPartition

from tests.benchmarks.task import Task
from tests.benchmarks.workload import HEARTBEAT_SECONDS, SESSION_SECONDS, mark


def main(task: Task) -> None:
    """Read all, and mark the beginning and the end."""
    consumer = Consumer(
        {
            "bootstrap.servers": task.address,
            "group.id": task.group,
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            "session.timeout.ms": SESSION_SECONDS * 1_000,
            "heartbeat.interval.ms": HEARTBEAT_SECONDS * 1_000,
        }
    )
    consumer.subscribe([task.runs], on_assign=partial(_begin, task))
    marks: list[bytes] = []
    read = 0
    while read < task.run_count * task.passes:
        polled = consumer.consume(1_000, timeout=0.2)
        marks = marks or ([mark()] if polled else [])
        read += len(polled)
        for partition in _ended(task, consumer):
            # One that was rewound stands at its end until it is read again.
            if any(message.partition() == partition for message in polled):
                consumer.seek(TopicPartition(task.runs, partition, 0))
    producer = Producer({"bootstrap.servers": task.address})
    for value in (*marks, mark()):
        producer.produce(task.scores, value)
    producer.flush()
    while True:
        time.sleep(60)


def _begin(task: Task, consumer: Consumer, partitions: list[TopicPartition]) -> None:
    begins = [TopicPartition(a.topic, a.partition, task.first_of(a.partition)) for a in partitions]
    consumer.assign(begins)


def _ended(task: Task, consumer: Consumer) -> set[int]:
    positions = consumer.position(consumer.assignment())
    return {at.partition for at in positions if at.offset == task.end_of(at.partition)}


if __name__ == "__main__":
    main(Task.from_argv())
