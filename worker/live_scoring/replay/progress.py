"""Telling how far a replay is: a bar on a terminal, a line every few seconds elsewhere."""

from collections.abc import Callable
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from live_scoring.replay.tally import Tally

_EVERY_SECONDS = 5.0


class Screen:
    """Shows progress; a context manager, for a bar must be put away."""

    def __init__(self, console: Console, title: str, monotonic: Callable[[], float]) -> None:
        """Show on a console; what is no terminal gets plain lines.

        Args:
            console: Of standard error, since standard output is for the summary.
            title: What is replayed.
            monotonic: Seconds.
        """
        self._console = console
        self._title = title
        self._monotonic = monotonic
        self._began = self._said_at = monotonic()
        self._earlier = 0
        self._bar = Progress(
            BarColumn(20),
            TextColumn("{task.description}", markup=False),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task(title, total=None)

    def __enter__(self) -> Self:
        """Start the bar, if there is one."""
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Put the bar away."""
        self._bar.stop()

    def say(self, text: str) -> None:
        """Print one line, above the bar if there is one."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def begin(self, tally: Tally) -> None:
        """Count the rate from here on: what an earlier run did took its own time."""
        self._began, self._earlier = self._monotonic(), tally.passed

    def show(self, tally: Tally, left: int | None) -> None:
        """Tell how far it is, not too often."""
        now = self._monotonic()
        far = how_far(tally, left, tally.passed - self._earlier, now - self._began)
        total = None if left is None else tally.passed + left
        described = f"{self._title}: {far}\n{what_became(tally)}"
        self._bar.update(self._task, total=total, completed=tally.passed, description=described)
        if not self._console.is_terminal and now - self._said_at >= _EVERY_SECONDS:
            self._said_at = now
            self.say(f"{self._title}: {far}; {what_became(tally)}")


def how_far(tally: Tally, left: int | None, since: int, seconds: float) -> str:
    """How far a replay is.

    Args:
        tally: What became of the records.
        left: Records at most that are still to be read; None if nobody can tell.
        since: Records read in this run.
        seconds: How long it took to read them.
    """
    rate = since / seconds if seconds else 0.0
    if left is None:
        return f"{tally.passed:,} records, {rate:,.0f}/s"
    until = f" in {_duration(left / rate)}" if rate else ""
    return (
        f"{tally.passed:,} of {tally.passed + left:,} records, {rate:,.0f}/s, {left:,} left{until}"
    )


def what_became(tally: Tally) -> str:
    """Counts by outcome."""
    return (
        f"{tally['scored']:,} scored, {tally['error']:,} errors, "
        f"{tally['not_applicable']:,} not applicable, {tally.unreadable.total():,} unreadable"
    )


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
