from io import StringIO

from rich.console import Console

from live_scoring.demo.screen import Row, Screen

ROW = Row("refund-agent", "3s", "failed", "pays: [1 of 2] calls failed", 120, 40.2)


def shown(*, is_terminal: bool) -> str:
    page = StringIO()
    with Screen(Console(file=page, force_terminal=is_terminal, width=120)) as screen:
        screen.tell(21.34, ROW, "passed")
        screen.show(22, 60, [ROW])
        screen.say("the end")
    return page.getvalue()


def test_without_a_terminal_there_is_a_plain_line_at_each_transition_and_no_table() -> None:
    assert shown(is_terminal=False) == (
        "  21.3 s  refund-agent         3s  passed → failed     pays: [1 of 2] calls failed\n"
        "the end\n"
    )


def test_a_terminal_shows_a_table_with_the_failing_rule() -> None:
    page = shown(is_terminal=True)
    assert "22 of 60 s" in page
    assert "failing rule" in page
    assert page.count("pays: [1 of 2] calls failed") > 1
    assert "[/]" not in page
