"""The page: whole in itself, and what comes from runs is text on it."""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from live_scoring.backtest.as_html import to_html, write_page
from live_scoring.backtest.chart import CELLS, bars_of
from live_scoring.core.errors import LiveScoringError
from tests.backtest.pasts import BEGIN_MS, PANE_MS, only_agent, policy, run, tried

ODD = "</script><script>alert(1)</script>"


class Page(HTMLParser):
    """What a browser would take for markup."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def odd_html(folder: Path) -> str:
    """Of a past in which every text is markup."""
    new = policy(folder / "new", '{"<b>gate</b>": {called_tool: "<i>tool</i>"}}')
    old = policy(folder / "old", '{"<b>gate</b>": {called_tool: get_weather}}')
    for path in (new, old):
        text = (path / "agents" / "weather.yaml").read_text()
        (path / "agents" / "odd.yaml").write_text(text.replace("weather-agent", f'"{ODD}"'))
    runs = [run(n, run_id=f"<u>{n}</u>", agent_id=ODD) for n in range(3)]
    return to_html(tried(folder, [*runs, run(0)], new, old))


def test_what_comes_from_runs_and_configurations_is_text(tmp_path: Path) -> None:
    page = Page(odd_html(tmp_path))
    assert page.tags.count("script") == 3
    assert not {"i", "u"} & set(page.tags)
    for text in (ODD, "<b>gate</b>", "<u>2</u>", "<i>tool</i>"):
        assert any(text in shown for shown in page.texts)


def test_nothing_is_loaded_from_anywhere(tmp_path: Path) -> None:
    page = Page(odd_html(tmp_path))
    assert not {"link", "img", "iframe", "object"} & set(page.tags)
    assert not {"src", "href"} & {name for name, _ in page.attributes}
    assert any("default-src 'none'" in (value or "") for _, value in page.attributes)


def test_figures_say_what_the_courses_say(tmp_path: Path) -> None:
    found = tried(tmp_path, [run(0), run(10, "none"), run(90)], policy(tmp_path / "new"))
    figures = re.search(r'id="figures">(.*?)</script>', to_html(found))
    assert figures is not None
    drawn: dict[str, Any] = json.loads(figures[1])["chart-0"]
    bars = [
        (trace["name"], base, length)
        for trace in drawn["data"]
        for base, length in zip(trace["base"], trace["x"], strict=True)
    ]
    assert sorted(bars, key=lambda bar: bar[1]) == [
        ("passed", BEGIN_MS, 5 * PANE_MS),
        ("failed", BEGIN_MS + 5 * PANE_MS, 30 * PANE_MS),
        ("no_data", BEGIN_MS + 35 * PANE_MS, 10 * PANE_MS),
        ("passed", BEGIN_MS + 45 * PANE_MS, PANE_MS),
    ]


def test_a_long_range_is_drawn_in_parts_that_hide_no_failure(tmp_path: Path) -> None:
    runs = [run(second) for second in range(0, 40_000, 20)]
    runs[1_000] = run(20_000, "none")
    course = only_agent(tried(tmp_path, runs, policy(tmp_path / "new"))).new.courses["1m"]
    bars = list(bars_of("1m", course))
    assert course.ends > CELLS
    assert [bar.state for bar in bars] == ["passed", "failed", "passed"]
    assert bars[0].from_ms == BEGIN_MS
    assert bars[1].from_ms <= BEGIN_MS + 20_000_000 < BEGIN_MS + 20_060_000 <= bars[1].to_ms
    assert bars[-1].to_ms == BEGIN_MS + course.ends * PANE_MS


def test_the_page_is_a_file(tmp_path: Path) -> None:
    found = tried(tmp_path, [], policy(tmp_path / "new"))
    write_page(tmp_path / "page.html", found)
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == to_html(found)
    with pytest.raises(LiveScoringError, match="cannot be written"):
        write_page(tmp_path / "nowhere" / "page.html", found)


def test_a_missing_library_is_told_with_the_extra_that_has_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "live_scoring.backtest.as_html")
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    with pytest.raises(
        LiveScoringError,
        match=r"--html: needs plotly; run pip install '\.\[report\]' in a checkout",
    ):
        import live_scoring.backtest.as_html  # noqa: F401, PLC0415
