"""Which agents the status page shows, and in which order."""

from live_scoring.live.page.ask import Ask
from live_scoring.live.page.view import ROWS, View, view_of
from tests.live.page.fleets import Past, plan, sight


def _view(past: Past, **asked: object) -> View:
    return view_of(past.standing(), Ask(**asked), sight())  # type: ignore[arg-type]  # by name


def _agents(view: View) -> list[str]:
    return [row.agent for row in view.rows]


def _fleet() -> Past:
    past = Past().say("passed", "calm").say("failed", "broken").say("no_data", "asleep")
    return past.say("scored", "weak").say("passed", "weak", "1h")


def test_the_failing_come_first() -> None:
    assert _agents(_view(_fleet())) == ["broken", "weak", "calm", "asleep"]


def test_agents_are_counted_by_their_worst_verdict() -> None:
    wanted = [("failed", 1), ("scored", 1), ("passed", 1), ("no_data", 1)]
    assert list(_view(_fleet()).counts.items()) == wanted


def test_windows_stand_in_order_of_their_length_and_may_be_missing() -> None:
    view = _view(Past().say("passed", "a", "1h").say("passed", "a", "5m").say("passed", "b", "30s"))
    assert view.windows == ("30s", "5m", "1h")
    shown = [[cell.window if cell else None for cell in row.cells] for row in view.rows]
    assert shown == [[None, "5m", "1h"], ["30s", None, None]]


def test_a_window_with_a_name_from_elsewhere_is_shown() -> None:
    assert _view(Past().say("passed", "a", "odd")).windows == ("odd",)


def test_a_query_finds_agents_and_groups_whatever_the_case() -> None:
    past = Past().say("passed", "Refund-bot").say("passed", "other", group="refunds/eu")
    past.say("passed", "third")
    view = _view(past, q="REFUND")
    assert _agents(view) == ["Refund-bot", "other"]
    assert sum(view.counts.values()) == 2


def test_a_state_picks_agents_and_leaves_the_counts() -> None:
    view = _view(_fleet(), state="scored")
    assert _agents(view) == ["weak"]
    assert sum(view.counts.values()) == 4


def test_a_page_holds_few_agents_and_one_beyond_the_last_is_the_last() -> None:
    past = Past()
    for number in range(2 * ROWS + 1):
        past.say("passed", f"agent-{number:03}")
    first, last = _view(past), _view(past, page=99)
    assert (len(first.rows), first.first, first.last, first.has_more) == (ROWS, 1, ROWS, True)
    assert _agents(last) == [f"agent-{2 * ROWS:03}"]
    assert (last.ask.page, last.first, last.found, last.has_more) == (3, 101, 101, False)


def test_a_cell_tells_since_when_and_how_often_it_changed() -> None:
    past = Past().say("passed", ago_min=120).say("failed", ago_min=50).say("passed", ago_min=4)
    [row] = _view(past).rows
    [cell] = row.cells
    assert cell is not None
    assert (cell.age, cell.history) == ("4 min", "2 changes in the last 60 min")


def test_an_agent_that_no_file_names_any_more_is_marked() -> None:
    standing = Past().say("passed", "gone").say("passed", "agent").standing()
    rows = view_of(standing, Ask(), sight(plan(pattern="agent"))).rows
    assert [(row.agent, row.is_known) for row in rows] == [("agent", True), ("gone", False)]


def test_an_agent_that_was_never_heard_of_is_shown() -> None:
    [row] = _view(Past(plan(pattern="agent"))).rows
    assert [(cell.state, cell.age) for cell in row.cells if cell] == [("no_data", "never")] * 2
