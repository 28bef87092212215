"""The verdict loop: scores back in, windows judged every second, transitions out."""

import asyncio
import logging
from collections.abc import Collection, Iterator, Mapping
from functools import partial

from live_scoring.adapters.kafka import (
    ConsumerRecord,
    GroupConsumer,
    Outgoing,
    TopicPartition,
    until_connected,
)
from live_scoring.core.pipeline import Plan
from live_scoring.core.transition import Transition, WindowReport
from live_scoring.formats.verdict_json import encode_verdict, verdict_key
from live_scoring.live.board import Board, Share
from live_scoring.live.counting import Counting
from live_scoring.live.lease import Lease
from live_scoring.live.panes import PaneKeeper
from live_scoring.live.rewind import read_standing, rewound
from live_scoring.live.services import Services
from live_scoring.live.tracked import TrackedAgent
from live_scoring.live.turn import Turn

logger = logging.getLogger(__name__)

_MAX_RECORDS = 5_000
_JUDGE_SECONDS = 1.0


class VerdictLoop:
    """Consumes the scores topic as a member of a group and speaks for the agents it owns.

    The scores topic is the state: partitions taken on are rebuilt from it, the longer part by way
    of the panes topic, and until they are the last verdicts read back from the verdicts topic
    stand.
    """

    def __init__(self, services: Services, board: Board, keeper: PaneKeeper) -> None:
        """Prepare; nothing connects before `run`.

        Args:
            services: Configuration, publisher, metrics and clock.
            board: Owns nothing yet.
            keeper: Reads and writes the panes of what the board owns.
        """
        self._services = services
        self._board = board
        self._keeper = keeper
        self._counting = Counting(board, services.metrics)
        kafka = services.config.kafka
        self._topic = services.config.topics.scores
        self._consumer = GroupConsumer(kafka, f"{kafka.group_id}-verdicts", [self._topic], self)
        clock = services.clock
        self._lease = Lease(kafka.session_timeout_seconds, clock.monotonic)
        self._renew_seconds = kafka.heartbeat_interval_seconds
        self._pending: dict[int, Share] = {}
        """Partitions that are ours once their standing verdicts are read back."""
        self._parked: dict[int, Share] = {}
        """Partitions that were ours and may come back with their panes."""
        self._restoring: asyncio.Task[None] | None = None
        """Fills shares that await panes; no score is polled meanwhile."""
        self._next_plan: Plan | None = None
        self._is_stopping = False
        self._judge_at = self._renew_at = clock.monotonic()
        self.turned_at = clock.monotonic()
        """When the loop last began a turn, by the monotonic clock."""

    @property
    def is_ready(self) -> bool:
        """Whether partitions were assigned and all of them are rebuilt."""
        is_settled = not self._pending and not any(self._board.rebuilding().values())
        return self._lease.is_held and is_settled

    def stop(self) -> None:
        """Let the turn under way end, then return from `run`."""
        self._is_stopping = True

    async def replan(self, plan: Plan) -> None:
        """Rebuild every window under another plan, as an assignment does."""
        self._next_plan = plan

    async def run(self) -> None:
        """Work until `stop`.

        Raises:
            LiveScoringError: Something that waiting cannot mend.
        """
        await self._consumer.start()
        try:
            while not self._is_stopping:
                self.turned_at = self._services.clock.monotonic()
                async with self._consumer.turn(self._room()) as polled:
                    await self._work(polled)
        finally:
            self._lease.lose()
            self._stop_restoring()
            await self._consumer.stop()

    def _room(self) -> int:
        return 0 if self._pending or self._restoring else _MAX_RECORDS

    # Partitions come and go.

    async def on_assigned(self, partitions: frozenset[TopicPartition]) -> None:
        """Go on where a partition that comes back was left, rewind the others."""
        asked_at = self._services.clock.monotonic()
        fresh = await self._rewound([at for at in partitions if at.partition not in self._parked])
        for at in sorted(partitions):
            share = self._parked.get(at.partition) or fresh[at]
            self._consumer.seek(at, share.next_offset)
            self._pending[at.partition] = share
        self._parked.clear()
        self._lease.renew(asked_at)
        logger.info("partitions taken on", extra={"partitions": len(partitions)})

    async def on_revoked(self, partitions: frozenset[TopicPartition]) -> None:
        """Say nothing more of these partitions; keep their panes in case they come back."""
        self._stop_restoring()
        for at in partitions:
            share = self._pending.pop(at.partition, None) or self._board.drop(at.partition)
            if share is not None and not share.awaits_panes:
                self._parked[at.partition] = share
            self._services.metrics.forget_partition(at.topic, at.partition)
            self._services.metrics.pane_lag(at.partition, None)

    async def _rewound(
        self, partitions: Collection[TopicPartition]
    ) -> Mapping[TopicPartition, Share]:
        if not partitions:
            return {}
        longest_ms, now_ms = self._board.plan.longest_ms, self._services.clock.now_ms()
        shares = await rewound(self._consumer, partitions, longest_ms, now_ms)
        for share in shares.values():
            share.awaits_panes = self._keeper.is_on
        return shares

    async def _adopt(self) -> None:
        """Take pending partitions on, with the verdicts that stand."""
        if not self._pending:
            return
        standing = await read_standing(self._services.config, self._pending)
        for partition, share in self._pending.items():
            self._board.take(partition, share, standing[partition])
        self._pending.clear()
        self._restore()

    def _restore(self) -> None:
        """Begin to fill the shares that await panes."""
        self._stop_restoring()
        shares = {p: share for p, share in self._board.shares.items() if share.awaits_panes}
        if shares:
            self._restoring = asyncio.create_task(self._keeper.restore(self._board, shares))

    def _stop_restoring(self) -> None:
        if self._restoring is not None:
            self._restoring.cancel()
            self._restoring = None

    async def _resume(self) -> None:
        """Read on behind what panes have told, once they have."""
        if self._restoring is not None and self._restoring.done():
            await self._restoring
            self._restoring = None
            for partition, share in self._board.shares.items():
                self._consumer.seek(TopicPartition(self._topic, partition), share.next_offset)

    async def _replan(self) -> None:
        if self._next_plan is None:
            return
        self._board.plan, self._next_plan = self._next_plan, None
        owned = [at for at in self._consumer.assignment() if at.partition in self._board.shares]
        rewind = partial(self._rewound, owned)
        # Until the broker has answered, what stands is shown.
        for at, share in (await until_connected(rewind, self._services.config.kafka)).items():
            old = self._board.drop(at.partition)
            self._consumer.seek(at, share.next_offset)
            self._board.take(at.partition, share, _standing_of(old) if old else ())
        self._restore()

    # One turn.

    async def _work(self, polled: Mapping[TopicPartition, list[ConsumerRecord]]) -> None:
        turn = Turn(self._services.clock.monotonic)
        await self._adopt()
        # A rebalance may have come between the question for room and the poll. While shares are
        # filled from panes nothing is counted: what was polled may lie before what panes tell.
        for at, records in () if self._restoring else polled.items():
            share = self._board.shares[at.partition]
            for record in records:
                self._counting.count(share, record)
                if turn.is_over:
                    await turn.pause()
            await self._keeper.keep(self._board, at.partition, lambda: self._lease.is_held)
        await self._resume()
        await self._replan()
        await self._finish_rebuilding()
        await self._renew()
        await self._judge(turn)

    async def _finish_rebuilding(self) -> None:
        for partition, share in self._board.shares.items():
            at = TopicPartition(self._topic, partition)
            end = self._consumer.highwater(at)
            if end is None or share.awaits_panes:
                continue
            position = await self._consumer.position(at)
            self._services.metrics.lag(self._topic, partition, max(0, end - position))
            draft = share.draft
            self._services.metrics.pane_lag(partition, None if draft is None else len(draft))
            if share.is_rebuilding and position >= end:
                share.is_rebuilding = False
                facts = {"partition": partition, "agents": len(share.agents)}
                logger.info("windows rebuilt", extra=facts)

    async def _renew(self) -> None:
        """Ask the group for a sign that we are still a member: it takes our offsets."""
        asked_at = self._services.clock.monotonic()
        if asked_at < self._renew_at or not self._board.shares:
            return
        offsets = {
            TopicPartition(self._topic, partition): share.next_offset
            for partition, share in self._board.shares.items()
        }
        self._renew_at = asked_at + self._renew_seconds
        if await self._consumer.commit(offsets):
            self._lease.renew(asked_at)

    async def _judge(self, turn: Turn) -> None:
        now = self._services.clock.monotonic()
        if now < self._judge_at or not self._lease.is_held:
            return
        self._judge_at = now + _JUDGE_SECONDS
        now_ms = self._services.clock.now_ms()
        if self._board.has_overtaken(now_ms):
            self._turn_back(now_ms)
            return
        # Before judging: an agent that goes to no_data now is shown for `forget_after` from now.
        records = list(self._forget(now_ms))
        changes = []
        for change in self._board.judge(now_ms):
            changes.append(change)
            await turn.pause()
        records += [_record_of(partition, t) for partition, _, t in changes]
        topic = self._services.config.topics.verdicts
        publish = self._services.publisher.publish
        for refused in await publish(topic, records, lambda: self._lease.is_held):
            logger.error("verdict not published", extra={"topic": topic, "reason": refused.reason})
        for _, agent, transition in changes:
            self._settle(agent, transition)

    def _turn_back(self, now_ms: int) -> None:
        """Rebuild by a clock that was ahead before."""
        seconds = (self._board.judged_at_ms - now_ms) // 1000
        logger.warning("clock set back, rebuilding the windows", extra={"seconds": seconds})
        self._board.turn_back(now_ms)
        self._next_plan = self._next_plan or self._board.plan

    def _forget(self, now_ms: int) -> Iterator[Outgoing]:
        """Tombstones for what is tracked no more; an agent without a group left has no series."""
        forgotten = list(self._board.forget(now_ms))
        for agent_id in {agent.agent_id for _, agent in forgotten} - self._board.judged_agents():
            self._services.metrics.forget(agent_id)
        for partition, agent in forgotten:
            for window in agent.plan.windows:
                key = verdict_key(agent.agent_id, agent.group, window.name)
                yield Outgoing(key, None, partition)

    def _settle(self, agent: TrackedAgent, transition: Transition) -> None:
        """Let a published transition stand; one that we had no right to is judged again."""
        if not self._lease.is_held:
            agent.recheck()
            return
        agent.standing[transition.window] = transition
        self._services.metrics.transition(transition)
        logger.info(
            "verdict changed",
            extra={
                "agent": transition.agent_id,
                "group": transition.group,
                "window": transition.window,
                "verdict": transition.verdict.state,
                "previous": transition.previous,
                "failing": [result.rule.name for result in transition.verdict.failing],
            },
        )

    # What the metrics show: nothing without the lease.

    def reports(self) -> Iterator[WindowReport]:
        """What every window of every owned agent says."""
        return self._board.reports() if self._lease.is_held else iter(())

    def judged_at_seconds(self) -> Mapping[str, float]:
        """When each owned agent was last judged, in seconds since the epoch."""
        if not self._lease.is_held:
            return {}
        return dict.fromkeys(self._board.judged_agents(), self._board.judged_at_ms / 1000)

    def complete(self) -> Mapping[str, bool]:
        """For each window whether the scores log reaches back so far."""
        return self._board.complete() if self._lease.is_held else {}

    def rebuilding(self) -> Mapping[int, bool]:
        """For each owned partition whether its windows are being rebuilt."""
        if not self._lease.is_held:
            return {}
        return {**self._board.rebuilding(), **dict.fromkeys(self._pending, True)}


def _record_of(partition: int, transition: Transition) -> Outgoing:
    key = verdict_key(transition.agent_id, transition.group, transition.window)
    return Outgoing(key, encode_verdict(transition), partition)


def _standing_of(share: Share) -> list[Transition]:
    return [t for tracked in share.agents.values() for t in tracked.standing.values()]
