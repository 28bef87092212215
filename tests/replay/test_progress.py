from io import StringIO

from rich.console import Console

from live_scoring.replay.progress import Screen, how_far, what_became
from live_scoring.replay.tally import Tally


def tally_of(records: int) -> Tally:
    tally = Tally()
    tally.note("records", records)
    tally.note("scored", 3 * records)
    tally.note("error", 2)
    tally.unreadable["not_json"] = 1
    return tally


def test_how_far_it_is_tells_rate_and_what_is_left() -> None:
    far = how_far(tally_of(12_000), 48_000, since=6_000, seconds=2.0)
    assert far == "12,000 of 60,000 records, 3,000/s, 48,000 left in 0:16"


def test_hours_are_told() -> None:
    assert how_far(tally_of(1), 9_000, since=1, seconds=1.0).endswith("9,000 left in 2:30:00")


def test_before_anything_is_read_no_time_is_told() -> None:
    assert how_far(Tally(), 9, since=0, seconds=0.0) == "0 of 9 records, 0/s, 9 left"


def test_where_nobody_knows_the_end_none_is_told() -> None:
    assert how_far(tally_of(5), None, since=5, seconds=1.0) == "5 records, 5/s"


def test_what_became_of_the_records_is_told_by_outcome() -> None:
    told = what_became(tally_of(5))
    assert told == "15 scored, 2 errors, 0 not applicable, 1 unreadable"


def test_without_a_terminal_there_is_a_line_every_five_seconds() -> None:
    out, seconds = StringIO(), [0.0]
    with Screen(Console(file=out), "agent-runs", lambda: seconds[0]) as screen:
        screen.begin(tally_of(10))
        for now in range(13):
            seconds[0] = float(now)
            screen.show(tally_of(10 + now), 100)
    lines = out.getvalue().splitlines()
    assert [line.partition(" of ")[0] for line in lines] == ["agent-runs: 15", "agent-runs: 20"]
    assert all("1/s" in line for line in lines)


def test_on_a_terminal_there_is_a_bar_and_lines_stand_above_it() -> None:
    out = StringIO()
    console = Console(file=out, force_terminal=True, width=120)
    with Screen(console, "agent-runs", lambda: 1.0) as screen:
        screen.show(tally_of(10), 100)
        screen.say("note: [red]as it is")
    assert "note: [red]as it is" in out.getvalue()
    assert "agent-runs: 10 of 110 records" in out.getvalue()
