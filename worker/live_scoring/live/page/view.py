"""The status page as values: agents by windows, the failing ones first, a page at a time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from live_scoring.config.values import parse_length
from live_scoring.core.quote import counted, printable
from live_scoring.core.verdict import VerdictState
from live_scoring.live.fleet import Standing
from live_scoring.live.page import words
from live_scoring.live.page.ask import Ask
from live_scoring.live.page.history import WINDOWS, Bar, bars_of
from live_scoring.live.page.sight import Sight
from live_scoring.live.page.stories import Story, stories_of

ROWS = 50
"""Agents on a page: 10,000 would be a page of megabytes."""

_WORST_FIRST: tuple[VerdictState, ...] = ("failed", "scored", "passed", "no_data")
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands on one window of a row."""

    window: str
    state: VerdictState
    age: str
    """Since when."""
    at: str
    bars: tuple[Bar, ...]
    history: str
    """The drawing in words."""


@dataclass(frozen=True, slots=True)
class Row:
    """One agent and group."""

    agent: str
    group: str
    is_known: bool
    """Whether the worker's configuration names it."""
    cells: tuple[Cell | None, ...]
    """One for each window of the table."""
    stories: tuple[Story, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The part of the fleet that was asked for."""

    ask: Ask
    counts: Mapping[VerdictState, int]
    """Of those that match the query, by their worst verdict; the worst first."""
    windows: tuple[str, ...]
    rows: tuple[Row, ...]
    first: int
    """The place of the first row among all that were asked for, from 1."""
    found: int
    """How many there are of them."""

    @property
    def last(self) -> int:
        """The place of the last row."""
        return self.first + len(self.rows) - 1

    @property
    def has_more(self) -> bool:
        """Whether another page follows."""
        return self.last < self.found


Key = tuple[str, str]


def view_of(standings: Iterable[Standing], ask: Ask, sight: Sight) -> View:
    """The page that was asked for; one beyond the last is the last."""
    grouped = _grouped(standings, ask.q)
    worst = {key: _worst(windows) for key, windows in grouped.items()}
    wanted = sorted(
        (key for key in grouped if ask.state in {None, worst[key]}),
        key=lambda key: (_WORST_FIRST.index(worst[key]), key),
    )
    page = min(ask.page, max(1, -(-len(wanted) // ROWS)))
    first = (page - 1) * ROWS
    shown = {key: grouped[key] for key in wanted[first : first + ROWS]}
    windows = sorted({s.window for found in shown.values() for s in found}, key=_length_ms)
    counts = dict.fromkeys(_WORST_FIRST, 0)
    for state in worst.values():
        counts[state] += 1
    rows = tuple(_row(key, found, windows, sight) for key, found in shown.items())
    return View(ask.at(page), counts, tuple(windows), rows, first + 1, len(wanted))


def _grouped(standings: Iterable[Standing], query: str) -> dict[Key, list[Standing]]:
    wanted = query.lower()
    grouped: dict[Key, list[Standing]] = {}
    for standing in standings:
        if wanted in f"{standing.agent_id} {standing.group}".lower():
            grouped.setdefault((standing.agent_id, standing.group), []).append(standing)
    return grouped


def _worst(standings: Sequence[Standing]) -> VerdictState:
    return min((standing.state for standing in standings), key=_WORST_FIRST.index)


def _row(key: Key, standings: Sequence[Standing], windows: Sequence[str], sight: Sight) -> Row:
    by_window = {standing.window: standing for standing in standings}
    in_order = [by_window[window] for window in windows if window in by_window]
    agent, group = key
    return Row(
        printable(agent),
        printable(group),
        sight.plan.find(agent) is not None,
        tuple(_cell(by_window[w], sight) if w in by_window else None for w in windows),
        stories_of(in_order, sight),
    )


def _cell(standing: Standing, sight: Sight) -> Cell:
    now_ms, last = sight.now_ms, standing.changes[-1] if standing.changes else None
    span_ms = WINDOWS * _length_ms(standing.window)
    changes = sum(change.at_ms > now_ms - span_ms for change in standing.changes)
    return Cell(
        standing.window,
        standing.state,
        words.age(now_ms - last.at_ms) if last else "never",
        words.moment(last.at_ms) if last else "",
        tuple(bars_of(standing, now_ms - span_ms, now_ms)),
        f"{counted(changes, 'change')} in the last {words.age(span_ms)}",
    )


def _length_ms(window: str) -> int:
    try:
        return parse_length(window) // _MILLISECOND
    except ValueError:
        return 1  # of a worker that knows other names of windows
