"""Publishing in batches, one wait for all of them, until the broker has confirmed every record."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from aiokafka import AIOKafkaProducer
from aiokafka.errors import (
    KafkaError,
    MessageSizeTooLargeError,
    RecordListTooLargeError,
)

from live_scoring.adapters.kafka.connection import (
    KafkaFatalError,
    client_options,
    may_pass,
    told,
    until_connected,
)
from live_scoring.adapters.kafka.partitions import partition_of
from live_scoring.config import KafkaConfig

logger = logging.getLogger(__name__)

_BATCH_BYTES = 512 * 1024
"""Half of what a broker takes by default."""
_REQUEST_BYTES = 16 * 1024 * 1024
"""So that the broker's limit decides, not the client's."""
_BACKOFF_SECONDS = (0.1, 0.5, 1.0, 2.0, 5.0)
_TOO_LARGE = (MessageSizeTooLargeError, RecordListTooLargeError)


class Outgoing(NamedTuple):
    """A record to publish."""

    key: bytes | None
    value: bytes | None
    partition: int
    headers: Sequence[tuple[str, bytes | None]] = ()
    timestamp_ms: int | None = None
    """Milliseconds since the epoch; None is now."""


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
        self._producer: AIOKafkaProducer | None = None

    async def start(self) -> None:
        """Connect; waits for an absent broker."""
        await until_connected(self._connect, self._kafka)

    async def _connect(self) -> None:
        producer = AIOKafkaProducer(
            acks="all",
            enable_idempotence=False,  # decision 15; a repeat changes no figure
            max_batch_size=_BATCH_BYTES,
            max_request_size=_REQUEST_BYTES,
            **client_options(self._kafka),
        )
        try:
            await producer.start()
        except BaseException:
            await producer.stop()
            raise
        self._producer = producer

    @property
    def _started(self) -> AIOKafkaProducer:
        if self._producer is None:
            raise RuntimeError("the publisher was not started")
        return self._producer

    async def stop(self) -> None:
        """Close the connection; everything published was confirmed before."""
        if self._producer is not None:
            await self._producer.stop()

    async def partitions(self, topic: str) -> int:
        """How many partitions a topic has."""
        return len(await self._started.partitions_for(topic))

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
        refused: list[Refused] = []
        await asyncio.gather(
            *(
                _Sending(self, topic, partition, may_publish, refused).send_all(queue)
                for partition, queue in by_partition.items()
            )
        )
        return refused

    async def deliver(self, topic: str, partition: int, batch: Any) -> None:
        """Send one batch and wait for its confirmation; for `_Sending` alone."""
        delivery = await self._started.send_batch(batch, topic, partition=partition)
        await delivery

    def batch(self, queue: Sequence[Outgoing], limit: int) -> tuple[Any, int]:
        """A batch of the first records that fit, `limit` at most, and how many those are."""
        builder = self._started.create_batch()
        taken = 0
        for record in queue[:limit]:
            added = builder.append(
                key=record.key,
                value=record.value,
                timestamp=record.timestamp_ms,
                headers=list(record.headers),
            )
            if added is None:
                break
            taken += 1
        builder.close()
        return builder, taken

    def failed(self, topic: str) -> None:
        """Count a delivery that failed."""
        self._on_failure(topic)


@dataclass(slots=True)
class _Sending:
    """The way of one partition's records to the broker."""

    publisher: Publisher
    topic: str
    partition: int
    may_publish: Callable[[], bool]
    refused: list[Refused]

    async def send_all(self, queue: list[Outgoing]) -> None:
        sent, attempt, limit = 0, 0, len(queue)
        while sent < len(queue) and self.may_publish():
            batch, taken = self.publisher.batch(queue[sent : sent + limit], limit)
            try:
                await self.publisher.deliver(self.topic, self.partition, batch)
            except _TOO_LARGE as error:
                self.publisher.failed(self.topic)
                if taken > 1:
                    limit = taken // 2
                    continue
                self.refused.append(Refused(queue[sent], type(error).__name__))
            except KafkaError as error:
                await self._wait(error, attempt)
                attempt += 1
                continue
            sent, attempt, limit = sent + taken, 0, len(queue)

    async def _wait(self, error: KafkaError, attempt: int) -> None:
        self.publisher.failed(self.topic)
        if not may_pass(error):
            raise KafkaFatalError(
                f"topic {self.topic}: cannot publish: {told(error, 'Write')}"
            ) from error
        facts = {"topic": self.topic, "error": type(error).__name__, "attempt": attempt + 1}
        logger.warning("publishing again", extra=facts)
        await asyncio.sleep(_BACKOFF_SECONDS[min(attempt, len(_BACKOFF_SECONDS) - 1)])
