"""How fast this worker goes: counts now against those of up to a minute ago."""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

_SPAN_SECONDS = 60.0


class Pace:
    """Takes counts again and again, and tells how fast they grow."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        """Have taken nothing yet."""
        self._monotonic = monotonic
        self._taken: deque[tuple[float, Mapping[str, Any]]] = deque()

    def note(self, counts: Mapping[str, Any]) -> None:
        """Take counts that only grow; of others nobody asks."""
        now = self._monotonic()
        self._taken.append((now, counts))
        while self._taken[0][0] < now - _SPAN_SECONDS:
            self._taken.popleft()

    def per_second(self, name: str) -> float | None:
        """How much a count grew a second; None before it was taken twice."""
        taken = [(at, counts[name]) for at, counts in self._taken if name in counts]
        if len(taken) < 2:  # noqa: PLR2004 -- a first and a last
            return None
        (since, before), (now, after) = taken[0], taken[-1]
        return float(after - before) / (now - since) if now > since else None
