"""A backtest of topics on a broker, and its page in a real browser."""

import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console

from live_scoring.adapters.files import RunFile
from live_scoring.backtest.as_html import to_html
from live_scoring.backtest.command import BacktestOptions, backtest
from tests.backtest.pasts import BEGIN_MS, CLOCK, policy, run, tried, write_runs
from tests.integration.lab import PARTITIONS, Lab
from tests.integration.topics import Sending
from tests.integration.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.integration

AGENT = {
    "agent": "weather-agent",
    "windows": ["1m"],
    "gates": {"called-weather": {"called_tool": "get_weather"}},
}
ODD = "</script><script>alert(1)</script>"


def options_of(file: RunFile | None, since: str | None, until: str | None) -> BacktestOptions:
    return BacktestOptions(file, None, (), (), None, since, until)


def test_topics_say_what_a_file_says_and_are_left_as_they_are(lab: Lab) -> None:
    lab.configure(AGENT, windows={"1m": {"min_samples": 1}})
    runs = [run(n, "none" if n % 40 == 0 else "get_weather") for n in range(200)]
    lab.send(
        Sending(json.dumps(r).encode(), n % PARTITIONS, timestamp_ms=BEGIN_MS + n * 1_000)
        for n, r in enumerate(runs)
    )
    lab.send([Sending(b"no run", 0, timestamp_ms=BEGIN_MS + 150_000)])
    before = len(lab.read(lab.runs))
    file = RunFile(write_runs(lab.config / "runs.jsonl", runs), None, Console(quiet=True))
    since, until = "2026-11-01T00:01:00Z", "2026-11-01T00:03:00Z"
    quiet = Console(quiet=True)
    found, expected = (
        backtest(lab.config, {}, options_of(source, since, until), quiet, CLOCK)
        for source in (None, file)
    )
    assert found.agents == expected.agents
    assert (found.agents[0].runs, found.agents[0].new.courses["1m"].ends) == (120, 60)
    assert any("not_json" in note for note in found.notes)
    assert len(lab.read(lab.runs)) == before


def test_a_topic_is_judged_until_now(lab: Lab) -> None:
    lab.configure(AGENT, windows={"1m": {"min_samples": 1}})
    lab.send([Sending(json.dumps(run(0)).encode(), 0, timestamp_ms=BEGIN_MS)])
    found = backtest(lab.config, {}, options_of(None, None, None), Console(quiet=True), CLOCK)
    assert found.to_ms == CLOCK.now_ms()
    assert found.agents[0].new.courses["1m"].last == "no_data"


@dataclass(frozen=True)
class Seen:
    """What a browser made of a page."""

    dom: str
    console: list[str]
    requests: list[str]
    """Addresses that the page asked for; the browser's own are left out."""


def look(page: Path, folder: Path, width: int = 1_200) -> Seen:
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("chromium is not installed (Debian: package chromium)")
    network = folder / "network.json"
    command = [
        *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
        *("--disable-background-networking", "--disable-component-update"),
        *("--enable-logging=stderr", f"--log-net-log={network}", f"--user-data-dir={folder}/user"),
        *(f"--window-size={width},2000", "--virtual-time-budget=5000", "--dump-dom"),
        page.as_uri(),
    ]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=PATIENCE_SECONDS
    )
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    events = [event.get("params", {}) for event in json.loads(network.read_text())["events"]]
    asked = [e["url"] for e in events if e.get("initiator", "not an origin") != "not an origin"]
    return Seen(done.stdout, console, asked)


def odd_page(folder: Path, script: str = "") -> Path:
    """A page with an odd agent; a script of the test's own may stand at its end."""
    new, old = policy(folder / "new"), policy(folder / "old", "{other: {called_tool: other}}")
    for path in (new, old):
        text = (path / "agents" / "weather.yaml").read_text()
        (path / "agents" / "odd.yaml").write_text(text.replace("weather-agent", f'"{ODD}"'))
    runs = [run(n * 20, agent_id=agent) for n in range(20) for agent in (ODD, "weather-agent")]
    html = to_html(tried(folder, [*runs, run(250, "none")], new, old))
    page = folder / "page.html"
    page.write_text(html.replace("</body>", f"<script>{script}</script></body>"))
    return page


def test_a_browser_draws_the_page_in_silence(tmp_path: Path) -> None:
    seen = look(odd_page(tmp_path), tmp_path)
    assert (seen.console, seen.requests) == ([], [])
    assert seen.dom.count('class="main-svg"') >= 2
    # Of the one agent passed, failed, passed and, under the old policy, failed; then the other's.
    assert seen.dom.count('class="point"') == 6
    assert "<script>alert" not in seen.dom


def test_the_browser_would_tell_of_an_error_and_of_a_request(tmp_path: Path) -> None:
    script = 'console.error("boom"); fetch("http://127.0.0.1:9/x").catch(() => 0)'
    seen = look(odd_page(tmp_path, script), tmp_path)
    told = "\n".join(seen.console)
    assert "boom" in told
    assert "Refused to connect" in told
    assert seen.requests == []


def test_the_page_fits_a_phone(tmp_path: Path) -> None:
    script = "addEventListener('load', () => setTimeout(() => { document.title = 'wide ' + "
    script += "document.documentElement.scrollWidth + ' of ' + innerWidth }, 1000))"
    seen = look(odd_page(tmp_path, script), tmp_path, width=500)
    wide = re.search(r"<title>wide (\d+) of (\d+)</title>", seen.dom)
    assert wide is not None
    assert int(wide[1]) <= int(wide[2])
