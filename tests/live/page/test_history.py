"""Verdicts over time as bars."""

from live_scoring.live.fleet import CHANGES
from live_scoring.live.page.history import HEIGHT, WIDTH, Bar, bars_of
from tests.live.fakes import NOW_MS
from tests.live.page.fleets import MINUTE_MS, Past, plan

HOUR_MS = 60 * MINUTE_MS


def _bars(past: Past) -> list[Bar]:
    [standing] = past.standing()
    return list(bars_of(standing, NOW_MS - HOUR_MS, NOW_MS))


def test_bars_lie_from_one_change_to_the_next() -> None:
    past = Past().say("passed", ago_min=45).say("failed", ago_min=15)
    assert _bars(past) == [Bar("no_data", 0, 30), Bar("passed", 30, 60), Bar("failed", 90, 30)]


def test_what_began_before_the_drawing_begins_at_its_edge() -> None:
    past = Past().say("failed", ago_min=300).say("passed", ago_min=120)
    assert _bars(past) == [Bar("passed", 0, WIDTH)]


def test_a_change_of_a_clock_ahead_of_ours_is_not_drawn_yet() -> None:
    assert _bars(Past().say("failed", ago_min=-1)) == [Bar("no_data", 0, WIDTH)]


def test_a_window_never_heard_of_has_no_data_all_along() -> None:
    standing, _ = Past(plan(pattern="agent")).standing()
    assert list(bars_of(standing, NOW_MS - HOUR_MS, NOW_MS)) == [Bar("no_data", 0, WIDTH)]


def test_what_came_before_the_changes_that_are_kept_is_left_open() -> None:
    past = Past()
    for number in range(CHANGES + 4):
        past.say("failed" if number % 2 else "passed", ago_min=CHANGES + 4 - number)
    bars = _bars(past)
    assert len(bars) == CHANGES
    assert bars[0].x == 2 * (60 - CHANGES)


def test_the_worse_a_verdict_the_higher_its_bar() -> None:
    states = ("no_data", "passed", "scored", "failed")
    heights = [Bar(state, 0, 1).height for state in states]  # type: ignore[arg-type]  # literals
    assert heights == sorted(set(heights))
    assert heights[-1] == HEIGHT


def test_a_short_failure_is_seen_to_the_last_moment() -> None:
    past = Past().say("passed", ago_min=300).say("failed", ago_min=0.01)
    *_, failed = _bars(past)
    assert failed == Bar("failed", WIDTH - 1, 1)
