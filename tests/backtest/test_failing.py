"""Failing runs: the newest are named, in whatever order they came."""

from hypothesis import given
from hypothesis import strategies as st

from live_scoring.backtest.failing import EXAMPLES, FailingRuns, Newest, example_of
from live_scoring.core.transition import Example
from tests.live.boards import score_of

MOMENTS = st.lists(st.integers(0, 200), max_size=40)


def example_at(ms: int, run_id: str = "run") -> Example:
    return Example(run_id, None, 0.0, "", ms)


@given(MOMENTS)
def test_the_newest_are_kept(moments: list[int]) -> None:
    newest = Newest()
    for ms in moments:
        newest.add(example_at(ms))
    assert [e.run_timestamp_ms for e in newest] == sorted(moments, reverse=True)[:EXAMPLES]


def test_of_runs_of_one_moment_the_order_of_their_ids_decides() -> None:
    newest = Newest()
    for run_id in "dbca":
        newest.add(example_at(0, run_id))
    assert [example.run_id for example in newest] == ["a", "b", "c"]


@given(MOMENTS, st.integers(0, 200), st.integers(0, 200))
def test_the_newest_of_a_stretch_are_found(moments: list[int], after: int, until: int) -> None:
    failing = FailingRuns(pane_ms=1)
    for ms in moments:
        failing.add(example_at(ms))
    inside = sorted((ms for ms in set(moments) if after < ms <= until), reverse=True)
    found = [e.run_timestamp_ms for e in failing.newest(after, until)]
    assert list(dict.fromkeys(found)) == inside[: len(set(found))]
    assert len(found) == min(EXAMPLES, sum(after < ms <= until for ms in moments))


def test_an_error_is_told_by_its_type_and_message() -> None:
    score = score_of("run-1", None, error_type="Timeout", error_message="no answer within 1 s")
    assert example_of(score).reason == "Timeout: no answer within 1 s"
