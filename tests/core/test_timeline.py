"""The past swept: at every pane end what a live window would have said with everything in it."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.pipeline import Plan
from live_scoring.core.score import Score
from live_scoring.core.timeline import Timeline
from live_scoring.core.window import AgentWindows, Tally
from tests.core.timelines import (
    AGENT,
    Figures,
    by_pane_end,
    close_at,
    history_key,
    not_applicable_at,
    score_at,
    timeline_of,
)
from tests.live.boards import NOW_MS, agent_plan
from tests.offline_model import ScoreFact, expect_verdict, expect_windows

DAY_MS = 86_400_000


@st.composite
def scores(draw: st.DrawFn) -> list[Score]:
    """Scores of runs that keep their time and their scores when they are repeated."""
    made = []
    for number in range(draw(st.integers(0, 30))):
        build: Callable[..., Score] = draw(st.sampled_from([score_at, close_at, not_applicable_at]))
        made.append(
            build(
                draw(st.integers(0, 400_000)),
                f"run-{number}",
                draw(st.sampled_from([0.0, 0.25, 1.0, None])),
                agent_id=draw(st.sampled_from(["agent-1", "agent-2"])),
                group=draw(st.sampled_from(["", "prod"])),
            )
        )
    repeated = draw(st.lists(st.sampled_from(made), max_size=5)) if made else []
    return draw(st.permutations(made + repeated))


def swept(timeline: Timeline, *bounds: int) -> dict[tuple[str, str, str], dict[int, Figures]]:
    return {
        (h.agent_id, h.group, h.window.name): dict(by_pane_end(h)) for h in timeline.sweep(*bounds)
    }


def fact_of(score: Score) -> ScoreFact:
    return ScoreFact(
        score.agent_id,
        score.group,
        score.scorer,
        score.run_id,
        score.run_timestamp_ms,
        score.outcome,
        score.score,
    )


@given(scores())
def test_every_pane_end_is_what_counting_anew_gives(scores: list[Score]) -> None:
    facts = [fact_of(score) for score in scores]
    for history in timeline_of(scores).sweep():
        for end_ms, (tallies, verdict) in by_pane_end(history):
            held = expect_windows(facts, history.window.length_ms, end_ms)
            here = {key[2]: seen for key, seen in held.items() if key[:2] == history_key(history)}
            figures = {name: (t.scored, t.errors, t.average) for name, t in tallies.items()}
            assert figures == {n: (e.samples, e.errors, e.average) for n, e in here.items()}
            expected = expect_verdict(here, AGENT.rules, history.window.min_samples)
            assert verdict is not None
            assert verdict.state == expected


@given(scores())
def test_the_order_of_the_scores_changes_nothing(scores: list[Score]) -> None:
    assert swept(timeline_of(scores)) == swept(timeline_of(reversed(scores)))


@given(scores(), st.integers(0, 400_000))
def test_a_live_window_at_the_same_now_holds_the_same(scores: list[Score], after_ms: int) -> None:
    for history in timeline_of(scores).sweep(NOW_MS + after_ms, NOW_MS + after_ms):
        ((end_ms, (tallies, _)),) = by_pane_end(history)
        live = AgentWindows([history.window], [s.name for s in AGENT.scorers], end_ms)
        for score in scores:
            if (score.agent_id, score.group) == history_key(history):
                add_live(live, score)
        held = {n: t for n, t in live.windows[0].tallies.items() if t.scored or t.errors}
        assert tallies == held


def add_live(live: AgentWindows, score: Score) -> None:
    if score.outcome == "not_applicable":
        live.mark(score.run_id, score.scorer, score.run_timestamp_ms)
    else:
        live.add(score.run_id, score.scorer, score.run_timestamp_ms, score.score)


@given(scores())
def test_stretches_follow_one_another_without_a_gap(scores: list[Score]) -> None:
    for history in timeline_of(scores).sweep():
        stretches = list(history.stretches)
        for before, after in pairwise(stretches):
            assert before.first_ms + before.ends * history.window.pane_ms == after.first_ms
        assert all(stretch.ends >= 1 for stretch in stretches)


def test_a_range_is_swept_from_the_pane_of_its_first_moment_to_that_of_its_last() -> None:
    timeline = timeline_of([score_at(0, "run-1")])
    (minute, _) = timeline.sweep(NOW_MS - 4_000, NOW_MS + 2_000)
    assert [end for end, _ in by_pane_end(minute)] == [
        NOW_MS - 4_000 + n * 2_000 + 1_999 for n in range(4)
    ]


def test_what_lies_before_the_range_counts_in_its_first_windows() -> None:
    timeline = timeline_of([score_at(0, "run-1")])
    figures = swept(timeline, NOW_MS + 58_000, NOW_MS + 60_000)["agent-1", "", "1m"]
    assert [tallies for tallies, _ in figures.values()] == [
        {"sunny": Tally(scored=1, full=1, total=10**9)},
        {},
    ]


def test_the_verdict_before_the_range_is_told() -> None:
    timeline = timeline_of([score_at(0, "run-1", 0.0)])
    befores = [
        next(timeline.sweep(NOW_MS + after_ms, NOW_MS + DAY_MS)).before
        for after_ms in (0, 2_000, 60_000, 62_000)
    ]
    assert [before.state for before in befores if before] == [
        "no_data",
        "failed",
        "failed",
        "no_data",
    ]


def test_a_year_of_silence_costs_one_stretch() -> None:
    timeline = timeline_of([score_at(0, "run-1"), score_at(365 * DAY_MS, "run-2")])
    (minute, _) = timeline.sweep()
    assert [stretch.ends for stretch in minute.stretches] == [30, 365 * DAY_MS // 2_000 - 30, 1]


@pytest.mark.parametrize(
    ("score", "added"),
    [
        (score_at(0, "run-1", 0.0), "duplicate"),
        (score_at(0, "run-2", fingerprint="old"), "stale_scorer"),
        (score_at(0, "run-2", scorer="removed"), "stale_scorer"),
        (score_at(0, "run-2", agent_id="stranger"), "stale_scorer"),
        (close_at(0, "run-1", 1.0), "counted"),
    ],
)
def test_only_new_scores_of_present_scorers_count(score: Score, added: str) -> None:
    assert timeline_of([score_at(0, "run-1")]).add(score) == added


def test_a_run_marked_not_applicable_does_not_count_later() -> None:
    timeline = timeline_of([not_applicable_at(0, "run-1")])
    assert timeline.add(score_at(0, "run-1")) == "duplicate"


def test_without_a_score_there_is_nothing_to_sweep() -> None:
    assert list(timeline_of([]).sweep()) == []
    assert list(timeline_of([]).sweep(NOW_MS, NOW_MS)) == []


def test_an_agent_without_rules_has_no_verdict() -> None:
    plan = Plan((agent_plan(rules=()),))
    (history,) = timeline_of([score_at(0, "run-1")], plan).sweep()
    assert [stretch.verdict for stretch in history.stretches] == [None]
