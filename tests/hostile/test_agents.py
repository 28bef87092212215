"""Agents without end and moments out of this world take bounded memory."""

import json
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from live_scoring.live.intake import Harvest, Intake
from tests.live.boards import NOW_MS, agent_plan, board_of, score_of
from tests.live.intakes import intake_of, record_of, services_of, take

AGENTS = 5_000
CAP = 100
MOMENTS = (-(2**62), -1, 0, NOW_MS, 32_472_144_000_000, 2**62)
"""Milliseconds since the epoch: long before 1970, now, in 2999, and past any calendar."""


@contextmanager
def growth_below(limit: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        grown, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert grown < limit


def run_of(agent_id: str, **fields: object) -> bytes:
    return json.dumps({"run_id": "r", "agent_id": agent_id, "output": [], **fields}).encode()


def capped() -> Intake:
    return intake_of(services_of(max_agents=CAP), agent_plan("*"))


def test_the_intake_remembers_so_many_agents_and_no_more() -> None:
    intake = capped()
    with growth_below(10_000_000):
        for number in range(AGENTS):
            take(intake, record_of(run_of(f"agent-{number}")), Harvest())
    shown = [number for number in range(AGENTS) if intake.is_shown(f"agent-{number}")]
    assert shown == list(range(CAP))


def test_agents_that_no_label_can_tell_apart_make_one_series() -> None:
    services, harvest = services_of(), Harvest()
    intake = intake_of(services, agent_plan("*"))
    for odd in ("\0", "\ud800", "\udfff", "\ufffd"):
        take(intake, record_of(run_of(f"agent{odd}")), harvest)
    services.metrics.published(harvest.scores)
    lines = services.metrics.render()[0].decode().splitlines()
    series = [line.rpartition(" ")[0] for line in lines if not line.startswith("#")]
    assert len(set(series)) == len(series)
    assert {score.agent_id for score in harvest.scores} == {"agent\ufffd"}


def test_the_board_keeps_windows_of_so_many_agents_and_no_more() -> None:
    board = board_of(agent_plan("*"), max_agents=CAP)
    with growth_below(3_000_000):
        admitted = [board.add(0, score_of(agent_id=f"agent-{n}")) for n in range(AGENTS)]
    assert admitted == ["counted"] * CAP + [None] * (AGENTS - CAP)


def test_unknown_agents_are_counted_by_name_for_so_many_and_no_more() -> None:
    intake = intake_of(services_of(), agent_plan("agent-1"))
    for number in range(AGENTS):
        take(intake, record_of(run_of(f"stranger-{number}")), Harvest())
    assert len(intake.unknown_agents) == 1_000


@pytest.mark.parametrize("of_record", MOMENTS)
@pytest.mark.parametrize("of_run", [None, "1970-01-01T00:00:00Z", "2999-01-01T00:00:00Z"])
def test_a_run_of_any_moment_is_scored(of_record: int, of_run: str | None) -> None:
    harvest = Harvest()
    record = record_of(run_of("agent-1", timestamp=of_run))
    record.timestamp = of_record
    take(capped(), record, harvest)
    assert len(harvest.scores) == len(harvest.score_records) == 2
    assert not harvest.dead_letters


def test_a_flood_of_bad_records_leaves_nothing_behind_but_its_letters() -> None:
    intake, bad = capped(), record_of(b"{" * 100)
    with growth_below(1_000_000):
        for _ in range(10_000):
            harvest = Harvest()
            take(intake, bad, harvest)
            assert len(harvest.dead_letters) == 1
    assert intake.bad == 10_000
