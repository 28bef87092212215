"""Where a replay's scores go."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Protocol

from live_scoring.adapters.durable import GrowingFile
from live_scoring.adapters.kafka import (
    Outgoing,
    Publisher,
    TopicNeed,
    count_partitions,
    partition_of,
    prepare_topics,
    read_partitions,
    until_connected,
)
from live_scoring.config import KafkaConfig, WorkerConfig
from live_scoring.core.score import Failure, Score
from live_scoring.core.timeline import Timeline
from live_scoring.formats.score_json import agent_key, decode_score, encode_scores

_FOREVER = "-1"


ByRun = Sequence[Sequence[Score]]
"""Scores, each time those of one run that were made at one moment, at least one."""


class Sink(Protocol):
    """Takes scores."""

    async def write(self, scores: ByRun) -> int:
        """Return once the scores are certain; how many of them will never be taken."""


class TopicSink:
    """A topic, keyed and partitioned as the live scores are."""

    def __init__(self, kafka: KafkaConfig, publisher: Publisher, topic: str, number: int) -> None:
        """Take over a publisher that is connected; `open_topic_sink` makes one.

        Args:
            kafka: How to read back.
            publisher: Publishes.
            topic: Where to.
            number: How many partitions it has.
        """
        self._kafka = kafka
        self._publisher = publisher
        self._topic = topic
        self._number = number

    async def write(self, scores: ByRun) -> int:
        """Publish; returns once the broker has confirmed all that it takes."""
        return len(await self._publisher.publish(self._topic, self._outgoing(scores)))

    def _outgoing(self, scores: ByRun) -> Iterator[Outgoing]:
        for of_run in scores:
            key = agent_key(of_run[0].agent_id)
            partition = partition_of(key, self._number)
            for value in encode_scores(of_run):
                yield Outgoing(key, value, partition)

    async def restore(self, timeline: Timeline, name: str) -> None:
        """Add to a timeline what the replay of that name has published."""
        await until_connected(partial(self._restore, timeline, name), self._kafka)

    async def _restore(self, timeline: Timeline, name: str) -> None:
        async for records in read_partitions(self._kafka, self._topic, range(self._number)):
            for record in records:
                score = decode_score(record.value)
                if not isinstance(score, Failure) and score.replay == name:
                    timeline.add(score)


@asynccontextmanager
async def open_topic_sink(config: WorkerConfig, topic: str) -> AsyncIterator[TopicSink]:
    """A topic for scores, made where it is missing; waits for an absent broker.

    A topic that is made keeps its records until someone deletes it, and has as many partitions as
    the live scores topic.

    Raises:
        TopicError: The topic is compacted, which would keep one score of each agent.
    """
    topics, kafka = config.topics, config.kafka
    found = await until_connected(lambda: count_partitions(kafka, [topics.scores]), kafka)
    need = TopicNeed(
        topic,
        found.get(topics.scores, topics.partitions),
        {"cleanup.policy": "delete", "retention.ms": _FOREVER},
        policy="delete",
    )
    made = await prepare_topics(kafka, [need], topics.replication_factor, create=True)
    publisher = Publisher(kafka, on_failure=lambda _topic: None)
    try:
        await publisher.start()
        yield TopicSink(kafka, publisher, topic, made[topic])
    finally:
        await publisher.stop()


class FileSink:
    """A file of scores, one flat JSON object a line."""

    def __init__(self, file: GrowingFile, length: int = 0) -> None:
        """Append to a file that has a length in bytes."""
        self._file = file
        self.length = length
        """Bytes that are certain."""

    async def write(self, scores: ByRun) -> int:
        """Append; returns once all is on the disk."""
        if scores:
            lines = b"".join(v + b"\n" for of_run in scores for v in encode_scores(of_run))
            self.length = await asyncio.to_thread(self._append, lines)
        return 0

    def _append(self, lines: bytes) -> int:
        self._file.append(lines)
        return self._file.sync()


class TimelineSink:
    """Fills panes, which can be swept once all scores are in them."""

    def __init__(self, timeline: Timeline) -> None:
        """Fill a timeline."""
        self._timeline = timeline

    async def write(self, scores: ByRun) -> int:
        """Count the scores."""
        for score in chain.from_iterable(scores):
            self._timeline.add(score)
        return 0


def restore_from(path: Path, timeline: Timeline) -> None:
    """Add to a timeline what a file of scores holds."""
    with path.open("rb") as lines:
        for line in lines:
            score = decode_score(line)
            if not isinstance(score, Failure):
                timeline.add(score)
