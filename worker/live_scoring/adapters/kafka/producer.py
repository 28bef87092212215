"""Sends batches, each into its partition once: idempotent where the broker can, decision 16."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from aiokafka import AIOKafkaProducer, TopicPartition
from aiokafka.errors import (
    InvalidProducerEpoch,
    InvalidProducerIdMapping,
    KafkaError,
    KafkaTimeoutError,
    MessageSizeTooLargeError,
    OutOfOrderSequenceNumber,
    ProducerFenced,
    RecordListTooLargeError,
    UnknownProducerId,
)

from live_scoring.adapters.kafka.batches import Batch
from live_scoring.adapters.kafka.connection import client_options, may_pass, until_connected
from live_scoring.config import KafkaConfig

logger = logging.getLogger(__name__)
_log = logging.getLogger("aiokafka.producer.sender")

TOO_LARGE = (MessageSizeTooLargeError, RecordListTooLargeError)
"""How a broker refuses a batch for its size."""
WORN = (
    OutOfOrderSequenceNumber,
    UnknownProducerId,
    ProducerFenced,
    InvalidProducerEpoch,
    InvalidProducerIdMapping,
)
"""How a broker says that a producer's numbers do not fit; another producer begins anew."""
_REQUEST_BYTES = 16 * 1024 * 1024
"""So that the broker's limit decides, not the client's."""
_PATIENCE_SECONDS = 10.0
"""How often to ask whether a batch is still wanted while the broker does not answer."""
_RENEWAL_SECONDS = 10.0
_MOST_NUMBERS = 2**30
"""aiokafka numbers wrongly from 2**31 records of a partition on."""


@dataclass(slots=True, eq=False)
class _Producer:
    """A connected producer, from its first number to its last."""

    aiokafka: AIOKafkaProducer
    numbered: int = 0
    """Records, over all partitions."""
    users: int = 0
    """Batches that wait for their confirmation."""
    is_worn: bool = False

    def give_back(self, at: TopicPartition, records: int) -> None:
        """Let the next batch of a partition have the numbers of one that the broker did not take.

        As Kafka's own client does; aiokafka 0.14 does not, and each later batch would be refused.
        """
        numbers = self.aiokafka._txn_manager  # noqa: SLF001 -- has no call for it
        if numbers is not None:
            numbers.increment_sequence_number(at, -records)


class Producer:
    """Sends batches to any topic until the broker has confirmed or refused them.

    Where the broker has the idempotent producer, a batch that is sent again because the answer was
    lost stands in its partition once all the same.
    """

    def __init__(self, kafka: KafkaConfig) -> None:
        """Prepare; nothing connects before `start`."""
        self._kafka = kafka
        self._is_idempotent = True
        self._current: _Producer | None = None
        self._renewing = asyncio.Lock()
        self._sending: defaultdict[TopicPartition, asyncio.Lock] = defaultdict(asyncio.Lock)
        """A partition's batches go one at a time, so that numbers are given back in order."""
        self._ending = set[asyncio.Task[None]]()

    async def start(self) -> None:
        """Connect; waits for an absent broker.

        Raises:
            KafkaFatalError: The broker answered with an error that waiting cannot mend.
        """
        self._current = await until_connected(self._connected, self._kafka)

    async def stop(self) -> None:
        """Close the connections; everything that is still wanted was confirmed before."""
        if self._current is not None:
            self._end(self._current)
        await asyncio.gather(*self._ending)

    async def partitions(self, topic: str) -> int:
        """How many partitions a topic has.

        Raises:
            KafkaError: The broker is away, or has no such topic.
        """
        return len(await self._started.aiokafka.partitions_for(topic))

    async def deliver(
        self, batch: Batch, at: TopicPartition, is_wanted: Callable[[], bool]
    ) -> bool:
        """Send a batch and wait for its confirmation, however long the broker is away.

        Args:
            batch: What to send, in vain if it was sent before.
            at: Where to.
            is_wanted: Asked every 10 seconds without an answer; once it says no, the batch is sent
                no more.

        Returns:
            Whether it was confirmed; else it was given up, and may stand there or not.

        Raises:
            KafkaError: The batch was not confirmed, and may be sent again as another one.
        """
        async with self._sending[at]:
            producer = await self._fresh()
            with self._in_use(producer):
                return await self._deliver(producer, batch, at, is_wanted)

    async def _deliver(
        self, producer: _Producer, batch: Batch, at: TopicPartition, is_wanted: Callable[[], bool]
    ) -> bool:
        records = batch.record_count()
        delivery = await producer.aiokafka.send_batch(batch, at.topic, partition=at.partition)
        producer.numbered += records
        is_settled = False
        try:
            is_settled = await _confirmed(delivery, is_wanted)
        except TOO_LARGE:
            producer.give_back(at, records)
            is_settled = True
            raise
        finally:
            if not is_settled:  # whether the broker has counted its numbers, nobody knows
                batch.withdraw()
                delivery.cancel()
                producer.is_worn = self._is_idempotent
        return is_settled

    async def _connected(self) -> _Producer:
        if self._is_idempotent:
            try:
                return await self._opened()
            except KafkaError as error:
                if may_pass(error):
                    raise
                self._is_idempotent = False
                facts = {"error": type(error).__name__}
                logger.info("the broker has no idempotent producer for us", extra=facts)
        return await self._opened()

    async def _opened(self) -> _Producer:
        producer = AIOKafkaProducer(
            acks="all",
            enable_idempotence=self._is_idempotent,
            max_request_size=_REQUEST_BYTES,
            **client_options(self._kafka),
        )
        level = _log.level
        _log.setLevel(logging.CRITICAL)  # what it warns of, we tell in one line
        try:
            await producer.start()
        except BaseException:
            await producer.stop()
            raise
        finally:
            _log.setLevel(level)
        return _Producer(producer)

    @property
    def _started(self) -> _Producer:
        if self._current is None:
            raise RuntimeError("the producer was not started")
        return self._current

    async def _fresh(self) -> _Producer:
        """The current producer, or another one where its numbers are worn."""
        async with self._renewing:
            producer = self._started
            if producer.is_worn or producer.numbered > _MOST_NUMBERS:
                try:
                    async with asyncio.timeout(_RENEWAL_SECONDS):
                        self._current = await self._connected()
                except TimeoutError as error:
                    raise KafkaTimeoutError from error
                if not producer.users:
                    self._end(producer)
            return self._started

    @contextmanager
    def _in_use(self, producer: _Producer) -> Iterator[None]:
        """Keep a producer that has been replaced until what it has in flight has ended."""
        producer.users += 1
        try:
            yield
        finally:
            producer.users -= 1
            if producer is not self._current and not producer.users:
                self._end(producer)

    def _end(self, producer: _Producer) -> None:
        ending = asyncio.create_task(producer.aiokafka.stop())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)


async def _confirmed(delivery: asyncio.Future[Any], is_wanted: Callable[[], bool]) -> bool:
    """Whether the broker confirmed a batch before it was wanted no more."""
    while True:
        done, _ = await asyncio.wait({delivery}, timeout=_PATIENCE_SECONDS)
        if done:
            delivery.result()
            return True
        if not is_wanted():
            return False
