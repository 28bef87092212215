"""Runs that did not pass a rule, kept so that a change of a verdict can name some."""

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

from live_scoring.core.score import Score
from live_scoring.core.transition import Example

EXAMPLES = 3
"""Runs that are named of any."""


class Newest:
    """The newest examples of any number, whatever the order they come in."""

    __slots__ = ("_kept", "_limit")

    def __init__(self, limit: int = EXAMPLES) -> None:
        """Start with none.

        Args:
            limit: How many to keep.
        """
        self._kept: list[Example] = []
        self._limit = limit

    def add(self, example: Example) -> None:
        """Keep it if it is among the newest."""
        insort(self._kept, example, key=lambda kept: (-kept.run_timestamp_ms, kept.run_id))
        del self._kept[self._limit :]

    def __iter__(self) -> Iterator[Example]:
        """Newest first."""
        return iter(self._kept)


class FailingRuns:
    """The newest of each pane of one rule of one agent and group."""

    def __init__(self, pane_ms: int) -> None:
        """Start with none.

        Args:
            pane_ms: Length of the panes of the agent's shortest window.
        """
        self._pane_ms = pane_ms
        self._panes: defaultdict[int, Newest] = defaultdict(Newest)
        self._sorted: list[int] = []

    def add(self, example: Example) -> None:
        """Note a run."""
        self._panes[example.run_timestamp_ms // self._pane_ms].add(example)

    def newest(self, after_ms: int, until_ms: int) -> tuple[Example, ...]:
        """Of those after a moment and up to another, in milliseconds since the epoch."""
        return tuple(islice(self._between(after_ms, until_ms), EXAMPLES))

    def _between(self, after_ms: int, until_ms: int) -> Iterator[Example]:
        if len(self._sorted) != len(self._panes):
            self._sorted = sorted(self._panes)
        at = bisect_right(self._sorted, until_ms // self._pane_ms)
        for pane in islice(reversed(self._sorted), len(self._sorted) - at, None):
            if (pane + 1) * self._pane_ms <= after_ms:
                return
            for example in self._panes[pane]:
                if after_ms < example.run_timestamp_ms <= until_ms:
                    yield example


def example_of(score: Score) -> Example:
    """What is told of a score that did not pass."""
    reason = score.reason
    if score.outcome == "error":
        reason = f"{score.error_type}: {score.error_message}"
    return Example(score.run_id, score.trace_id, score.score, reason, score.run_timestamp_ms)
