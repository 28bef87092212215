"""Files of runs and policies, small enough to count by hand."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console

from live_scoring.adapters.files import RunFile
from live_scoring.backtest.command import BacktestOptions, backtest
from live_scoring.backtest.report import AgentReport, Backtest
from live_scoring.core.wire import to_rfc3339
from live_scoring.replay.session import Clock
from tests.config.folders import write_folder

BEGIN_MS = 1_793_491_200_000
"""2026-11-01, midnight; a whole number of panes of every window here."""
PANE_MS = 2_000
"""Of the window of a minute, which each policy has."""
CALLED = "{called-weather: {called_tool: get_weather}}"
CLOCK = Clock(now_ms=lambda: BEGIN_MS + 86_400_000)


def policy(
    folder: Path, gates: str = CALLED, scorers: str = "{}", min_samples: int = 1, more: str = ""
) -> Path:
    """A configuration of `weather-agent` with one window of a minute."""
    agent = f"agent: weather-agent\nwindows: [1m]\ngates: {gates}\nscorers: {scorers}\n{more}\n"
    worker = f"windows: {{1m: {{min_samples: {min_samples}}}}}\n"
    return write_folder(folder, {"agents/weather.yaml": agent, "worker.yaml": worker})


def run(after_seconds: float, tool: str = "get_weather", **fields: Any) -> dict[str, Any]:
    """A run that ended so long after the beginning, with one call of a tool."""
    calls = [{"name": tool}] if tool else []
    message = {"role": "assistant", "text": "sunny", "tool_invocations": calls}
    known = {
        "run_id": f"run-{after_seconds:g}",
        "agent_id": "weather-agent",
        "timestamp": to_rfc3339(BEGIN_MS + round(after_seconds * 1_000)),
        "output": [message],
    }
    return known | fields


def write_runs(path: Path, runs: Iterable[dict[str, Any]]) -> Path:
    """A file of runs."""
    path.write_text("".join(json.dumps(run) + "\n" for run in runs), encoding="utf-8")
    return path


def tried(
    folder: Path, runs: Iterable[dict[str, Any]], new: Path, old: Path | None = None, **more: Any
) -> Backtest:
    """What the new policy would have said of the runs."""
    path = write_runs(folder / "runs.jsonl", runs)
    known: dict[str, Any] = {
        "file": RunFile(path, None, Console(quiet=True)),
        "against": old,
        "topics": (),
        "agents": (),
        "format_name": None,
        "since": None,
        "until": None,
    }
    options = BacktestOptions(**(known | more))
    return backtest(new, {}, options, Console(quiet=True), CLOCK)


def only_agent(found: Backtest) -> AgentReport:
    """The report of the one agent, or group, there is."""
    (agent,) = found.agents
    return agent
