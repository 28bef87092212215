"""Windows: their edges, their exact sums, and each score once."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.window import NANO, AgentWindows, Tally, Window, WindowSpec
from tests.offline_model import Expected, ScoreFact, expect_windows, is_inside

MINUTE = WindowSpec("1m", 60_000)
ODD_MINUTE = WindowSpec("61s", 61_000)
NOW = 1_793_534_400_000
"""A whole number of panes of one minute's window."""
PANE = 2_000


def windows(*specs: WindowSpec, now_ms: int = NOW) -> AgentWindows:
    return AgentWindows(specs or (MINUTE,), ("a", "b", "c"), now_ms)


def held(agent: AgentWindows, index: int = 0) -> dict[str, Tally]:
    """What a window holds, without the scorers of which it holds nothing."""
    return {n: t for n, t in agent.windows[index].tallies.items() if t.scored or t.errors}


def test_a_window_holds_thirty_panes_to_the_millisecond() -> None:
    assert Window(MINUTE, NOW).first_ms == NOW - 29 * PANE
    assert Window(MINUTE, NOW + PANE - 1).first_ms == NOW - 29 * PANE
    agent = windows()
    assert agent.add("r", "a", NOW - 29 * PANE, 1.0) == "counted"
    assert agent.add("r", "b", NOW - 29 * PANE - 1, 1.0) == "late"


def test_a_window_holds_the_whole_pane_of_now_and_nothing_after_it() -> None:
    agent = windows()
    agent.add("last", "a", NOW + PANE - 1, 1.0)
    agent.add("next", "a", NOW + PANE, 1.0)
    assert held(agent)["a"].scored == 1


def test_a_score_of_the_future_waits_until_its_pane_begins() -> None:
    agent = windows()
    assert agent.add("r", "a", NOW + PANE, 1.0) == "counted"
    assert not agent.advance(NOW + PANE - 1)
    assert held(agent) == {}
    assert agent.advance(NOW + PANE)
    assert held(agent)["a"].scored == 1


def test_a_score_that_waited_through_a_long_pause_is_never_inside() -> None:
    agent = windows()
    agent.add("r", "a", NOW + PANE, 1.0)
    assert not agent.advance(NOW + 100 * PANE)
    assert held(agent) == {}


def test_a_score_leaves_with_its_pane() -> None:
    agent = windows()
    agent.add("r", "a", NOW, 0.5)
    assert not agent.advance(NOW + 29 * PANE)
    assert held(agent)["a"].scored == 1
    assert agent.advance(NOW + 30 * PANE)
    assert held(agent) == {}


def test_a_late_score_counts_nowhere_and_is_forgotten() -> None:
    agent = windows()
    late = NOW - 30 * PANE
    assert agent.add("r", "a", late, 1.0) == "late"
    assert agent.add("r", "a", late, 1.0) == "late"
    assert held(agent) == {}


def test_a_score_late_for_the_short_window_counts_in_the_long_one() -> None:
    agent = windows(MINUTE, WindowSpec("5m", 300_000))
    assert agent.add("r", "a", NOW - 90_000, 1.0) == "counted"
    assert held(agent, 0) == {}
    assert held(agent, 1)["a"].scored == 1


def test_windows_hold_the_same_over_however_many_grains_of_time_scores_come() -> None:
    agent = windows(MINUTE, ODD_MINUTE)
    assert gcd(MINUTE.pane_ms, ODD_MINUTE.pane_ms) == 1
    ages = [age * 97 % 62_500 for age in range(1_000)]
    counted = [agent.add(str(age), "a", NOW - age, 1.0) for age in ages]
    assert counted.count("late") == sum(not is_inside(NOW - a, 61_000, NOW) for a in ages)
    for index, spec in enumerate((MINUTE, ODD_MINUTE)):
        inside = sum(is_inside(NOW - age, spec.length_ms, NOW) for age in ages)
        assert held(agent, index) == {"a": Tally(inside, inside, inside * NANO)}


def test_a_score_is_judged_late_anew_once_time_went_on() -> None:
    agent = windows()
    assert agent.add("r", "a", NOW - 29 * PANE, 1.0) == "counted"
    agent.advance(NOW + PANE)
    assert agent.add("r", "b", NOW - 29 * PANE, 1.0) == "late"
    assert agent.mark("r", "c", NOW - 29 * PANE) == "late"


def test_time_that_goes_back_moves_no_edge() -> None:
    agent = windows()
    agent.add("r", "a", NOW, 1.0)
    assert not agent.advance(NOW - 600_000)
    assert held(agent)["a"].scored == 1
    assert agent.add("old", "a", NOW - 30 * PANE, 1.0) == "late"


def test_of_two_scores_of_a_run_the_first_counts() -> None:
    agent = windows()
    assert agent.add("r", "a", NOW, 0.25) == "counted"
    assert agent.add("r", "a", NOW, 0.75) == "duplicate"
    assert agent.add("r", "b", NOW, 0.75) == "counted"
    assert held(agent)["a"].total == NANO // 4


def test_an_error_that_comes_first_stands_for_the_run() -> None:
    agent = windows()
    agent.add("r", "a", NOW, None)
    assert agent.add("r", "a", NOW, 1.0) == "duplicate"
    assert held(agent) == {"a": Tally(errors=1)}


def test_a_run_marked_not_applicable_does_not_count_later() -> None:
    agent = windows()
    assert agent.mark("r", "a", NOW) == "counted"
    assert agent.mark("r", "a", NOW) == "duplicate"
    assert agent.add("r", "a", NOW, 1.0) == "duplicate"
    assert agent.mark("r", "a", NOW - 30 * PANE) == "late"
    assert held(agent) == {}


