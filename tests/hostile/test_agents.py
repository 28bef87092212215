"""Agents without end and moments out of this world take bounded memory."""

import json
import tracemalloc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

import pytest

from live_scoring.core.pipeline import AgentPlan
from live_scoring.core.score import Score
from live_scoring.core.transition import WindowReport
from live_scoring.formats.score_json import decode_score
from live_scoring.live.board import Board
from live_scoring.live.intake import Harvest, Intake
from tests.adapters.fed_metrics import OPENMETRICS, parse
from tests.live.boards import NOW_MS, agent_plan, board_of, score_of
from tests.live.fakes import NOW_MS as TAKEN_MS
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
    return json.dumps({"run_id": "r", "agent_id": agent_id, "output": []} | fields).encode()


def capped() -> Intake:
    return intake_of(services_of(max_agents=CAP), agent_plan("*"))


def test_the_intake_remembers_so_many_agents_and_no_more() -> None:
    intake = capped()
    with growth_below(10_000_000):
        for number in range(AGENTS):
            take(intake, record_of(run_of(f"agent-{number}")), Harvest())
    shown = [number for number in range(AGENTS) if intake.is_shown(f"agent-{number}")]
    assert shown == list(range(CAP))


class Watched(NamedTuple):
    """A board as the page asks it, of a worker that holds its lease."""

    board: Board

    def reports(self) -> Iterable[WindowReport]:
        return self.board.reports()

    def judged_at_seconds(self) -> Mapping[str, float]:
        return dict.fromkeys(self.board.judged_agents(), TAKEN_MS / 1000)

    def complete(self) -> Mapping[str, bool]:
        return self.board.complete()

    def rebuilding(self) -> Mapping[int, bool]:
        return self.board.rebuilding()


def shown(plan: AgentPlan, payloads: Iterable[bytes]) -> tuple[set[bytes | None], Board, bytes]:
    """The keys of the scores of some runs, and what they make of a board and of the page."""
    services, harvest, board = services_of(), Harvest(), board_of(plan, now_ms=TAKEN_MS)
    intake = intake_of(services, plan)
    services.metrics.watch(Watched(board))
    for payload in payloads:
        take(intake, record_of(payload), harvest)
    services.metrics.published(harvest.scores)
    for record in harvest.score_records:
        score = decode_score(record.value)
        assert isinstance(score, Score)
        board.add(0, score)
    for _, tracked, transition in board.judge(TAKEN_MS):
        tracked.standing[transition.window] = transition
        services.metrics.transition(transition)
    return {r.key for r in harvest.score_records}, board, services.metrics.render(OPENMETRICS)[0]


def series_of(page: bytes) -> set[tuple[str, frozenset[tuple[str, str]]]]:
    """Names and labels of the page's samples, none of which comes twice."""
    families = parse(page, OPENMETRICS)
    found = [(s.name, frozenset(s.labels.items())) for f in families for s in f.samples]
    assert len(set(found)) == len(found)
    return set(found)


ODD = ("\0", "\ud800", "\udfff", "\ufffd")
"""No two of which a label or a key in UTF-8 can tell apart."""


def test_agents_that_no_label_can_tell_apart_are_one() -> None:
    runs = [run_of(f"agent{odd}", run_id=str(at)) for at, odd in enumerate(ODD)]
    keys, board, page = shown(agent_plan("*"), runs)
    assert keys == {"agent\ufffd".encode()}
    assert [(r.agent_id, r.tallies["close"].scored) for r in board.reports() if r.tallies] == [
        ("agent\ufffd", len(ODD))
    ]
    assert {v for _, labels in series_of(page) for n, v in labels if n == "agent"} == {
        "agent\ufffd"
    }


def test_groups_that_no_label_can_tell_apart_are_one() -> None:
    runs = [
        run_of("agent-1", run_id=str(at), tags={"env": f"prod{odd}"}) for at, odd in enumerate(ODD)
    ]
    _, board, page = shown(agent_plan("*", split_by=("env",)), runs)
    assert [(r.group, r.tallies["close"].scored) for r in board.reports() if r.tallies] == [
        ("prod\ufffd", len(ODD))
    ]
    assert {v for _, labels in series_of(page) for n, v in labels if n == "group"} == {"prod\ufffd"}


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
