"""How far back records must be read again, so that runs which come in pieces are whole."""

from collections import deque
from collections.abc import Mapping
from types import MappingProxyType

_AGES = 2
"""A trace that is open, or was closed lately, began at most so many of its greatest ages ago."""
_PER_AGE = 4
"""Marks that are kept of each."""


class Marks:
    """Remembers of each place where its records were some time ago, by their own time."""

    def __init__(self, max_age_ms: int, again: Mapping[str, int] = MappingProxyType({})) -> None:
        """Begin without marks.

        Args:
            max_age_ms: After so long a trace is closed, in milliseconds.
            again: What an earlier run said, which holds for places until they are noted.
        """
        self._max_age_ms = max_age_ms
        self._marks: dict[str, deque[tuple[int, int]]] = {}
        """By place offsets, and the time when they were read."""
        self._now_ms: dict[str, int] = {}
        self._in_pieces = set(again)
        self._earlier = again

    def note(self, place: str, offset: int, timestamp_ms: int, *, is_in_pieces: bool) -> None:
        """Note a record, in the order of its place.

        Args:
            place: A partition or a file.
            offset: The record's.
            timestamp_ms: Likewise, in milliseconds since the epoch.
            is_in_pieces: Whether it held pieces of runs.
        """
        if is_in_pieces:
            self._in_pieces.add(place)
        now_ms = self._now_ms[place] = max(timestamp_ms, self._now_ms.get(place, 0))
        marks = self._marks.setdefault(place, deque())
        if not marks or now_ms - marks[-1][1] >= self._max_age_ms // _PER_AGE:
            marks.append((offset, now_ms))
        while len(marks) > 1 and marks[1][1] <= now_ms - _AGES * self._max_age_ms:
            marks.popleft()

    def again(self) -> Mapping[str, int]:
        """By place the offset to read again from, of places that hold pieces of runs."""
        return {
            place: self._marks[place][0][0] if place in self._marks else self._earlier[place]
            for place in sorted(self._in_pieces)
        }
