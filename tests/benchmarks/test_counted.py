"""When a whole worker had read all its scores back, by looks at its page."""

import math

from tests.benchmarks.counted import Glance, caught_up_at


def glances(*scores_behind: float) -> list[Glance]:
    return [Glance(at, 0, behind, 0) for at, behind in enumerate(scores_behind)]


def test_it_has_caught_up_when_nothing_is_left_for_good() -> None:
    assert caught_up_at(glances(9, 5, 0, 0, 0)) == 2


def test_a_lag_of_nothing_while_more_is_on_its_way_does_not_count() -> None:
    assert caught_up_at(glances(0, 0, 7, 0)) == 3


def test_a_lag_that_is_not_known_yet_does_not_count() -> None:
    assert caught_up_at(glances(math.inf, math.inf, 0)) == 2


def test_windows_that_are_full_before_the_lag_was_seen_at_rest_give_the_last_look() -> None:
    assert caught_up_at(glances(9, 4)) == 1
