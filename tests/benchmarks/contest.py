"""Lets contenders score the same runs on one embedded broker, in turn, each as a process."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path

from aiokafka.admin import AIOKafkaAdminClient

from live_scoring.adapters.embedded_broker import leashed
from live_scoring.core.score import Source
from tests.benchmarks.counted import caught_up_at, watch_page
from tests.benchmarks.figures import Figures
from tests.benchmarks.outcome import first_and_last
from tests.benchmarks.task import Task
from tests.benchmarks.watch import Watch
from tests.benchmarks.workload import (
    AGENTS,
    PARTITIONS,
    made_runs,
    plan_of,
    scores_of,
    state_topics,
    write_config,
)
from tests.integration import topics
from tests.integration.lab import free_port

_MARKS = 2
"""What one that scores nothing writes: where it began and ended."""


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
    passes: int = 0
    """So often one that scores nothing reads them, and marks where it began and ended."""

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
    _scores: dict[Runs, int] = field(default_factory=dict)
    """How many scores a kind comes to."""

    def prepare(self, kinds: Iterable[Runs]) -> None:
        """Fill the topics."""
        for kind in kinds:
            self._scores[kind] = _count_scores(self.folder / f"count-{kind.topic}", kind)
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
        write_config(config, self.address, (runs.topic, live, name))
        topics.create_topic(self.address, scores, PARTITIONS)
        if contender.is_whole:
            self._begin_state(scores)
        task = Task(
            self.address, runs.topic, scores, name, str(config), runs.count, contender.passes
        )
        port = free_port()
        with _running(contender, task, port) as process, Watch(process.pid) as watch:
            look = _fault(process, config)
            first, last = asyncio.run(self._span(contender, task, port, look))
            count = runs.count * max(1, contender.passes)
            cpu_us = watch.cpu_seconds(first, last) / count * 1e6
            figures = Figures(count / (last - first), cpu_us, watch.peak_mb)
        asyncio.run(_drop(self.address, scores))
        return figures

    def _begin_state(self, scores: str) -> None:
        """Put something into what a whole worker reads at its start.

        The embedded broker answers for nothing only after seconds, in which no score is read back.
        """
        nothing = [topics.Sending(None, number, b"nothing") for number in range(PARTITIONS)]
        for topic in state_topics(scores):
            topics.create_topic(self.address, topic, PARTITIONS)
            topics.send(self.address, topic, nothing)

    async def _span(
        self, contender: Contender, task: Task, port: int, look: Callable[[], None]
    ) -> tuple[float, float]:
        """When it began and ended, in seconds since the epoch."""
        expected = _MARKS if contender.passes else self._scores[contender.runs]
        ending = first_and_last(self.address, task.scores, expected, look)
        if not contender.is_whole:
            return await ending
        watching = asyncio.create_task(watch_page(port, (task.runs, task.scores), expected, look))
        try:
            first, last = await ending
            return first, max(last, caught_up_at(await watching))
        finally:
            watching.cancel()


async def _drop(address: str, topic: str) -> None:
    """Free the broker's memory; what it must hold shall not grow from one contender to the next."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        await admin.delete_topics([topic])
    finally:
        await admin.close()


def _count_scores(config: Path, runs: Runs) -> int:
    write_config(config, "localhost:9092", ("runs", "scores", "count"))
    plan, source = plan_of(config), Source("", 0, 0, 0)
    short = replace(runs, kib=0)  # the filler changes no draw
    return sum(len(scores_of(value, source, plan)) for _, value in made_runs(*astuple(short)))


@contextmanager
def _running(contender: Contender, task: Task, port: int) -> Iterator[subprocess.Popen[bytes]]:
    ours: tuple[str, ...] = ("--config", task.config)
    if contender.is_replay:
        ours += ("--to-topic", task.scores)
    command = (*contender.command, *(ours if contender.is_ours else map(str, task)))
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
