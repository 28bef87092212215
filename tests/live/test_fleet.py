"""The fleet's table: the verdict judged last, whatever is seen twice."""

import asyncio
from typing import Any

import orjson

from live_scoring.core.pipeline import Plan
from live_scoring.core.transition import Transition
from live_scoring.core.verdict import Verdict, VerdictState
from live_scoring.formats.verdict_json import encode_verdict, verdict_key
from live_scoring.live.fleet import CHANGES, Fleet
from tests.live.fakes import NOW_MS, FakeClock, plan_of

NO_PLAN = Plan(())


def _note(fleet: Fleet, state: VerdictState, offset: int, agent: str = "weather-agent") -> None:
    transition = Transition(
        agent, "", "5m", Verdict(state, ()), "no_data", NOW_MS, 0, offset, "hash-1"
    )
    assert fleet.note(verdict_key(agent, "", "5m"), encode_verdict(transition)) is None


def _records(fleet: Fleet, plan: Plan = NO_PLAN) -> list[dict[str, Any]]:
    async def read() -> list[dict[str, Any]]:
        clock = FakeClock().as_clock()
        return [orjson.loads(record) async for record in fleet.records(plan, clock)]

    return asyncio.run(read())


def _states(fleet: Fleet, plan: Plan = NO_PLAN) -> list[tuple[str, str]]:
    return [(record["agent_id"], record["verdict"]) for record in _records(fleet, plan)]


def test_a_verdict_judged_later_replaces_an_earlier_one() -> None:
    fleet = Fleet()
    _note(fleet, "failed", 5)
    _note(fleet, "passed", 9)
    assert _states(fleet) == [("weather-agent", "passed")]


def test_an_older_verdict_that_comes_again_changes_nothing() -> None:
    fleet = Fleet()
    _note(fleet, "passed", 9)
    _note(fleet, "failed", 5)
    assert _states(fleet) == [("weather-agent", "passed")]


def test_of_two_verdicts_up_to_the_same_score_the_later_record_holds() -> None:
    fleet = Fleet()
    _note(fleet, "passed", 9)
    _note(fleet, "no_data", 9)
    assert _states(fleet) == [("weather-agent", "no_data")]


def test_a_tombstone_forgets_a_window() -> None:
    fleet = Fleet()
    _note(fleet, "passed", 9)
    fleet.note(verdict_key("weather-agent", "", "5m"), None)
    fleet.note(verdict_key("never-heard-of", "", "5m"), None)
    assert _states(fleet) == []
    assert fleet.agents() == []


def test_a_record_that_is_no_verdict_is_told_and_left_out() -> None:
    fleet = Fleet()
    failure = fleet.note(b"key", b"not json")
    assert failure is not None
    assert failure.reason == "not_json"
    assert _states(fleet) == []


def test_a_named_agent_never_heard_of_has_no_data() -> None:
    [record] = _records(Fleet(), plan_of("quiet-agent", "glob-*"))
    assert (record["agent_id"], record["window"], record["group"]) == ("quiet-agent", "5m", "")
    assert record["verdict"] == "no_data"
    assert [gate["status"] for gate in record["gates"]] == ["insufficient"]


def test_a_named_agent_with_a_verdict_is_shown_once() -> None:
    fleet = Fleet()
    _note(fleet, "failed", 9)
    assert _states(fleet, plan_of("weather-agent")) == [("weather-agent", "failed")]


def test_agents_come_in_order_of_their_ids() -> None:
    fleet = Fleet()
    for agent in ("b", "c", "a"):
        _note(fleet, "passed", 1, agent)
    assert [agent for agent, _ in _states(fleet)] == ["a", "b", "c"]
    assert fleet.agents() == ["a", "b", "c"]


def _changes(*noted: tuple[VerdictState, int, int]) -> list[tuple[VerdictState, int]]:
    """The changes kept after notes of a state, an offset and a time."""
    fleet = Fleet()
    for state, offset, at_ms in noted:
        transition = Transition(
            "agent", "", "5m", Verdict(state, ()), "no_data", at_ms, 0, offset, "hash-1"
        )
        fleet.note(b"key", encode_verdict(transition))
    [standing] = asyncio.run(fleet.standing(NO_PLAN, FakeClock().as_clock()))
    return [(change.state, change.at_ms) for change in standing.changes]


def test_changes_are_kept_in_order_and_each_once() -> None:
    past: list[tuple[VerdictState, int, int]] = [("passed", 1, 10), ("failed", 5, 20)]
    assert _changes(*past, *past, ("passed", 5, 30)) == [
        ("passed", 10),
        ("failed", 20),
        ("passed", 30),
    ]


def test_only_the_last_changes_are_kept() -> None:
    kept = _changes(*(("passed", number, number) for number in range(1, CHANGES + 10)))
    assert [at_ms for _, at_ms in kept] == list(range(10, CHANGES + 10))
