"""Everything as one window: counted as a rolling window counts, without its edges."""

from hypothesis import given
from hypothesis import strategies as st

from live_scoring.core.verdict import Gate, Threshold, judge, passes
from live_scoring.core.whole import WholeWindow
from live_scoring.core.window import AgentWindows
from tests.live.boards import MINUTE, NOW_MS, SUNNY, agent_plan, score_of

FACTS = st.lists(
    st.tuples(
        st.sampled_from(["run-1", "run-2", "run-3"]),
        st.sampled_from(["sunny", "close"]),
        st.sampled_from([0.0, 0.5, 1.0, None, "not_applicable"]),
    )
)


@given(FACTS)
def test_it_counts_and_judges_as_a_rolling_window_that_holds_everything(
    facts: list[tuple[str, str, float | str | None]],
) -> None:
    plan = agent_plan()
    whole = WholeWindow(plan)
    rolling = AgentWindows([MINUTE], [scorer.name for scorer in plan.scorers], NOW_MS)
    for run_id, scorer, value in facts:
        if isinstance(value, str):
            score = score_of(run_id, None, scorer=scorer, outcome="not_applicable")
            counted = rolling.mark(run_id, scorer, NOW_MS)
        else:
            score = score_of(run_id, value, scorer=scorer)
            counted = rolling.add(run_id, scorer, NOW_MS, value)
        assert whole.add(score) == (counted == "counted")
    assert whole.tallies == rolling.windows[0].tallies
    assert whole.judge() == judge(rolling.windows[0].tallies, plan.rules)


def test_no_rule_asks_for_more_runs_than_there_are() -> None:
    window = WholeWindow(agent_plan(scorers=(SUNNY,), rules=(Gate("sunny", min_samples=1_000),)))
    window.add(score_of())
    verdict = window.judge()
    assert verdict is not None
    assert verdict.state == "passed"


def test_a_run_enters_once() -> None:
    window = WholeWindow(agent_plan())
    assert [window.enter("run-1"), window.enter("run-1"), window.enter("run-2")] == [
        True,
        False,
        True,
    ]
    assert window.runs == 2


def test_an_error_harms_only_a_rule_that_minds_errors() -> None:
    assert not passes(Gate("a"), None)
    assert passes(Gate("a", on_error="ignore"), None)
    assert passes(Threshold("a", min=0.5), None)


def test_a_score_harms_a_gate_below_1_and_a_threshold_outside_its_bounds() -> None:
    assert [passes(Gate("a"), score) for score in (1.0, 0.999)] == [True, False]
    bounds = Threshold("a", min=0.2, max=0.8)
    assert [passes(bounds, score) for score in (0.1, 0.2, 0.8, 0.9)] == [False, True, True, False]
