"""Publishing in batches, one wait for all of them, until the broker has confirmed every record."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

from aiokafka import TopicPartition
from aiokafka.errors import KafkaError

from live_scoring.adapters.kafka.batches import BatchLimit, Outgoing, batch_of
from live_scoring.adapters.kafka.connection import KafkaFatalError, may_pass, told
from live_scoring.adapters.kafka.partitions import partition_of
from live_scoring.adapters.kafka.producer import TOO_LARGE, WORN, Producer
from live_scoring.config import KafkaConfig

logger = logging.getLogger(__name__)

_BACKOFF_SECONDS = (0.1, 0.5, 1.0, 2.0, 5.0)


@dataclass(frozen=True, slots=True)
class Refused:
    """A record that the broker will never take."""

    record: Outgoing
    reason: str


class Publisher:
    """Publishes to any topic; a record counts only once the broker has confirmed it."""

    def __init__(self, kafka: KafkaConfig, on_failure: Callable[[str], None]) -> None:
        """Prepare; nothing connects before `start`.

        Args:
            kafka: How to connect.
            on_failure: Told the topic of each delivery that failed, retried or not.
        """
        self._kafka = kafka
        self._on_failure = on_failure
        self._producer = Producer(kafka)
        self._limits: defaultdict[str, BatchLimit] = defaultdict(BatchLimit)
        """By topic."""

    async def start(self) -> None:
        """Connect; waits for an absent broker."""
        await self._producer.start()

    async def stop(self) -> None:
        """Close the connection; everything published was confirmed before."""
        await self._producer.stop()

    async def partitions(self, topic: str) -> int:
        """How many partitions a topic has."""
        return await self._producer.partitions(topic)

    async def partition_of(self, topic: str, key: bytes) -> int:
        """The partition that the topic's records of this key go to."""
        return partition_of(key, await self.partitions(topic))

    async def publish(
        self,
        topic: str,
        records: Iterable[Outgoing],
        may_publish: Callable[[], bool] = lambda: True,
    ) -> list[Refused]:
        """Publish, and return once the broker has confirmed all but the refused ones.

        Waits for an absent broker. Within a partition the records keep their order unless a
        batch had to be sent again.

        Args:
            topic: Where to.
            records: What.
            may_publish: Asked before every attempt; once it says no, what is not yet confirmed
                is given up without a word.

        Raises:
            KafkaFatalError: The broker refused for a reason that waiting cannot mend.
        """
        by_partition: defaultdict[int, list[Outgoing]] = defaultdict(list)
        for record in records:
            by_partition[record.partition].append(record)
        refusals = _Refusals()
        if not by_partition:
            return refusals.refused
        await asyncio.gather(
            *(
                _Sending(
                    TopicPartition(topic, partition),
                    self._producer,
                    self._limits[topic],
                    refusals,
                    may_publish,
                    self._on_failure,
                ).send_all(queue)
                for partition, queue in by_partition.items()
            )
        )
        return refusals.refused


@dataclass(slots=True)
class _Refusals:
    """What the broker refused of one call."""

    refused: list[Refused] = field(default_factory=list)
    _smallest: float = inf
    _reason: str = ""

    def add(self, record: Outgoing, size: int, error: KafkaError) -> None:
        """Note a record that the broker refused, in a batch of its own of so many bytes."""
        if size < self._smallest:
            self._smallest, self._reason = size, type(error).__name__
        self.refused.append(Refused(record, self._reason))

    def foresees(self, record: Outgoing, size: int) -> bool:
        """Whether a record is refused as a smaller one was; a flood of them is not sent in vain."""
        if size < self._smallest:
            return False
        self.refused.append(Refused(record, self._reason))
        return True


@dataclass(frozen=True, slots=True)
class _Sending:
    """The way of one partition's records to the broker."""

    at: TopicPartition
    producer: Producer
    limit: BatchLimit
    refusals: _Refusals
    may_publish: Callable[[], bool]
    on_failure: Callable[[str], None]

    async def send_all(self, queue: Sequence[Outgoing]) -> None:
        sent = attempt = 0
        while sent < len(queue) and self.may_publish():
            try:
                sent += await self._send_some(queue, sent)
                attempt = 0
            except KafkaError as error:
                await self._wait(error, attempt)
                attempt += 1

    async def _send_some(self, queue: Sequence[Outgoing], sent: int) -> int:
        """Send a batch; how many records are done with, confirmed or refused.

        Raises:
            KafkaError: The batch may be sent again.
        """
        batch = batch_of(queue, sent, self.limit.most_bytes)
        taken, size = batch.record_count(), batch.size()
        if taken == 1 and self.refusals.foresees(queue[sent], size):
            await asyncio.sleep(0)  # the loop turns, however many there are
            return 1
        try:
            is_confirmed = await self.producer.deliver(batch, self.at, self._is_still_wanted)
        except TOO_LARGE as error:
            self.on_failure(self.at.topic)
            if taken > 1:
                self.limit.refused(size)
                return 0
            self.refusals.add(queue[sent], size, error)
            return 1
        self.limit.confirmed()
        return taken if is_confirmed else 0

    def _is_still_wanted(self) -> bool:
        self.on_failure(self.at.topic)
        logger.warning("not confirmed yet", extra={"topic": self.at.topic})
        return self.may_publish()

    async def _wait(self, error: KafkaError, attempt: int) -> None:
        topic = self.at.topic
        self.on_failure(topic)
        if not (may_pass(error) or isinstance(error, WORN)):
            raise KafkaFatalError(
                f"topic {topic}: cannot publish: {told(error, 'Write')}"
            ) from error
        facts = {"topic": topic, "error": type(error).__name__, "attempt": attempt + 1}
        logger.warning("publishing again", extra=facts)
        await asyncio.sleep(_BACKOFF_SECONDS[min(attempt, len(_BACKOFF_SECONDS) - 1)])
