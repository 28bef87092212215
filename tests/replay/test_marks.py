from hypothesis import given
from hypothesis import strategies as st

from live_scoring.replay.marks import Marks

AGE_MS = 600_000


def test_only_places_with_pieces_of_runs_are_read_again() -> None:
    marks = Marks(AGE_MS)
    marks.note("whole/0", 7, 1_000, is_in_pieces=False)
    marks.note("spans/0", 9, 1_000, is_in_pieces=True)
    assert marks.again() == {"spans/0": 9}


def test_what_an_earlier_run_said_holds_until_a_place_is_read() -> None:
    marks = Marks(AGE_MS, {"spans/0": 4, "spans/1": 5})
    marks.note("spans/1", 5, 1_000, is_in_pieces=False)
    marks.note("spans/1", 6, 1_000 + 3 * AGE_MS, is_in_pieces=False)
    assert marks.again() == {"spans/0": 4, "spans/1": 5}
    marks.note("spans/1", 7, 1_000 + 5 * AGE_MS, is_in_pieces=False)
    assert marks.again() == {"spans/0": 4, "spans/1": 6}


@given(st.lists(st.integers(-AGE_MS, AGE_MS), min_size=1, max_size=60))
def test_reading_again_begins_before_all_of_the_last_two_ages(steps: list[int]) -> None:
    marks, now, latest = Marks(AGE_MS), 10 * AGE_MS, 0
    times: list[int] = []
    for offset, step in enumerate(steps):
        now += step
        latest = max(latest, now)
        times.append(latest)
        marks.note("spans/0", offset, now, is_in_pieces=True)
    again = marks.again()["spans/0"]
    assert again == 0 or times[again] <= latest - 2 * AGE_MS
