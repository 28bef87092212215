"""How fast counts grow."""

from live_scoring.live.pace import Pace
from tests.live.fakes import FakeClock


def _paced(*taken: tuple[float, int]) -> Pace:
    clock = FakeClock()
    pace = Pace(clock.as_clock().monotonic)
    for seconds, runs in taken:
        clock.monotonic_seconds = seconds
        pace.note({"runs": runs})
    return pace


def test_growth_is_told_a_second() -> None:
    assert _paced((0, 0), (5, 100), (10, 300)).per_second("runs") == 30


def test_what_is_older_than_a_minute_counts_no_more() -> None:
    assert _paced((0, 0), (30, 1_000), (90, 1_060)).per_second("runs") == 1


def test_nothing_is_told_before_there_are_two_counts() -> None:
    assert _paced().per_second("runs") is None
    assert _paced((0, 5)).per_second("runs") is None
    assert _paced((0, 5), (0, 6)).per_second("runs") is None
    assert _paced((0, 5), (5, 6)).per_second("scores") is None
