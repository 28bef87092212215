from hypothesis import given
from hypothesis import strategies as st

from live_scoring.replay.pace import Pace


def test_without_a_rate_all_may_be_read() -> None:
    pace = Pace(None, 0.0)
    pace.take(1_000_000)
    assert pace.allowed(1_000, 0.0) == 1_000
    assert pace.wait_seconds == 0


def test_a_pace_begins_with_a_seconds_worth_and_then_waits() -> None:
    pace = Pace(10, 0.0)
    assert pace.allowed(1_000, 0.0) == 10
    pace.take(10)
    assert pace.allowed(1_000, 0.05) == 0
    assert pace.wait_seconds == 0.05
    assert pace.allowed(1_000, 0.5) == 5


def test_less_than_one_a_second_is_read_one_by_one() -> None:
    pace = Pace(0.5, 0.0)
    assert pace.allowed(1_000, 0.0) == 1
    pace.take(1)
    assert pace.wait_seconds == 2
    assert pace.allowed(1_000, 2.0) == 1


@given(st.floats(0.1, 1e5), st.lists(st.floats(0, 3), max_size=50))
def test_never_more_are_read_than_a_second_ahead(rate: float, steps: list[float]) -> None:
    pace, now, read = Pace(rate, 0.0), 0.0, 0
    for step in steps:
        now += step
        allowed = pace.allowed(10_000, now)
        pace.take(allowed)
        read += allowed
        assert read <= rate * now + max(1.0, rate) + 1e-6 * (1 + rate * now)
