from io import StringIO

from rich.console import Console

from live_scoring.replay.progress import Screen, progress_line
from live_scoring.replay.tally import Tally


def tally_of(records: int) -> Tally:
    tally = Tally()
    tally.note("records", records)
    tally.note("scored", 3 * records)
    tally.note("error", 2)
    tally.unreadable["not_json"] = 1
    return tally


def test_a_line_tells_rate_what_is_left_and_what_became_of_the_records() -> None:
    line = progress_line(tally_of(12_000), 48_000, since=6_000, seconds=2.0)
    assert line == (
        "12,000 of 60,000 records, 3,000/s; 48,000 left, 0:16; "
        "36,000 scored, 2 errors, 0 not applicable, 1 unreadable"
    )


def test_a_line_tells_hours() -> None:
    assert "9,000 left, 2:30:00;" in progress_line(tally_of(1), 9_000, since=1, seconds=1.0)


def test_where_nobody_knows_the_end_a_line_tells_none() -> None:
    line = progress_line(tally_of(5), None, since=0, seconds=0.0)
    assert line == "5 records, 0/s; 15 scored, 2 errors, 0 not applicable, 1 unreadable"


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
