"""Lets contenders score the same runs on one embedded broker, in turn, each as a process."""

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import orjson
from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition

from live_scoring.adapters.embedded_broker import leashed
from live_scoring.core.score import Source
from tests.benchmarks.workload import PARTITIONS, made_runs, plan_of, scores_of, write_config
from tests.integration import topics

_SECONDS = 180.0
_SETTLED_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Contender:
    """Something that scores a topic of runs into a topic of scores."""

    name: str
    module: str | None
    """Run with address, topics, group and configuration; None is the worker itself."""
    runs: int
    """How many it is given: few to the slow."""
    python: str = sys.executable
    """What runs it."""


@dataclass(frozen=True, slots=True)
class Contest:
    """A broker with a topic of runs for each count."""

    address: str
    folder: Path

    def prepare(self, counts: set[int]) -> None:
        """Fill a topic with each count of runs."""
        for count in counts:
            topics.create_topic(self.address, f"runs-{count}", PARTITIONS)
            records = (
                topics.Sending(value, number % PARTITIONS, key)
                for number, (key, value) in enumerate(made_runs(count))
            )
            topics.send(self.address, f"runs-{count}", records)

    def measure(self, contender: Contender, number: int) -> float:
        """Runs a second from its first scoring to the sending of its last score."""
        name = re.sub(r"[^A-Za-z0-9]+", "-", f"{contender.name} {number}")  # a topic's letters
        runs, scores, config = f"runs-{contender.runs}", f"scores-{name}", self.folder / name
        write_config(config, self.address, runs, scores, name)
        topics.create_topic(self.address, scores, PARTITIONS)
        expected = _count_scores(config, contender.runs)
        if contender.module is None:
            command = ["live_scoring", "run", "--only", "scoring", "--config", str(config)]
        else:
            command = [contender.module, self.address, runs, scores, name, str(config)]
        with _running([contender.python, "-m", *command], config / "log"):
            first, last = asyncio.run(_first_and_last(self.address, scores, expected))
        return contender.runs / (last - first).total_seconds()


def _count_scores(config: Path, runs: int) -> int:
    plan, source = plan_of(config), Source("", 0, 0, 0)
    return sum(len(scores_of(value, source, plan)) for _, value in made_runs(runs))


@contextmanager
def _running(command: list[str], log: Path) -> Iterator[None]:
    with log.open("wb") as output:
        whole = leashed(*command)
        process = subprocess.Popen(whole, stdout=output, stderr=subprocess.STDOUT)  # noqa: S603
    try:
        yield
    finally:
        process.kill()
        process.wait()


async def _first_and_last(address: str, topic: str, expected: int) -> tuple[datetime, datetime]:
    """When the first score was made and the last was sent, once all are there.

    Nothing is read before the topic has stopped growing: a reader beside them would take a
    processor from the contender and the broker.
    """
    consumer = AIOKafkaConsumer(bootstrap_servers=address, auto_offset_reset="earliest")
    await consumer.start()
    partitions = [TopicPartition(topic, number) for number in range(PARTITIONS)]
    found: list[ConsumerRecord] = []
    deadline = time.monotonic() + _SECONDS
    try:
        await _until_settled(consumer, partitions, deadline)
        consumer.assign(partitions)
        while len(found) < expected:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{topic}: {len(found)} of {expected} scores in {_SECONDS} s")
            for records in (await consumer.getmany(timeout_ms=200)).values():
                found += records
    finally:
        await consumer.stop()
    made = [datetime.fromisoformat(orjson.loads(record.value)["scored_at"]) for record in found]
    sent = [datetime.fromtimestamp(record.timestamp / 1000, UTC) for record in found]
    return min(made), max(*made, *sent)  # Quix Streams sends a score with its run's time


async def _until_settled(
    consumer: AIOKafkaConsumer, partitions: list[TopicPartition], deadline: float
) -> None:
    """Wait until the topic holds something and has not grown for a while."""
    before: dict[TopicPartition, int] = {}
    ends = await consumer.end_offsets(partitions)
    while time.monotonic() < deadline and (ends != before or not any(ends.values())):
        await asyncio.sleep(_SETTLED_SECONDS)
        before, ends = ends, await consumer.end_offsets(partitions)
