"""What a demo shows: a live table on a terminal, a plain line at each transition elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from live_scoring.core.verdict import VerdictState

_COLOURS: dict[VerdictState, str] = {
    "passed": "green",
    "scored": "yellow",
    "failed": "bold red",
    "no_data": "dim",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One agent's line of the table."""

    agent_id: str
    window: str
    verdict: VerdictState
    trouble: str
    samples: int
    runs_per_second: float


class Screen:
    """Shows rows and transitions; a context manager, for a live table must be put away."""

    def __init__(self, console: Console) -> None:
        """Draw on this console; what is no terminal gets plain lines."""
        self._console = console
        self._live = Live(console=console, auto_refresh=False) if console.is_terminal else None

    def __enter__(self) -> "Screen":
        """Start the live table, if there is one."""
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the last table standing."""
        if self._live:
            self._live.stop()

    def say(self, text: str) -> None:
        """Print one line, above the table if there is one."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def tell(self, seconds: float, row: Row, previous: VerdictState) -> None:
        """Print a transition."""
        why = f"  {row.trouble}" if row.trouble else ""
        change = f"{previous} → {row.verdict}"
        self.say(f"{seconds:6.1f} s  {row.agent_id:<20} {row.window}  {change:<18}{why}".rstrip())

    def show(self, seconds: float, duration: float, rows: Sequence[Row]) -> None:
        """Draw the table anew; without a terminal nothing."""
        if self._live:
            self._live.update(_table(seconds, duration, rows), refresh=True)


def _table(seconds: float, duration: float, rows: Sequence[Row]) -> Table:
    table = Table(title=f"{seconds:.0f} of {duration:.0f} s", title_justify="left", expand=True)
    for heading in ("agent", "window", "verdict"):
        table.add_column(heading, no_wrap=True)
    table.add_column("failing rule", ratio=1, no_wrap=True)
    table.add_column("samples", justify="right")
    table.add_column("runs/s", justify="right")
    for row in rows:
        table.add_row(
            row.agent_id,
            row.window,
            Text(row.verdict, style=_COLOURS[row.verdict]),
            Text(row.trouble),
            f"{row.samples:,}",
            f"{row.runs_per_second:.0f}",
        )
    return table
