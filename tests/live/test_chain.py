"""Which stretches make one row: exact whatever workers died, slept or wrote twice."""

from typing import Any

import pytest

from live_scoring.core.pane import AgentPanes, Sheet, Stretch
from live_scoring.core.pipeline import Plan
from live_scoring.live.chain import Sheets
from tests.live.boards import SUNNY, agent_plan

PLAN = Plan((agent_plan(),))


def sheet(first: int, end: int, number: int = 0, **fields: Any) -> Sheet:
    stretch = Stretch(first, end, 0, 0, fields.get("writer", "w"), fields.get("ignored", ()))
    return Sheet(stretch, number, fields.get("is_last", True), fields.get("agents", ()))


def chain(offset: int, *sheets: Sheet, plan: Plan = PLAN) -> list[tuple[int, int]]:
    found = Sheets()
    for each in sheets:
        found.add(each)
    links = found.chain(offset, plan)
    return [(link.stretch.first_offset, link.stretch.next_offset) for link in links]


def test_stretches_that_follow_one_another_make_a_chain() -> None:
    assert chain(0, sheet(5, 9), sheet(0, 5), sheet(9, 12)) == [(0, 5), (5, 9), (9, 12)]


def test_a_chain_begins_where_windows_do_or_before() -> None:
    assert chain(6, sheet(0, 5), sheet(5, 9), sheet(9, 12)) == [(5, 9), (9, 12)]
    assert chain(5, sheet(0, 5), sheet(5, 9)) == [(5, 9)]


def test_a_chain_that_begins_inside_windows_is_none() -> None:
    assert chain(4, sheet(5, 9), sheet(9, 12)) == []


def test_a_chain_that_ends_before_windows_begin_is_none() -> None:
    assert chain(20, sheet(0, 5), sheet(5, 9)) == []


def test_a_chain_ends_at_a_gap() -> None:
    assert chain(0, sheet(0, 5), sheet(6, 9)) == [(0, 5)]


def test_a_stretch_of_which_a_sheet_is_missing_is_none() -> None:
    first, last = sheet(5, 9, is_last=False), sheet(5, 9, number=1)
    assert chain(0, sheet(0, 5), first) == [(0, 5)]
    assert chain(0, sheet(0, 5), last) == [(0, 5)]
    assert chain(0, sheet(0, 5), last, first, first) == [(0, 5), (5, 9)]


def test_sheets_of_two_workers_make_no_stretch_together() -> None:
    begun = sheet(0, 5, is_last=False, writer="one")
    assert chain(0, begun, sheet(0, 5, number=1, writer="other")) == []


def test_where_two_workers_wrote_the_row_that_reaches_further_holds() -> None:
    slept = [sheet(5, 8, writer="slept"), sheet(8, 10, writer="slept")]
    assert chain(0, sheet(0, 5), *slept, sheet(5, 14), sheet(14, 20)) == [(0, 5), (5, 14), (14, 20)]


def test_a_row_is_found_round_a_stretch_without_a_beginning() -> None:
    orphan = sheet(7, 9, writer="orphan")
    assert chain(0, sheet(0, 5), orphan, sheet(5, 9), sheet(9, 12)) == [(0, 5), (5, 9), (9, 12)]


@pytest.mark.parametrize(
    ("ignored", "serves"),
    [
        (("agent-1", "sunny", SUNNY.fingerprint), False),
        (("agent-1", "sunny", "another"), True),
        (("agent-2", "sunny", SUNNY.fingerprint), True),
    ],
)
def test_a_stretch_that_left_out_what_the_plan_asks_for_is_not_used(
    ignored: tuple[str, str, str], serves: bool
) -> None:
    found = chain(0, sheet(0, 5), sheet(5, 9, ignored=(ignored,)), sheet(9, 12))
    assert found == ([(0, 5), (5, 9), (9, 12)] if serves else [(0, 5)])


def panes(agent_id: str, *windows: int) -> tuple[AgentPanes, ...]:
    return (AgentPanes(agent_id, "", windows, (), ()),)


def test_a_stretch_counted_by_other_windows_is_not_used() -> None:
    assert chain(0, sheet(0, 5, agents=panes("agent-1", 60_000))) == [(0, 5)]
    assert chain(0, sheet(0, 5, agents=panes("agent-1", 60_000, 300_000))) == []


def test_windows_of_an_agent_that_is_gone_do_not_matter() -> None:
    assert chain(0, sheet(0, 5, agents=panes("agent-9", 1))) == [(0, 5)]
