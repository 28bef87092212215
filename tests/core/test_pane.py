"""Panes: what scores added to windows makes the same windows elsewhere."""

from collections.abc import Iterable, Sequence

from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.ledger import run_key
from live_scoring.core.pane import RUNS, AgentPanes, PaneDraft
from live_scoring.core.window import AgentWindows, Tally, WindowSpec
from tests.core.test_window import NOW, SPECS, Arrival, arrivals, held

MINUTE = WindowSpec("1m", 60_000)
SCORERS = ("a", "b", "c")


def took(drafts: Sequence[PaneDraft], windows: AgentWindows, arrived: Iterable[Arrival]) -> None:
    """Count what comes in, and draft what was counted, each in one of the drafts."""
    for number, a in enumerate(arrived):
        if windows.add(str(a.run), a.scorer, a.at_ms, a.score) == "counted":
            drafts[number % len(drafts)].add(str(a.run), a.scorer, a.at_ms, a.score)


def include(windows: AgentWindows, draft: PaneDraft, now_ms: int) -> None:
    for pane in draft.panes(now_ms):
        windows.include(pane.at, pane.runs, pane.counts)


@given(SPECS, arrivals(), st.integers(1, 3), st.integers(0, 5_000))
def test_windows_made_of_panes_equal_those_that_counted_the_scores(
    specs: tuple[WindowSpec, ...], arrived: list[Arrival], parts: int, waited_ms: int
) -> None:
    counted, now_ms = AgentWindows(specs, SCORERS, NOW), NOW + waited_ms
    drafts = [PaneDraft(specs, SCORERS) for _ in range(parts)]
    took(drafts, counted, arrived)
    made = AgentWindows(specs, SCORERS, now_ms)
    for draft in drafts:
        include(made, draft, NOW)
    counted.advance(now_ms)
    for _ in range(2):
        for index in range(len(specs)):
            assert held(made, index) == held(counted, index)
        for a in arrived:
            again = (str(a.run), a.scorer, a.at_ms, a.score)
            assert made.add(*again) == counted.add(*again) != "counted"
        now_ms += 20_000
        assert made.advance(now_ms) == counted.advance(now_ms)


def test_a_run_that_was_not_applicable_is_in_a_pane_without_a_count() -> None:
    draft = PaneDraft((MINUTE,), SCORERS)
    draft.mark("run-1", "b", NOW)
    (pane,) = draft.panes(NOW)
    assert ([*pane.runs[0]], [*pane.runs[1]]) == ([run_key("run-1")], [0b010])
    assert pane.counts == ({},)
    assert pane.last_ms == 0


def test_a_pane_of_many_runs_comes_in_parts_that_are_counted_once() -> None:
    draft, windows = PaneDraft((MINUTE,), SCORERS), AgentWindows((MINUTE,), SCORERS, NOW)
    for number in range(RUNS + 1):
        draft.add(str(number), "a", NOW, 1.0)
    assert [len(pane.runs[0]) for pane in draft.panes(NOW)] == [RUNS, 1]
    include(windows, draft, NOW)
    assert held(windows)["a"].scored == RUNS + 1


def test_a_pane_of_many_moments_comes_in_parts_whose_counts_add_up() -> None:
    specs = (WindowSpec("10m", 600_000), WindowSpec("1s", 1_000))
    draft, windows = PaneDraft(specs, SCORERS), AgentWindows(specs, SCORERS, NOW)
    for number in range(600):
        draft.add("one run", "abc"[number % 3], NOW - number, 1.0)
    assert [len(pane.runs[0]) for pane in draft.panes(NOW)] == [1, 1, 0, 0]
    include(windows, draft, NOW)
    assert [sum(t.scored for t in w.tallies.values()) for w in windows.windows] == [600, 600]


def test_counts_that_have_left_their_window_are_left_out() -> None:
    draft = PaneDraft((MINUTE, WindowSpec("5m", 300_000)), SCORERS)
    draft.add("run-1", "a", NOW, 1.0)
    (pane,) = draft.panes(NOW + 60_000)
    assert pane.counts[0] == {}
    assert list(pane.counts[1].values()) == [{"a": Tally(1, 1, 10**9)}]


def panes_of(*scorers: tuple[str, str]) -> AgentPanes:
    """One run, scored 1 by all of them."""
    draft = PaneDraft((MINUTE,), [name for name, _ in scorers])
    for name, _ in scorers:
        draft.add("run-1", name, NOW, 1.0)
    return AgentPanes("agent", "", (60_000,), scorers, tuple(draft.panes(NOW)))


def test_panes_are_adapted_to_scorers_that_have_moved() -> None:
    (pane,) = panes_of(("a", "1"), ("b", "1")).adapted([("b", "1"), ("new", "1"), ("a", "1")])
    assert [*pane.runs[1]] == [0b101]
    assert [set(tallies) for tallies in pane.counts[0].values()] == [{"a", "b"}]


def test_a_scorer_that_has_changed_or_gone_is_taken_out_of_panes() -> None:
    (pane,) = panes_of(("a", "1"), ("b", "1"), ("c", "1")).adapted([("a", "2"), ("b", "1")])
    assert [*pane.runs[1]] == [0b10]
    assert [set(tallies) for tallies in pane.counts[0].values()] == [{"b"}]


def test_runs_of_which_no_scorer_is_left_are_taken_out_of_panes() -> None:
    (pane,) = panes_of(("a", "1")).adapted([("a", "2")])
    assert not pane.runs[0]
