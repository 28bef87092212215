"""Lets contenders score the same runs on one embedded broker, in turn, each as a process."""

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from pathlib import Path

import httpx
import orjson
from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition

from live_scoring.adapters.embedded_broker import leashed
from live_scoring.core.score import Source
from tests.benchmarks.figures import Figures
from tests.benchmarks.task import Task
from tests.benchmarks.watch import Watch
from tests.benchmarks.workload import (
    AGENTS,
    PARTITIONS,
    SCORERS,
    made_runs,
    plan_of,
    scores_of,
    write_config,
)
from tests.integration import topics
from tests.integration.lab import free_port
from tests.integration.waiting import wait_until
from tests.integration.workers import Figures as Page

_SECONDS = 300.0
_SETTLED_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs that a topic of their own holds."""

    count: int
    kib: float
    agents: int = AGENTS

    @property
    def topic(self) -> str:
        """Its name."""
        return f"runs-{self.count}-{self.kib}-{self.agents}"


@dataclass(frozen=True, slots=True)
class Contender:
    """Something that scores a topic of runs into a topic of scores."""

    name: str
    command: tuple[str, ...]
    """A module and its arguments; a peer is given a `Task` behind them, a command of the worker's
    its configuration."""
    runs: Runs
    """What it is given: few to the slow."""
    python: str = sys.executable
    """What runs it."""
    scorers: int = SCORERS
    marks: bool = False
    """It scores nothing, and marks where it began and ended."""

    @property
    def is_ours(self) -> bool:
        """Whether it is a command of the worker's."""
        return self.command[0] == "live_scoring"

    @property
    def is_whole(self) -> bool:
        """Whether it is the worker with both halves, which reads its scores back."""
        return self.command == ("live_scoring", "run")

    @property
    def is_replay(self) -> bool:
        """Whether that command is a replay, which writes beside the live scores."""
        return self.command[:2] == ("live_scoring", "replay")


@dataclass(frozen=True, slots=True)
class Contest:
    """A broker with a topic for each kind of runs."""

    address: str
    folder: Path

    def prepare(self, kinds: set[Runs]) -> None:
        """Fill the topics."""
        for kind in kinds:
            topics.create_topic(self.address, kind.topic, PARTITIONS)
            records = (
                topics.Sending(value, number % PARTITIONS, key)
                for number, (key, value) in enumerate(made_runs(*astuple(kind)))
            )
            topics.send(self.address, kind.topic, records)

    def measure(self, contender: Contender, number: int) -> Figures:
        """From its first scoring until its last score is sent and, by a whole worker, counted."""
        name = re.sub(r"[^A-Za-z0-9]+", "-", f"{contender.name} {number}")  # a topic's letters
        scores, config, runs = f"scores-{name}", self.folder / name, contender.runs
        live = f"{scores}-live" if contender.is_replay else scores
        write_config(config, self.address, (runs.topic, live, name), contender.scorers)
        topics.create_topic(self.address, scores, PARTITIONS)
        expected = 2 if contender.marks else _count_scores(config, runs)
        task = Task(self.address, runs.topic, scores, name, str(config), str(runs.count))
        port = free_port()
        with _running(contender, task, port) as process, Watch(process.pid) as watch:
            outcome = _first_and_last(self.address, scores, expected, _fault(process, config))
            first, last = asyncio.run(outcome)
            if contender.is_whole:
                wait_until("all scores are counted", lambda: _counted(port) == expected, _SECONDS)
                last = max(last, time.time())
            cpu_us = watch.cpu_seconds(first, last) / runs.count * 1e6
            return Figures(runs.count / (last - first), cpu_us, watch.peak_mb)


def _counted(port: int) -> float:
    page = Page(httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=_SECONDS).text)
    return page.total("window_samples")


def _count_scores(config: Path, runs: Runs) -> int:
    plan, source = plan_of(config), Source("", 0, 0, 0)
    short = replace(runs, kib=0)  # the filler changes no draw
    return sum(len(scores_of(value, source, plan)) for _, value in made_runs(*astuple(short)))


@contextmanager
def _running(contender: Contender, task: Task, port: int) -> Iterator[subprocess.Popen[bytes]]:
    ours: tuple[str, ...] = ("--config", task.config)
    if contender.is_replay:
        ours += ("--to-topic", task.scores)
    command = (*contender.command, *(ours if contender.is_ours else task))
    whole = leashed(contender.python, "-m", *command)
    with (task.folder / "log").open("wb") as output:
        environment = os.environ | {"LIVE_SCORING_WEB__PORT": str(port)}
        process = subprocess.Popen(  # noqa: S603
            whole, stdout=output, stderr=subprocess.STDOUT, env=environment
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _fault(process: subprocess.Popen[bytes], config: Path) -> Callable[[], None]:
    """What raises once the contender has failed."""

    def look() -> None:
        if process.poll():
            raise RuntimeError((config / "log").read_text()[-2_000:])

    return look


async def _first_and_last(
    address: str, topic: str, expected: int, look: Callable[[], None]
) -> tuple[float, float]:
    """When the first score was made and the last was sent, once all are there.

    Seconds since the epoch. Nothing is read before the topic has stopped growing: a reader beside
    them would take a processor from the contender and the broker.
    """
    consumer = AIOKafkaConsumer(bootstrap_servers=address, auto_offset_reset="earliest")
    await consumer.start()
    partitions = [TopicPartition(topic, number) for number in range(PARTITIONS)]
    firsts: dict[TopicPartition, ConsumerRecord] = {}
    lasts: dict[TopicPartition, ConsumerRecord] = {}
    found, deadline = 0, time.monotonic() + _SECONDS
    try:
        await _until_settled(consumer, partitions, deadline, look)
        consumer.assign(partitions)
        while found < expected:
            look()
            if time.monotonic() > deadline:
                raise TimeoutError(f"{topic}: {found} of {expected} scores in {_SECONDS} s")
            for at, records in (await consumer.getmany(timeout_ms=200)).items():
                firsts.setdefault(at, records[0])
                lasts[at] = records[-1]
                found += len(records)
    finally:
        await consumer.stop()
    made = [_scored_at(record) for record in (*firsts.values(), *lasts.values())]
    # Quix Streams sends a score with its run's time, so the time of its scoring must do.
    return min(made), max(*made, *(record.timestamp / 1000 for record in lasts.values()))


def _scored_at(record: ConsumerRecord) -> float:
    return datetime.fromisoformat(orjson.loads(record.value)["scored_at"]).timestamp()


async def _until_settled(
    consumer: AIOKafkaConsumer,
    partitions: list[TopicPartition],
    deadline: float,
    look: Callable[[], None],
) -> None:
    """Wait until the topic holds something and has not grown for a while."""
    before: dict[TopicPartition, int] = {}
    ends = await consumer.end_offsets(partitions)
    while time.monotonic() < deadline and (ends != before or not any(ends.values())):
        look()
        await asyncio.sleep(_SETTLED_SECONDS)
        before, ends = ends, await consumer.end_offsets(partitions)
