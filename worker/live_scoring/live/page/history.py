"""A window's verdicts over time, drawn small: where each bar lies and how high it is."""

from collections.abc import Iterator
from dataclasses import dataclass

from live_scoring.core.verdict import VerdictState
from live_scoring.live.fleet import CHANGES, Standing

WIDTH, HEIGHT = 120, 14
WINDOWS = 12
"""How many lengths of its window a drawing covers."""

_NARROWEST = 1.0
"""However short a failure was, it is seen."""
_HEIGHTS: dict[VerdictState, int] = {"failed": 14, "scored": 10, "passed": 6, "no_data": 2}
"""So that who sees no colours sees the verdict."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One verdict from one moment to the next, in units of the drawing."""

    state: VerdictState
    x: float
    width: float

    @property
    def height(self) -> int:
        """The worse, the higher."""
        return _HEIGHTS[self.state]

    @property
    def y(self) -> int:
        """All stand on one line."""
        return HEIGHT - self.height


def bars_of(standing: Standing, since_ms: int, now_ms: int) -> Iterator[Bar]:
    """The verdicts of a window from `since_ms` to now, as far as they were seen."""
    for state, begin_ms, end_ms in _spells(standing, since_ms, now_ms):
        begin, end = max(begin_ms, since_ms), min(end_ms, now_ms)
        if end > begin:
            unit = WIDTH / (now_ms - since_ms)
            width = max(_NARROWEST, round((end - begin) * unit, 2))
            x = min(WIDTH - width, round((begin - since_ms) * unit, 2))
            yield Bar(state, x, width)


def _spells(
    standing: Standing, since_ms: int, now_ms: int
) -> Iterator[tuple[VerdictState, int, int]]:
    changes = standing.changes
    begins = [*(change.at_ms for change in changes), now_ms]
    if len(changes) < CHANGES:  # else nobody knows how long the one before them had stood
        yield standing.before, since_ms, begins[0]
    for change, end_ms in zip(changes, begins[1:], strict=True):
        yield change.state, change.at_ms, end_ms
