"""The verdict loop on a real broker, while the shares it has taken on are filled from panes."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from live_scoring.adapters.embedded_broker import start_broker
from live_scoring.adapters.kafka import Outgoing, Publisher, TopicNeed, prepare_topics
from live_scoring.adapters.metrics import Build, Known, Metrics
from live_scoring.config import WorkerConfig
from live_scoring.core.pipeline import Plan
from live_scoring.formats.score_json import agent_key, encode_score
from live_scoring.live.board import Board, Caps, Share
from live_scoring.live.clock import Clock
from live_scoring.live.draft import Draft
from live_scoring.live.panes import PaneKeeper
from live_scoring.live.services import Services
from live_scoring.live.verdicts import VerdictLoop
from tests.live.boards import agent_plan, score_of

pytestmark = pytest.mark.integration

SCORES, TOLD = 40, 30
"""Of each of the first two partitions of three, and how many of them its panes tell."""


class UnevenKeeper(PaneKeeper):
    """Fills two shares long before the third, as the broker answers one by one."""

    async def restore(self, board: Board, shares: Mapping[int, Share]) -> None:
        for at in (0, 1):
            shares[at].next_offset, shares[at].draft = TOLD, Draft(TOLD, "writer")
            shares[at].awaits_panes = False
        await asyncio.sleep(1)
        await super().restore(board, {2: shares[2]})

    async def keep(self, board: Board, partition: int, may_publish: Callable[[], bool]) -> None:
        await asyncio.sleep(0.1)  # as when panes are due
        await super().keep(board, partition, may_publish)


class HastyLoop(VerdictLoop):
    """Polls as it does where a rebalance came between the question for room and the poll."""

    def _room(self) -> int:
        return 5_000 if self._pending else super()._room()


def services_at(address: str) -> Services:
    session = {"session_timeout_seconds": 3, "heartbeat_interval_seconds": 1}
    kafka = {"bootstrap_servers": address, "fetch_max_wait_ms": 20, **session}
    config = WorkerConfig.model_validate({"kafka": kafka})
    publisher = Publisher(config.kafka, lambda _: None)
    return Services(config, publisher, Metrics(Known((), (), (), ()), Build("", "")), Clock())


def scores_at(now_ms: int, partition: int) -> list[Outgoing]:
    moment = {"run_timestamp_ms": now_ms, "scored_at_ms": now_ms}
    scores = [replace(score_of(f"run-{number}"), **moment) for number in range(SCORES)]
    return [Outgoing(agent_key(s.agent_id), encode_score(s), partition) for s in scores]


async def taken_on(services: Services) -> Mapping[int, Share]:
    """The shares of a loop that has rebuilt all of its partitions."""
    kafka, topics, publisher = services.config.kafka, services.config.topics, services.publisher
    assert topics.panes is not None
    needs = [TopicNeed(name, 3) for name in (topics.scores, topics.verdicts, topics.panes)]
    await prepare_topics(kafka, needs, None, create=True)
    await publisher.start()
    now_ms = services.clock.now_ms()
    await publisher.publish(topics.scores, scores_at(now_ms, 0) + scores_at(now_ms, 1))
    caps = Caps(max_agents=10, max_groups_per_agent=10, forget_after_ms=60_000)
    board = Board(Plan((agent_plan(),)), caps, lambda _: 0, now_ms)
    loop = HastyLoop(services, board, UnevenKeeper(services, topics.panes, "writer"))
    running = asyncio.create_task(loop.run())
    async with asyncio.timeout(60):
        while not (loop.is_ready or running.done()):  # noqa: ASYNC110 -- a loop tells nobody
            await asyncio.sleep(0.05)
    shares = dict(board.shares)
    loop.stop()
    await running
    await publisher.stop()
    return shares


def test_shares_that_are_filled_before_others_count_nothing_that_their_panes_told(
    tmp_path: Path,
) -> None:
    with start_broker(tmp_path / "log") as broker:
        shares = asyncio.run(taken_on(services_at(broker.address)))
    assert {at: share.next_offset for at, share in shares.items()} == {0: SCORES, 1: SCORES, 2: 0}
    assert {at: counted(shares[at]) for at in (0, 1)} == dict.fromkeys((0, 1), SCORES - TOLD)


def counted(share: Share) -> int:
    (report,) = share.agents["agent-1", ""].reports(is_rebuilding=False)
    assert report.tallies is not None
    return report.tallies["sunny"].scored
