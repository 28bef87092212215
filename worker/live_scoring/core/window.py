"""Rolling windows over one agent's scores: panes of counts and exact sums, each score once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Literal

from live_scoring.core.ledger import Ledger, Packed, Runs, run_key

NANO = 1_000_000_000
"""Scores are summed as whole numbers of 1e-9, so a sum is exact in any order."""
PANES = 30
_GRAINS = 64
"""What is counted is told to the windows once it spans more: telling never takes long."""

Counted = Literal["counted", "duplicate", "late"]


@dataclass(frozen=True, slots=True)
class WindowSpec:
    """A window's name and length."""

    name: str
    """The length as written, such as `5m`."""
    length_ms: int
    min_samples: int = 1

    @property
    def pane_ms(self) -> int:
        """Length of one of its 30 panes, at least 1 ms."""
        return pane_ms(self.length_ms)


def pane_ms(length_ms: int) -> int:
    """Length of one of a window's 30 panes, at least 1 ms."""
    return max(1, length_ms // PANES)


def first_pane(length_ms: int, now_ms: int) -> int:
    """Number of the first pane that a window of that length holds at `now_ms`."""
    return now_ms // pane_ms(length_ms) - PANES + 1


@dataclass(slots=True)
class Tally:
    """What a pane or a window counted of one scorer."""

    scored: int = 0
    full: int = 0
    """Scores of exactly 1."""
    total: int = 0
    """Sum of the scores in units of 1e-9."""
    errors: int = 0

    @property
    def average(self) -> float | None:
        """Mean score; None without a score."""
        return self.total / (self.scored * NANO) if self.scored else None

    def count(self, score: float | None) -> None:
        """Count one score, or one error (None)."""
        if score is None:
            self.errors += 1
            return
        self.scored += 1
        if score == 1.0:
            self.full += 1
            self.total += NANO
        elif score:
            self.total += round(score * NANO)

    def include(self, other: "Tally", sign: Literal[1, -1] = 1) -> None:
        """Add another tally, or take it away again."""
        self.scored += sign * other.scored
        self.full += sign * other.full
        self.total += sign * other.total
        self.errors += sign * other.errors


Tallies = Mapping[str, Tally]
"""By scorer."""


class Grains(defaultdict[int, defaultdict[str, Tally]]):
    """Tallies by stretch of time and by scorer, each made when it is asked for."""

    def __init__(self) -> None:
        """Start empty."""
        super().__init__(lambda: defaultdict(Tally))


class Window:
    """One window of one agent: the panes in (pane(now) - 30, pane(now)]; later ones wait."""

    def __init__(self, spec: WindowSpec, now_ms: int) -> None:
        """Start empty, with its edge at `now_ms`."""
        self.spec = spec
        self._pane_ms = spec.pane_ms
        self._edge = now_ms // self._pane_ms
        self._panes: dict[int, dict[str, Tally]] = {}
        self._totals: dict[str, Tally] = {}

    @property
    def tallies(self) -> Tallies:
        """What is inside the window, by scorer."""
        return self._totals

    @property
    def first_ms(self) -> int:
        """Scores of earlier times have left the window."""
        return (self._edge - PANES + 1) * self._pane_ms

    def pane_of(self, at_ms: int) -> int:
        """Number of the pane that a time lies in."""
        return at_ms // self._pane_ms

    def include(self, pane: int, tallies: Tallies) -> None:
        """Count what was counted of a pane elsewhere, unless it has left the window."""
        if pane <= self._edge - PANES:
            return
        held = self._panes.setdefault(pane, {})
        for scorer, tally in tallies.items():
            held.setdefault(scorer, Tally()).include(tally)
        if pane <= self._edge:
            self._include(tallies, 1)

    def advance(self, now_ms: int) -> bool:
        """Move the edge to `now_ms`, never back; whether what is inside has changed."""
        edge, before = now_ms // self._pane_ms, self._edge
        if edge <= before:
            return False
        self._edge = edge
        has_changed = False
        for pane in sorted(self._panes):
            if pane <= edge - PANES:
                left = self._panes.pop(pane)
                if pane <= before:
                    has_changed |= self._include(left, -1)
            elif before < pane <= edge:
                has_changed |= self._include(self._panes[pane], 1)
        return has_changed

    def _include(self, pane: Tallies, sign: Literal[1, -1]) -> bool:
        for scorer, tally in pane.items():
            self._totals.setdefault(scorer, Tally()).include(tally, sign)
        return bool(pane)


class AgentWindows:
    """All windows of one agent (and group), in which each (run, scorer) counts once.

    A score is counted once, in its grain of time, and not in each window: the windows are told
    of many scores at once, before they move or are looked at.
    """

    def __init__(self, specs: Iterable[WindowSpec], scorers: Iterable[str], now_ms: int) -> None:
        """Start empty.

        Args:
            specs: The windows, at least one.
            scorers: Names of the scorers that count, at most 64.
            now_ms: Milliseconds since the epoch.
        """
        self._windows = tuple(Window(spec, now_ms) for spec in specs)
        self._bits = {scorer: 1 << index for index, scorer in enumerate(scorers)}
        lengths = [window.spec.pane_ms for window in self._windows]
        self._pane_ms, self._grain_ms = max(lengths), gcd(*lengths)
        self._edge = now_ms // self._pane_ms
        self._first_ms = self._find_first_ms()
        self._ledger = Ledger()
        self._grains = Grains()
        """What the windows have not been told yet."""
        # Of the run that was counted last, as its scores come one after the other.
        self._run_id: str | None = None
        self._at_ms = self._key = 0
        self._runs: Runs | None = None
        """Of the pane that the run lies in; None if it is late."""
        self._tallies: dict[str, Tally] = {}

    @property
    def windows(self) -> tuple[Window, ...]:
        """The windows, with all that was counted."""
        self._tell()
        return self._windows

    def add(self, run_id: str, scorer: str, at_ms: int, score: float | None) -> Counted:
        """Count a score (None: an error) in each window that it is not late for.

        Late is late for all of them. Of several for one (run, scorer) the first counts.
        """
        if run_id != self._run_id or at_ms != self._at_ms:
            self._turn_to(run_id, at_ms)
        if self._runs is None:
            return "late"
        if not self._runs.add(self._key, self._bits[scorer]):
            return "duplicate"
        self._tallies[scorer].count(score)
        return "counted"

    def mark(self, run_id: str, scorer: str, at_ms: int) -> Counted:
        """Note a (run, scorer) that was not applicable: later ones do not count either."""
        if run_id != self._run_id or at_ms != self._at_ms:
            self._turn_to(run_id, at_ms)
        if self._runs is None:
            return "late"
        return "counted" if self._runs.add(self._key, self._bits[scorer]) else "duplicate"

    def _turn_to(self, run_id: str, at_ms: int) -> None:
        if len(self._grains) >= _GRAINS:
            self._tell()
        self._run_id, self._at_ms, self._key = run_id, at_ms, run_key(run_id)
        if at_ms < self._first_ms:
            self._runs = None
        else:
            self._runs = self._ledger.of_pane(at_ms // self._pane_ms)
            self._tallies = self._grains[at_ms // self._grain_ms]

    def _tell(self) -> None:
        self._run_id = None
        for grain, tallies in self._grains.items():
            for window in self._windows:
                window.include(window.pane_of(grain * self._grain_ms), tallies)
        self._grains.clear()

    def include(self, pane: int, runs: Packed, counts: Sequence[Mapping[int, Tallies]]) -> bool:
        """Count what other windows of the same lengths and scorers have counted.

        Args:
            pane: Of the longest window.
            runs: Those of the pane; none was counted here with the same scorer before.
            counts: For each window, by the number of its pane, what the runs add.

        Returns:
            Whether the pane may still be in a window.
        """
        if pane < self._edge - PANES:
            return False
        self._ledger.include(pane, runs, open_from=self._edge)
        for window, panes in zip(self._windows, counts, strict=True):
            for number, tallies in panes.items():
                window.include(number, tallies)
        return True

    def advance(self, now_ms: int) -> bool:
        """Move every window to `now_ms`; whether what any of them holds has changed."""
        self._tell()
        edge = self._edge = max(self._edge, now_ms // self._pane_ms)
        # One pane more than the longest window: panes of the others end elsewhere.
        self._ledger.keep(edge - PANES, open_from=edge)
        moved = [window.advance(now_ms) for window in self._windows]
        self._first_ms = self._find_first_ms()
        return any(moved)

    def _find_first_ms(self) -> int:
        return min(window.first_ms for window in self._windows)
