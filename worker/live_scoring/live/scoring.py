"""The scoring loop: runs in, scores out, offsets committed once all is confirmed."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from functools import partial

from live_scoring.adapters.kafka import (
    ConsumerRecord,
    GroupConsumer,
    TopicPartition,
    until_connected,
)
from live_scoring.adapters.outside import Outside
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.pipeline import OutsideCall, Plan
from live_scoring.gathering import LookBack
from live_scoring.live.aside import gather_aside, read_aside
from live_scoring.live.batching import Batching
from live_scoring.live.delivery import Delivery
from live_scoring.live.intake import Harvest, Intake
from live_scoring.live.lag import age_ms
from live_scoring.live.outside import Errands
from live_scoring.live.pending import Pending
from live_scoring.live.quiet import Quiet
from live_scoring.live.services import Services
from live_scoring.live.start import Start, start_offset
from live_scoring.live.turn import Turn

logger = logging.getLogger(__name__)

_MAX_RECORDS = 1_000
_SETTLE_SECONDS = 8.0
"""How long a stop waits for scorers that call out; the next owner asks the others again."""
_TRIAL = 1_000
"""Records after a start that are mostly bad where a deployment is bad."""


class BadDeploymentError(LiveScoringError):
    """The first records after the start were mostly unreadable."""


class ScoringLoop:
    """Consumes the runs topics as a member of a group and publishes scores and dead letters.

    Delivery is at least once: a record's offset is committed only after the broker confirmed
    all that it led to. Scorers that call out answer in a later turn than the others, and a trace
    may be open for long; until then no offset from the first record of theirs on is committed.
    """

    def __init__(self, services: Services, intake: Intake, start: Start) -> None:
        """Prepare; nothing connects before `run`.

        Args:
            services: Configuration, publisher, metrics and clock.
            intake: Turns records into scores.
            start: Where a group that never committed begins.
        """
        self._services = services
        self._intake = intake
        self._start = start
        self._consumer = GroupConsumer(
            services.config.kafka,
            services.config.kafka.group_id,
            services.config.topics.runs,
            self,
        )
        self._errands = Errands(Outside(services.metrics.scorer_seconds, services.clock.monotonic))
        self._delivery = Delivery(services, intake)
        self._pending = Pending()
        self._quiet = Quiet(services.clock.monotonic)
        self._looking_back: dict[TopicPartition, int] = {}
        """By partition the offset up to which records are read a second time."""
        self._flight: asyncio.Task[None] | None = None
        """The delivery of the last turn's harvest."""
        self._stop_by: float | None = None
        self._is_trial = True
        self.is_ready = False
        self.turned_at = services.clock.monotonic()
        """When the loop last began a turn, by the monotonic clock."""
        self.lag = 0
        """Records behind, over all partitions."""

    @property
    def intake(self) -> Intake:
        """What has been taken in, for the log and the pages."""
        return self._intake

    @property
    def scores(self) -> int:
        """Published since the start."""
        return self._delivery.scores

    @property
    def waiting(self) -> int:
        """Records that wait for scorers that call out."""
        return len(self._pending)

    def stop(self) -> None:
        """Read no more; return from `run` once calls under way have ended, or after 8 s."""
        self._stop_by = self._services.clock.monotonic() + _SETTLE_SECONDS

    async def replan(self, plan: Plan) -> None:
        """Score by another plan from the next record on."""
        self._intake.plan = plan

    async def run(self) -> None:
        """Work until `stop`.

        Raises:
            LiveScoringError: Something that waiting cannot mend; what was not confirmed is not
                committed.
        """
        await self._consumer.start()
        try:
            while not self._has_ended():
                self.turned_at = self._services.clock.monotonic()
                async with self._consumer.turn(self._room()) as polled:
                    await self._work(polled)
            await self._settle()
        finally:
            self.is_ready = False
            self._errands.cancel(self._consumer.assignment())
            if self._flight is not None:
                self._flight.cancel()
            await self._consumer.stop()

    def _has_ended(self) -> bool:
        if self._stop_by is None:
            return False
        return not self._pending or self._services.clock.monotonic() >= self._stop_by

    def _room(self) -> int:
        """How many records the next turn may read: all or none, as pausing costs a fetch."""
        may_read = self._stop_by is None and self._pending.has_room(_MAX_RECORDS)
        return _MAX_RECORDS if may_read else 0

    async def on_assigned(self, partitions: frozenset[TopicPartition]) -> None:
        """Begin each partition where the group left off, or where `kafka.start` says.

        One that comes straight back goes on with its open traces.
        """
        now_ms = self._services.clock.now_ms()
        resumed = set[TopicPartition]()
        for partition in sorted(partitions):
            offset = await self._consumer.committed(partition)
            position = self._pending.resume(partition, offset)
            if position is not None:
                offset = position
                resumed.add(partition)
            if offset is None:
                offset = await start_offset(self._consumer, partition, self._start, now_ms)
                facts = {"topic": partition.topic, "partition": partition.partition}
                start = self._services.config.kafka.start
                logger.info(
                    "no commit, starting anew",
                    extra={**facts, "offset": offset, "start": str(start)},
                )
            self._consumer.seek(partition, offset)
        self._intake.gatherer.keep(resumed)
        self._quiet.keep(resumed)
        self.is_ready = True

    async def on_revoked(self, partitions: frozenset[TopicPartition]) -> None:
        """Let what is under way be confirmed; forget the calls and the lag of what is lost."""
        self.is_ready = False
        await self._settle()
        self._errands.cancel(partitions)
        self._pending.rest(partitions, unfinished=self._looking_back.keys())
        self._looking_back.clear()
        for partition in partitions:
            self._services.metrics.forget_partition(partition.topic, partition.partition)

    async def _work(self, polled: Mapping[TopicPartition, list[ConsumerRecord]]) -> None:
        harvest, turn = Harvest(), Turn(self._services.clock.monotonic)
        for at, records in polled.items():
            await self._take(at, records, harvest, turn)
        self._quiet.hear(polled)
        await self._close_quiet(harvest, turn)
        self._services.metrics.gathered(self._intake.gatherer.counts())
        self._judge_deployment()
        self._send(harvest.outside)
        await self._take_answers(harvest, turn)
        await self._settle()
        held = {TopicPartition(*at): first for at, first in self._intake.gatherer.held().items()}
        self._flight = asyncio.create_task(self._deliver(harvest, self._pending.due(held)))
        await self._show_lag(polled)
        if not polled:
            await self._settle()

    async def _take(
        self, at: TopicPartition, records: list[ConsumerRecord], harvest: Harvest, turn: Turn
    ) -> None:
        """Take a partition's records in; its first spans make it look back."""
        batching = Batching(self._intake, harvest, turn)
        for record in records:
            size = len(record.value or b"")
            for find in await gather_aside(partial(self._intake.gather, record), size):
                if isinstance(find, LookBack):
                    await batching.flush()
                    self._pending.take(at, record.offset)
                    await self._look_back(at, find.since_ms, record.offset)
                    return
                for found in await read_aside(find):
                    await batching.take(found, size)
            await turn.pause()
        await batching.flush()
        next_offset = records[-1].offset + 1
        if next_offset > self._looking_back.get(at, 0):
            self._looking_back.pop(at, None)
            self._pending.take(at, next_offset)

    async def _look_back(self, at: TopicPartition, since_ms: int, until: int) -> None:
        """Read on from a time, until the offset with nothing to publish."""
        ask = partial(self._consumer.offset_at, at, since_ms)
        first = min(until, await until_connected(ask, self._services.config.kafka))
        self._looking_back[at] = until
        self._consumer.seek(at, first)
        facts = {"topic": at.topic, "partition": at.partition, "offset": first, "until": until}
        logger.info("looking back for traces that are under way", extra=facts)

    async def _close_quiet(self, harvest: Harvest, turn: Turn) -> None:
        """Let the wall clock close traces where the broker says that there is no record more."""
        gatherer, waited_ms = self._intake.gatherer, self._quiet.waited_ms()
        due = [TopicPartition(*at) for at in gatherer.due(waited_ms)]
        batching = Batching(self._intake, harvest, turn)
        for at in await self._consumer.at_end(due):
            for find in gatherer.close_due(at, waited_ms[at]):
                for found in await read_aside(find):
                    await batching.take(found)
                await turn.pause()
        await batching.flush()

    async def _settle(self) -> None:
        """Wait until what the last turn led to is confirmed and committed."""
        if self._flight is not None:
            flight, self._flight = self._flight, None
            await flight

    async def _deliver(self, harvest: Harvest, offsets: Mapping[TopicPartition, int]) -> None:
        """Publish a harvest, and commit its offsets once the broker has confirmed all of it.

        The next turn works meanwhile; its own harvest waits, so offsets are committed in order.
        """
        await self._delivery.publish(harvest)
        if offsets and await self._consumer.commit(offsets):
            self._pending.commit(offsets)

    def _send(self, calls: Iterable[tuple[int, OutsideCall]]) -> None:
        for first_offset, call in calls:
            self._pending.begin(call.placed.source, first_offset)
            self._errands.send(call)

    async def _take_answers(self, harvest: Harvest, turn: Turn) -> None:
        for call, answer in self._errands.take_ended():
            self._intake.take_answer(call, answer, harvest)
            if self._pending.end(call.placed.source):
                harvest.end(call.placed)
            await turn.pause()

    def _judge_deployment(self) -> None:
        seen = self._intake.runs + self._intake.bad
        if self._is_trial and seen >= _TRIAL:
            self._is_trial = False
            if self._intake.bad * 2 > seen:
                raise BadDeploymentError(
                    f"{self._intake.bad} of the first {seen} records cannot be read; "
                    "check topics.runs and topics.formats in worker.yaml against the producers"
                )

    async def _show_lag(self, polled: Mapping[TopicPartition, list[ConsumerRecord]]) -> None:
        metrics, now_ms = self._services.metrics, self._services.clock.now_ms()
        behind: dict[str, int] = {}
        for at in self._consumer.assignment():
            end = self._consumer.highwater(at)
            lag = 0 if end is None else max(0, end - await self._consumer.position(at))
            metrics.lag(at.topic, at.partition, lag)
            behind[at.topic] = behind.get(at.topic, 0) + lag
        self.lag = sum(behind.values())
        for topic, lag in behind.items():
            ages = [age_ms(r, now_ms) for at, r in polled.items() if at.topic == topic]
            if ages or not lag:
                metrics.lag_seconds(topic, max(ages) / 1000 if ages and lag else 0)
