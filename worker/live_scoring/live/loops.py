"""The two loops and what they stand on, put together from the configuration."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from live_scoring.adapters.kafka import Publisher, TopicNeed, partition_of, prepare_topics
from live_scoring.adapters.metrics import Metrics
from live_scoring.config import WorkerConfig
from live_scoring.core.errors import LiveScoringError
from live_scoring.core.pipeline import Plan
from live_scoring.formats.score_json import agent_key
from live_scoring.live.board import Board, Caps
from live_scoring.live.clock import Clock
from live_scoring.live.intake import Intake
from live_scoring.live.panes import PaneKeeper
from live_scoring.live.scoring import ScoringLoop
from live_scoring.live.services import Services
from live_scoring.live.start import Start
from live_scoring.live.verdicts import VerdictLoop

Half = Literal["scoring", "verdicts"]

_MILLISECOND = timedelta(milliseconds=1)
_DAY_MS = 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Loops:
    """What runs; a half that was not asked for is None."""

    publisher: Publisher
    scoring: ScoringLoop | None
    verdicts: VerdictLoop | None


async def open_loops(
    config: WorkerConfig, plan: Plan, metrics: Metrics, only: Half | None, *, create_topics: bool
) -> Loops:
    """Prepare the topics, connect the publisher and put the loops together.

    Waits for an absent broker. The caller runs the loops, then stops the publisher.

    Args:
        config: Where and how.
        plan: What agents are asked and judged by.
        metrics: Where everything is counted.
        only: One half alone, or both.
        create_topics: Whether missing topics may be created.

    Raises:
        LiveScoringError: A topic is missing or does not fit, or the broker refuses the worker.
    """
    topics = config.topics
    partitions = await prepare_topics(
        config.kafka,
        _needs(config, plan.longest_ms),
        topics.replication_factor,
        create=create_topics,
    )
    for twin in filter(None, (topics.verdicts, topics.panes)):
        found = partitions.get(twin, partitions[topics.scores])
        if found != partitions[topics.scores]:
            raise LiveScoringError(
                f"topics {topics.scores} and {twin}: have {partitions[topics.scores]} and "
                f"{found} partitions; give both equally many"
            )
    publisher = Publisher(config.kafka, metrics.publish_failed)
    await publisher.start()
    services = Services(config, publisher, metrics, Clock())
    return Loops(
        publisher,
        None if only == "verdicts" else _scoring_loop(services, plan, partitions),
        None if only == "scoring" else _verdict_loop(services, plan, partitions),
    )


def _scoring_loop(services: Services, plan: Plan, partitions: dict[str, int]) -> ScoringLoop:
    topics = services.config.topics
    intake = Intake(services, plan, partitions[topics.scores], partitions[topics.dead_letters])
    return ScoringLoop(services, intake, _start(services.config, plan))


def _start(config: WorkerConfig, plan: Plan) -> Start:
    start = config.kafka.start
    if start == "window":
        return plan.longest_ms
    return start // _MILLISECOND if isinstance(start, timedelta) else start


def _verdict_loop(services: Services, plan: Plan, partitions: dict[str, int]) -> VerdictLoop:
    config, topics = services.config, services.config.topics
    caps = Caps(config.max_agents, config.max_groups_per_agent, config.forget_after // _MILLISECOND)

    def partition_of_agent(agent_id: str) -> int:
        return partition_of(agent_key(agent_id), partitions[topics.scores])

    board = Board(plan, caps, partition_of_agent, services.clock.now_ms())
    panes = topics.panes if topics.panes in partitions else None
    keeper = PaneKeeper(services, panes, uuid.uuid4().hex[:12])
    loop = VerdictLoop(services, board, keeper)
    services.metrics.watch(loop)
    return loop


def _needs(config: WorkerConfig, longest_ms: int) -> Iterator[TopicNeed]:
    topics = config.topics
    for name in topics.runs:
        yield TopicNeed(name, topics.partitions)
    least_ms = 2 * longest_ms
    kept = {"cleanup.policy": "delete", "retention.ms": str(max(least_ms, 7 * _DAY_MS))}
    for name in filter(None, (topics.scores, topics.panes)):
        yield TopicNeed(
            name,
            topics.partitions,
            kept,
            policy="delete",
            min_retention_ms=least_ms,
            is_optional=name == topics.panes,
        )
    yield TopicNeed(
        topics.verdicts, topics.partitions, {"cleanup.policy": "compact"}, policy="compact"
    )
    yield TopicNeed(
        topics.dead_letters,
        topics.partitions,
        {"cleanup.policy": "delete", "retention.ms": str(14 * _DAY_MS)},
    )
