"""A member of a consumer group whose partitions change hands only between two turns."""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Protocol

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition
from aiokafka.abc import ConsumerRebalanceListener
from aiokafka.errors import KafkaError, TopicAuthorizationFailedError

from live_scoring.adapters.kafka.closing import close_consumer
from live_scoring.adapters.kafka.connection import (
    RETRY_SECONDS,
    KafkaFatalError,
    fetch_options,
    may_pass,
    request_seconds,
    told,
    until_connected,
)
from live_scoring.config import KafkaConfig

logger = logging.getLogger(__name__)

POLL_MS = 200
"""How long a poll waits for records; a rebalance waits as long for the turn to end."""
_METADATA_MS = 10_000
"""A broker that has just started may name no topics; a member then owns nothing until it asks."""
_ANSWER_SECONDS = 1.0
"""For a question that can be asked again in the next turn."""


class Handover(Protocol):
    """What a loop does when partitions come and go. No turn runs meanwhile."""

    async def on_assigned(self, partitions: frozenset[TopicPartition]) -> None:
        """Take partitions on: `seek` each of them, so that where it starts is certain.

        Called again if the broker goes away meanwhile.
        """

    async def on_revoked(self, partitions: frozenset[TopicPartition]) -> None:
        """Let partitions go."""


class GroupConsumer:
    """Consumes topics in a group, one turn at a time.

    aiokafka rebalances eagerly: every join revokes everything. A rebalance waits for the turn
    under way and no turn begins before the new partitions are positioned, so a loop never
    holds records of a partition that it has lost.
    """

    def __init__(
        self, kafka: KafkaConfig, group_id: str, topics: Iterable[str], handover: Handover
    ) -> None:
        """Prepare; nothing connects before `start`."""
        self._kafka = kafka
        self._group_id = group_id
        self._topics = tuple(topics)
        self._listener = _Listener(kafka, handover)
        self._consumer: AIOKafkaConsumer | None = None

    async def start(self) -> None:
        """Join the group; returns once partitions are assigned, waits for an absent broker."""
        await until_connected(self._connect, self._kafka)

    async def _connect(self) -> None:
        consumer = AIOKafkaConsumer(
            group_id=self._group_id,
            request_timeout_ms=int(request_seconds(self._kafka) * 1000),
            session_timeout_ms=int(self._kafka.session_timeout_seconds * 1000),
            heartbeat_interval_ms=int(self._kafka.heartbeat_interval_seconds * 1000),
            metadata_max_age_ms=_METADATA_MS,
            **fetch_options(self._kafka),
        )
        self._consumer = consumer
        consumer.subscribe(self._topics, listener=self._listener)
        try:
            await consumer.start()
        except BaseException:
            await close_consumer(consumer)
            raise

    @property
    def _joined(self) -> AIOKafkaConsumer:
        if self._consumer is None:
            raise RuntimeError("the consumer was not started")
        return self._consumer

    async def stop(self) -> None:
        """Leave the group."""
        if self._consumer is not None:
            await close_consumer(self._consumer)

    @asynccontextmanager
    async def turn(
        self, max_records: int
    ) -> AsyncIterator[Mapping[TopicPartition, list[ConsumerRecord]]]:
        """Poll, and keep the partitions until the block ends.

        Args:
            max_records: At most so many; 0 polls for none, yet as long and as a living member.

        Raises:
            KafkaFatalError: Records cannot be had and waiting will not help.
        """
        async with self._listener.turn:
            if error := self._listener.error:
                raise KafkaFatalError(
                    f"group {self._group_id}: partitions cannot change hands: {error}"
                ) from error
            self._check_rights()
            yield await self._poll(max_records)

    def _check_rights(self) -> None:
        """Tell a topic that may not be read any more.

        Who hears so from the metadata, and not from a fetch, is assigned nothing and waits in
        silence: aiokafka tells nobody.
        """
        denied = self._joined._client.cluster.unauthorized_topics  # noqa: SLF001 -- see above
        if lost := sorted(denied.intersection(self._topics)):
            error = TopicAuthorizationFailedError(", ".join(lost))
            raise KafkaFatalError(f"group {self._group_id}: cannot read: {told(error)}")

    async def _poll(self, max_records: int) -> Mapping[TopicPartition, list[ConsumerRecord]]:
        try:
            # A poll under way when a rebalance begins waits for its end, and that for this turn.
            async with asyncio.timeout(2 * POLL_MS / 1000):
                if not max_records:
                    return await self._poll_paused()
                return dict(await self._joined.getmany(timeout_ms=POLL_MS, max_records=max_records))
        except TimeoutError:
            return {}
        except KafkaError as error:
            if not may_pass(error):
                raise KafkaFatalError(
                    f"group {self._group_id}: cannot read: {told(error)}"
                ) from error
            await asyncio.sleep(RETRY_SECONDS)
            return {}

    async def _poll_paused(self) -> Mapping[TopicPartition, list[ConsumerRecord]]:
        """Poll for nothing: a member that does not poll for minutes loses its partitions."""
        consumer = self._joined
        consumer.pause(*consumer.assignment())
        try:
            return dict(await consumer.getmany(timeout_ms=POLL_MS))
        finally:
            consumer.resume(*consumer.assignment())

    async def commit(self, offsets: Mapping[TopicPartition, int]) -> bool:
        """Commit the offsets of the next records; False if the group did not take them.

        A refused commit loses nothing: whoever has the partition now reads the records again.
        """
        timeout = self._kafka.session_timeout_seconds
        try:
            await asyncio.wait_for(self._joined.commit(dict(offsets)), timeout)
        except (KafkaError, TimeoutError) as error:
            facts = {"group": self._group_id, "error": type(error).__name__}
            logger.warning("commit not taken", extra=facts)
            return False
        return True

    def assignment(self) -> frozenset[TopicPartition]:
        """The partitions that are this member's."""
        return frozenset(self._joined.assignment()) if self._consumer else frozenset()

    async def position(self, partition: TopicPartition) -> int:
        """Offset of the next record to be polled."""
        return int(await self._joined.position(partition))

    async def committed(self, partition: TopicPartition) -> int | None:
        """The offset that the group committed, None if it never did."""
        offset: int | None = await self._joined.committed(partition)
        return offset

    def seek(self, partition: TopicPartition, offset: int) -> None:
        """Poll on from an offset."""
        self._joined.seek(partition, offset)

    def highwater(self, partition: TopicPartition) -> int | None:
        """The end of the partition as the last fetch saw it; None before the first."""
        offset: int | None = self._joined.highwater(partition)
        return offset

    async def beginning(self, partition: TopicPartition) -> int:
        """Offset of the first record that is still there."""
        return (await self.beginnings([partition]))[partition]

    async def beginnings(
        self, partitions: Collection[TopicPartition]
    ) -> Mapping[TopicPartition, int]:
        """Offset of the first record that is still there, by partition."""
        offsets: Mapping[TopicPartition, int]
        offsets = await self._joined.beginning_offsets(list(partitions))
        return offsets

    async def end(self, partition: TopicPartition) -> int:
        """Offset after the last record; the embedded broker tells it too low."""
        return int((await self._joined.end_offsets([partition]))[partition])

    async def at_end(self, partitions: Collection[TopicPartition]) -> Collection[TopicPartition]:
        """Those of the partitions of which every record was polled; none without an answer."""
        return await read_to_end(self._joined, partitions)

    async def offset_at(self, partition: TopicPartition, timestamp_ms: int) -> int:
        """Offset of the first record of that time or later, or else of the next to come."""
        return (await self.offsets_at([partition], timestamp_ms))[partition]

    async def offsets_at(
        self, partitions: Collection[TopicPartition], timestamp_ms: int
    ) -> Mapping[TopicPartition, int]:
        """The same of several, for which the broker is not asked one by one."""
        return await first_since(self._joined, partitions, timestamp_ms)


