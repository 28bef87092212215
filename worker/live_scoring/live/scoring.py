"""The scoring loop: runs in, scores out, offsets committed once all is confirmed."""

import asyncio
import logging
from collections.abc import Iterable, Mapping

from live_scoring.adapters.kafka import (
    ConsumerRecord,
    GroupConsumer,
    Outgoing,
    Refused,
    TopicPartition,
)
from live_scoring.adapters.outside import Outside
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.pipeline import OutsideCall, Plan
from live_scoring.core.score import Failure, Score
from live_scoring.formats.dead_letter import TRUNCATED, dead_letter_headers, without_original
from live_scoring.live.intake import Harvest, Intake
from live_scoring.live.outside import Errands
from live_scoring.live.pending import Pending
from live_scoring.live.services import Services
from live_scoring.live.start import Start, start_offset
from live_scoring.live.turn import Turn

logger = logging.getLogger(__name__)

_MAX_RECORDS = 1_000
_SETTLE_SECONDS = 10.0
"""How long a stop waits for scorers that call out; the next owner asks the others again."""
_TRIAL = 1_000
"""Records after a start that are mostly bad where a deployment is bad."""
_HEADS = (64 * 1024, 4 * 1024, 256, 0)
"""Bytes that are left of a dead letter which the broker takes to be too large, ever fewer."""


class BadDeploymentError(LiveScoringError):
    """The first records after the start were mostly unreadable."""


class DeadLetterError(LiveScoringError):
    """The dead-letter topic takes nothing."""


class ScoringLoop:
    """Consumes the runs topics as a member of a group and publishes scores and dead letters.

    Delivery is at least once: a record's offset is committed only after the broker confirmed
    all that it led to. Scorers that call out answer in a later turn than the others; until then
    no offset from their record on is committed.
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
        self._pending = Pending()
        self._flight: asyncio.Task[None] | None = None
        """The delivery of the last turn's harvest."""
        self._stop_by: float | None = None
        self._is_trial = True
        self.is_ready = False
        self.turned_at = services.clock.monotonic()
        """When the loop last began a turn, by the monotonic clock."""
        self.scores = 0
        """Published since the start."""
        self.lag = 0
        """Records behind, over all partitions."""

    @property
    def intake(self) -> Intake:
        """What has been taken in, for the log and the pages."""
        return self._intake

    @property
    def waiting(self) -> int:
        """Records that wait for scorers that call out."""
        return len(self._pending)

    def stop(self) -> None:
        """Read no more; return from `run` once calls under way have ended, or after 10 s."""
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
        """Begin each partition where the group left off, or where `kafka.start` says."""
        now_ms = self._services.clock.now_ms()
        for partition in sorted(partitions):
            offset = await self._consumer.committed(partition)
            if offset is None:
                offset = await start_offset(self._consumer, partition, self._start, now_ms)
                facts = {"topic": partition.topic, "partition": partition.partition}
                start = self._services.config.kafka.start
                logger.info(
                    "no commit, starting anew",
                    extra={**facts, "offset": offset, "start": str(start)},
                )
            self._consumer.seek(partition, offset)
        self.is_ready = True

    async def on_revoked(self, partitions: frozenset[TopicPartition]) -> None:
        """Let what is under way be confirmed; forget the calls and the lag of what is lost."""
        self.is_ready = False
        await self._settle()
        self._errands.cancel(partitions)
        self._pending.forget(partitions)
        for partition in partitions:
            self._services.metrics.forget_partition(partition.topic, partition.partition)

    async def _work(self, polled: Mapping[TopicPartition, list[ConsumerRecord]]) -> None:
        harvest, turn = Harvest(), Turn(self._services.clock.monotonic)
        for at, records in polled.items():
            for record in records:
                self._intake.take(record, harvest)
                await turn.pause()
            self._pending.take(at, records[-1].offset + 1)
        self._judge_deployment()
        self._send(harvest.outside)
        await self._take_answers(harvest, turn)
        await self._settle()
        self._flight = asyncio.create_task(self._deliver(harvest, self._pending.due()))
        await self._show_lag(polled)
        if not polled:
            await self._settle()

    async def _settle(self) -> None:
        """Wait until what the last turn led to is confirmed and committed."""
        if self._flight is not None:
            flight, self._flight = self._flight, None
            await flight

    async def _deliver(self, harvest: Harvest, offsets: Mapping[TopicPartition, int]) -> None:
        """Publish a harvest, and commit its offsets once the broker has confirmed all of it.

        The next turn works meanwhile; its own harvest waits, so offsets are committed in order.
        """
        await self._publish(harvest)
        if offsets and await self._consumer.commit(offsets):
            self._pending.commit(offsets)

    def _send(self, calls: Iterable[OutsideCall]) -> None:
        for call in calls:
            self._pending.begin(call.placed.source)
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

    async def _publish(self, harvest: Harvest) -> None:
        scores = self._services.config.topics.scores
        refused = await self._services.publisher.publish(scores, harvest.score_records)
        self._count(harvest, refused)
        await self._bury([*harvest.dead_letters, *self._letters_of(harvest, refused)])

    async def _bury(self, letters: list[Outgoing]) -> None:
        """Publish dead letters; one that the broker takes to be too large is cut until it fits."""
        topic, publisher = self._services.config.topics.dead_letters, self._services.publisher
        for size in _HEADS:
            refused = await publisher.publish(topic, letters)
            letters = [_head_of(r.record, size) for r in refused]
        if await publisher.publish(topic, letters):
            raise DeadLetterError(
                f"topic {topic}: takes not even an empty dead letter; raise its max.message.bytes"
            )

    def _count(self, harvest: Harvest, refused: list[Refused]) -> None:
        metrics, now_ms = self._services.metrics, self._services.clock.now_ms()
        lost = {id(r.record) for r in refused}
        both = zip(harvest.scores, harvest.score_records, strict=True)
        confirmed = [s for s, record in both if id(record) not in lost] if lost else harvest.scores
        self.scores += len(confirmed)
        metrics.published(s for s in confirmed if self._intake.is_shown(s.agent_id))
        for end_ms, trace_id in harvest.ends:
            metrics.latency(max(0, now_ms - end_ms) / 1000, trace_id)

    def _letters_of(self, harvest: Harvest, refused: list[Refused]) -> list[Outgoing]:
        """Dead letters for scores that the broker refuses for their size."""
        if not refused:
            return []
        scores = {id(r): s for r, s in zip(harvest.score_records, harvest.scores, strict=True)}
        letters = [self._letter_of(scores[id(r.record)], r) for r in refused]
        for _ in letters:
            self._services.metrics.dead_letter("publish", "too_large")
        return letters

    def _letter_of(self, score: Score, refused: Refused) -> Outgoing:
        failure = Failure("publish", "too_large", f"score of {score.scorer}: {refused.reason}")
        headers = tuple(dead_letter_headers(failure, score.source))
        partition = self._intake.dead_partition(score.source)
        return Outgoing(None, refused.record.value, partition, headers)

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
            ages = [now_ms - r[-1].timestamp for at, r in polled.items() if at.topic == topic]
            if ages or not lag:
                metrics.lag_seconds(topic, max(0, *ages) / 1000 if ages and lag else 0)


def _head_of(letter: Outgoing, size: int) -> Outgoing:
    """A dead letter cut to its head, without its key and headers, which may be large too."""
    headers = [h for h in without_original(letter.headers) if h != TRUNCATED]
    return Outgoing(None, (letter.value or b"")[:size], letter.partition, (*headers, TRUNCATED))
