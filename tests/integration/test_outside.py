"""Scorers that call out, in real workers: what waits for them, and what does not."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition

from tests.integration.lab import PARTITIONS, Lab
from tests.integration.runs import native_run
from tests.integration.score_server import ScoreServer, serve_scores
from tests.integration.topics import Sending
from tests.integration.waiting import wait_to_equal, wait_until
from tests.integration.workers import Worker

pytestmark = pytest.mark.integration

AGENT = "agent-0"


@pytest.fixture
def server() -> Iterator[ScoreServer]:
    with serve_scores() as serving:
        yield serving


def configure(lab: Lab, server: ScoreServer, **limits: Any) -> None:
    own = {"use": "tests.own_scorers:fetches", "with": {"url": server.url}}
    lab.configure(
        {
            "agent": AGENT,
            "gates": {"inline": "no_tool_errors"},
            "scorers": {"own": own | {"timeout_seconds": 120} | limits},
        }
    )


def runs(number: int) -> list[Sending]:
    """Runs of which the first is alone in the first partition, but for every fourth."""
    return [Sending(native_run(f"run-{n}", AGENT).value, n % PARTITIONS) for n in range(number)]


def scored(lab: Lab, scorer: str) -> set[str]:
    """The runs that a scorer has a score for."""
    return {s["run_id"] for s in lab.read_json(lab.scores) if s["scorer"] == scorer}


def ids(number: int) -> set[str]:
    return {f"run-{n}" for n in range(number)}


def committed(lab: Lab) -> list[int]:
    """The group's offsets, by partition; -1 where it has none."""

    async def ask() -> list[int]:
        consumer = AIOKafkaConsumer(bootstrap_servers=lab.address, group_id=lab.group)
        await consumer.start()
        try:
            at = [TopicPartition(lab.runs, n) for n in range(PARTITIONS)]
            offsets = [await consumer.committed(partition) for partition in at]
        finally:
            await consumer.stop()
        return [-1 if offset is None else offset for offset in offsets]

    return asyncio.run(ask())


def started(lab: Lab) -> Worker:
    worker = lab.start_worker()
    worker.wait_ready()
    return worker


def test_a_slow_scorer_holds_up_no_run_and_no_offset_passes_it(
    lab: Lab, server: ScoreServer
) -> None:
    configure(lab, server)
    server.held.add("run-0")
    started(lab)
    lab.send(runs(1_000))
    wait_to_equal("runs scored inline", lambda: scored(lab, "inline"), ids(1_000))
    wait_to_equal("runs scored outside", lambda: scored(lab, "own"), ids(1_000) - {"run-0"})
    wait_to_equal("offsets", lambda: committed(lab), [0, 250, 250, 250])
    server.released.set()
    wait_to_equal("runs scored outside", lambda: scored(lab, "own"), ids(1_000))
    wait_to_equal("offsets", lambda: committed(lab), [250, 250, 250, 250])
    assert len(server.asked) == 1_000


def test_a_worker_killed_while_calls_are_under_way_loses_none(
    lab: Lab, server: ScoreServer
) -> None:
    configure(lab, server)
    server.held.add("run-0")
    worker = started(lab)
    lab.send(runs(300))
    wait_until("a part is scored", lambda: len(scored(lab, "own")) > 50)
    worker.kill()
    lab.start_worker()
    server.released.set()
    wait_to_equal("runs scored outside", lambda: scored(lab, "own"), ids(300))
    assert scored(lab, "inline") == ids(300)


def test_a_worker_that_stops_leaves_what_has_not_ended_to_the_next(
    lab: Lab, server: ScoreServer
) -> None:
    configure(lab, server)
    server.held.add("run-0")
    worker = started(lab)
    lab.send(runs(8))
    wait_to_equal("runs scored outside", lambda: scored(lab, "own"), ids(8) - {"run-0"})
    assert worker.stop() == 0
    assert committed(lab) == [0, 2, 2, 2]
    server.released.set()
    lab.start_worker()
    wait_to_equal("runs scored outside", lambda: scored(lab, "own"), ids(8))


def test_a_worker_that_stops_waits_for_calls_that_end_soon(lab: Lab, server: ScoreServer) -> None:
    configure(lab, server)
    worker = started(lab)
    lab.send(runs(40))
    wait_to_equal("runs scored inline", lambda: scored(lab, "inline"), ids(40))
    assert worker.stop() == 0
    assert scored(lab, "own") == ids(40)
    assert committed(lab) == [10, 10, 10, 10]


def test_a_worker_that_joins_asks_again_about_what_it_takes_over(
    lab: Lab, server: ScoreServer
) -> None:
    configure(lab, server, concurrency=8)
    server.held |= ids(4)
    started(lab)
    lab.send(runs(40))
    wait_to_equal("runs scored outside", lambda: scored(lab, "own"), ids(40) - ids(4))
    started(lab)
    wait_until("all are asked again", lambda: all(server.asked.count(run) > 1 for run in ids(4)))
    server.released.set()
    wait_to_equal("offsets", lambda: committed(lab), [10, 10, 10, 10])
    assert scored(lab, "own") == ids(40)


def test_what_exceeds_the_budget_is_counted_and_waits_for_nothing(
    lab: Lab, server: ScoreServer
) -> None:
    configure(lab, server, budget_per_minute=5)
    worker = started(lab)
    lab.send(runs(40))
    wait_to_equal("offsets", lambda: committed(lab), [10, 10, 10, 10])
    assert len(scored(lab, "own")) == len(server.asked) == 5
    figures = worker.figures()
    outcomes = {
        labels["outcome"]: value
        for labels, value in figures.having("scorer_outcomes_total", agent=AGENT, scorer="own")
        if value
    }
    assert outcomes == {"scored": 5, "over_budget": 35}
    assert figures.total("scorer_duration_seconds_count", scorer="own") == 5
    assert figures.total("end_to_end_latency_seconds_count") == 40
