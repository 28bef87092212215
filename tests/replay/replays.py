"""Replays of files for tests."""

from collections.abc import Iterable
from dataclasses import replace
from io import StringIO
from math import inf
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console

from live_scoring.adapters.files import RunFile
from live_scoring.replay.command import Report, replay
from live_scoring.replay.options import ReplayOptions
from live_scoring.replay.session import Clock
from live_scoring.replay.summary import Summary

NOTHING_GIVEN = ReplayOptions(
    file=None,
    topics=(),
    agents=(),
    format_name=None,
    since=None,
    until=None,
    offsets=None,
    name=None,
    to_topic=None,
    to_file=None,
    to_openmetrics=None,
    is_dry_run=False,
    checkpoint=None,
    rate=None,
)
NOW_MS = 1_793_534_402_000


class KilledError(Exception):
    """What a test ends a replay with in the middle."""


class MortalClock:
    """A clock that stands, and kills whoever reads it too often: once for a record, or a batch."""

    def __init__(self, readings: float) -> None:
        """Allow so many readings."""
        self._left = readings

    def now_ms(self) -> int:
        """The time."""
        self._left -= 1
        if self._left < 0:
            raise KilledError
        return NOW_MS


class Replays:
    """Replays of one folder's runs with one configuration."""

    def __init__(self, config: Path, folder: Path) -> None:
        """Begin with no runs."""
        self.config = config
        self.runs = folder / "runs.jsonl"
        self.scores = folder / "scores.jsonl"
        self.said = ""
        """What the last replay wrote to standard error."""

    def write(self, lines: Iterable[bytes]) -> None:
        """Write the runs."""
        self.runs.write_bytes(b"".join(line + b"\n" for line in lines))

    def report(self, *, killed_after: float = inf, **given: Any) -> Report:
        """Replay the runs, or so many of them."""
        console = Console(file=StringIO())
        file = RunFile(self.runs, None, console)
        options = replace(NOTHING_GIVEN, **{"file": file, **given})
        try:
            return replay(
                self.config, {}, options, console, Clock(now_ms=MortalClock(killed_after).now_ms)
            )
        finally:
            self.said = console.file.getvalue()  # type: ignore[attr-defined] # a StringIO

    def summary(self, **given: Any) -> Summary:
        """Replay the runs to their end; what that came to."""
        report = self.report(**given)
        assert report.exit_code == 0
        assert report.summary is not None
        return report.summary

    def read(self) -> list[dict[str, Any]]:
        """The scores that were written."""
        return [orjson.loads(line) for line in self.scores.read_bytes().splitlines()]