@pytest.mark.parametrize("moved_panes", [1, 15, 29])
def test_a_closed_pane_still_knows_what_it_counted(moved_panes: int) -> None:
    agent = windows()
    agent.add("r", "a", NOW, 1.0)
    agent.advance(NOW + moved_panes * PANE)
    assert agent.add("r", "a", NOW, 1.0) == "duplicate"
    assert agent.add("r", "b", NOW, 1.0) == "counted"
    agent.advance(NOW + 29 * PANE + 1)
    assert agent.add("r", "b", NOW, 1.0) == "duplicate"


def test_what_a_tiny_window_still_holds_counts_once() -> None:
    agent = windows(WindowSpec("10ms", 10))
    assert agent.add("r", "a", NOW - 20, 1.0) == "counted"
    agent.advance(NOW + 1)
    assert held(agent)["a"].scored == 1
    assert agent.add("r", "a", NOW - 20, 1.0) == "duplicate"


def test_sixty_four_scorers_fit_one_ledger() -> None:
    names = [f"s{n}" for n in range(64)]
    agent = AgentWindows((MINUTE,), names, NOW)
    assert {agent.add("r", name, NOW, 1.0) for name in names} == {"counted"}
    agent.advance(NOW + PANE)
    assert {agent.add("r", name, NOW, 1.0) for name in names} == {"duplicate"}


def test_an_average_is_exact() -> None:
    tally = Tally()
    for _ in range(3):
        tally.count(0.7)
    assert tally.average == 0.7
    assert Tally().average is None


def test_only_an_unrounded_one_is_full() -> None:
    tally = Tally()
    for score in (1.0, 0.9999999999999999, True):
        tally.count(score)
    assert (tally.full, tally.total) == (2, 3 * NANO)


@dataclass(frozen=True)
class Arrival:
    """A score as it comes in, after the clock went on."""

    run: int
    scorer: str
    at_ms: int
    score: float | None
    waited_ms: int


SCORES = st.one_of(st.none(), st.sampled_from([0.0, 1.0, 0.7, 0.1]), st.floats(0, 1))
SPECS = st.lists(
    st.integers(1, 200_000) | st.integers(1, 40), min_size=1, max_size=4, unique=True
).map(lambda lengths: tuple(WindowSpec(f"{length}ms", length) for length in lengths))


@st.composite
def arrivals(draw: st.DrawFn) -> list[Arrival]:
    """Scores out of order, some repeated, the clock going on between them."""
    age = st.one_of(st.integers(-30_000, 250_000), st.integers(-20, 50))
    ages = draw(st.lists(age, min_size=1, max_size=12))
    return draw(
        st.lists(
            st.builds(
                lambda run, scorer, score, waited: Arrival(
                    run, scorer, NOW - ages[run], score, waited
                ),
                st.integers(0, len(ages) - 1),
                st.sampled_from("abc"),
                SCORES,
                st.one_of(st.just(0), st.integers(0, 20), st.integers(0, 20_000)),
            ),
            max_size=40,
        )
    )


def facts_of(arrived: Sequence[Arrival]) -> list[ScoreFact]:
    return [
        ScoreFact(
            "agent",
            "",
            a.scorer,
            str(a.run),
            a.at_ms,
            "error" if a.score is None else "scored",
            a.score,
        )
        for a in arrived
    ]


def assert_holds(agent: AgentWindows, index: int, expected: dict[str, Expected]) -> None:
    found = {name: (t.scored, t.errors, t.average) for name, t in held(agent, index).items()}
    assert found == {name: (e.samples, e.errors, e.average) for name, e in expected.items()}


@given(SPECS, arrivals())
def test_windows_equal_a_recount_of_all_that_was_not_late(
    specs: tuple[WindowSpec, ...], arrived: list[Arrival]
) -> None:
    agent, now = windows(*specs), NOW
    in_time: dict[str, list[Arrival]] = {spec.name: [] for spec in specs}
    for score in arrived:
        now += score.waited_ms
        agent.advance(now)
        agent.add(str(score.run), score.scorer, score.at_ms, score.score)
        for spec in specs:
            # In time is what is inside, or still to come, when it arrives.
            if is_inside(score.at_ms, spec.length_ms, now) or score.at_ms > now:
                in_time[spec.name].append(score)
    for index, spec in enumerate(specs):
        expected = expect_windows(facts_of(in_time[spec.name]), spec.length_ms, now)
        assert_holds(agent, index, {key[2]: value for key, value in expected.items()})


@given(st.data(), st.lists(st.tuples(st.integers(-5_000, 65_000), SCORES), max_size=30))
def test_a_window_is_the_same_in_whatever_order_its_scores_arrive(
    data: st.DataObject, scores: list[tuple[int, float | None]]
) -> None:
    numbered = list(enumerate(scores))
    tallies = []
    for order in (numbered, data.draw(st.permutations(numbered))):
        agent = windows(MINUTE, ODD_MINUTE)
        for run, (age, score) in order:
            agent.add(str(run), "a", NOW - age, score)
        agent.advance(NOW + 3_000)
        tallies.append([held(agent, index) for index in range(2)])
    assert tallies[0] == tallies[1]


@given(SPECS, arrivals())
def test_a_redelivery_of_everything_changes_no_window(
    specs: tuple[WindowSpec, ...], arrived: list[Arrival]
) -> None:
    agent = windows(*specs)
    results = [agent.add(str(a.run), a.scorer, a.at_ms, a.score) for a in arrived]
    before = [held(agent, index) for index in range(len(specs))]
    agent.advance(NOW)
    again = [agent.add(str(a.run), a.scorer, a.at_ms, a.score) for a in arrived]
    assert all(r in ("duplicate", "late") for r in again)
    assert results.count("late") == again.count("late")
    assert [held(agent, index) for index in range(len(specs))] == before
