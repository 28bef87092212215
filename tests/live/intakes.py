"""Records of a runs topic, and what takes them in."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from live_scoring.adapters.kafka import ConsumerRecord, Publisher
from live_scoring.adapters.metrics import Build, Known, Metrics
from live_scoring.config import WorkerConfig
from live_scoring.core.pipeline import AgentPlan, Plan
from live_scoring.gathering import Find, LookBack
from live_scoring.live.aside import read_aside
from live_scoring.live.batching import Batching
from live_scoring.live.clock import Clock
from live_scoring.live.intake import Harvest, Intake
from live_scoring.live.services import Services
from live_scoring.live.turn import Turn
from tests.live.boards import agent_plan
from tests.live.fakes import NOW_MS, FakeClock

KNOWN = Known(("agent-runs",), (), ("native",), ())
STANDING = FakeClock().as_clock()


def services_of(clock: Clock = STANDING, **worker: Any) -> Services:
    """What a loop works with; the publisher is never started."""
    config = WorkerConfig.model_validate(worker)
    publisher = Publisher(config.kafka, lambda _: None)
    return Services(config, publisher, Metrics(KNOWN, Build("0", "0")), clock)


def intake_of(services: Services, plan: AgentPlan | None = None) -> Intake:
    """An intake for one plan, where every topic has one partition."""
    whole = Plan((plan or agent_plan(),))
    services.metrics.expect(whole)
    return Intake(services, whole, score_partitions=1, dead=1)


def take(intake: Intake, record: ConsumerRecord, harvest: Harvest) -> None:
    """Take in all that a record leads to."""
    take_all(intake, intake.gather(record), harvest)


def take_all(intake: Intake, finds: Iterable[Find], harvest: Harvest) -> None:
    """Take in what was found."""

    async def work() -> None:
        batching = Batching(intake, harvest, Turn(STANDING.monotonic))
        for find in finds:
            assert not isinstance(find, LookBack)
            for found in await read_aside(find):
                await batching.take(found)
        await batching.flush()

    # Where the clock stands nothing gives way, so that no event loop is needed, and none is left.
    with pytest.raises(StopIteration):
        work().send(None)


def record_of(value: bytes) -> ConsumerRecord:
    """A record of the runs topic."""
    return ConsumerRecord("agent-runs", 0, 0, NOW_MS, 0, None, value, None, 0, 0, ())


def run_of(agent_id: str) -> ConsumerRecord:
    """A record that holds a silent run of an agent."""
    run = {"run_id": "run-1", "agent_id": agent_id, "output": []}
    return record_of(json.dumps(run).encode())