async def first_since(
    consumer: AIOKafkaConsumer, partitions: Collection[TopicPartition], timestamp_ms: int
) -> Mapping[TopicPartition, int]:
    """By partition the offset of the first record of that time or later, or of the next to come.

    The end is asked for first: asked for last, it would lie behind what came between the two
    questions. A time before 1970, which a long way back or a wrong clock makes, is 1970.
    """
    since_ms = max(0, timestamp_ms)
    ends = await consumer.end_offsets(list(partitions))
    found = await consumer.offsets_for_times(dict.fromkeys(partitions, since_ms))
    return {at: ends[at] if (first := found[at]) is None else first.offset for at in partitions}


async def read_to_end(
    consumer: AIOKafkaConsumer, partitions: Collection[TopicPartition]
) -> Collection[TopicPartition]:
    """Those of the partitions where the broker says now that there is no record more.

    The end is also what the last fetch saw: the embedded broker tells it too low when it is asked.
    """
    if not partitions:
        return ()
    try:
        async with asyncio.timeout(_ANSWER_SECONDS):
            ends = await consumer.end_offsets(list(partitions))
            positions = {at: await consumer.position(at) for at in partitions}
    except (KafkaError, TimeoutError):
        return ()
    seen = {at: max(end, consumer.highwater(at) or 0) for at, end in ends.items()}
    return [at for at, position in positions.items() if position >= seen[at]]


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka is untyped
    """Holds the turn from the revocation to the assignment."""

    def __init__(self, kafka: KafkaConfig, handover: Handover) -> None:
        self.turn = asyncio.Lock()
        self.error: Exception | None = None
        """Why partitions did not change hands; aiokafka itself would only log it."""
        self._kafka = kafka
        self._handover = handover
        self._is_holding = False

    async def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        if not self._is_holding:
            await self.turn.acquire()
            self._is_holding = True
        try:
            await self._handover.on_revoked(frozenset(revoked))
        except Exception as error:  # noqa: BLE001 -- the next turn raises it
            self.error = error

    async def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        taken_on = partial(self._handover.on_assigned, frozenset(assigned))
        try:
            await until_connected(taken_on, self._kafka)
        except Exception as error:  # noqa: BLE001 -- the next turn raises it
            self.error = error
        finally:
            self._is_holding = False
            self.turn.release()
