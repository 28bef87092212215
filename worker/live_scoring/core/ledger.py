"""Which (run, scorer) has been counted: a bit mask of scorers a run, packed once a pane closes."""

import hashlib
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache

from live_scoring.core.run import to_utf8

_HASH = hashlib.blake2b(digest_size=8)


@lru_cache(maxsize=4_096)
def run_key(run_id: str) -> int:
    """64 bits that stand for a run; two of a million runs meet once in 37 million windows.

    Kept for a while, since the scores of a run come one after the other.
    """
    made = _HASH.copy()  # in two thirds of the time that making one takes
    made.update(to_utf8(run_id))
    return int.from_bytes(made.digest(), "big")


CHUNK = 16_384
"""Runs packed at a time, some 10 ms: a pane of a million would hold the loop for seconds."""
_FEW = 512
"""Runs that get no chunk of their own, which would take more room than they do."""

Packed = tuple["array[int]", "array[int]"]
"""Keys of runs, ascending, and for each the bits of its scorers."""


def packed(runs: Iterable[tuple[int, int]]) -> Packed:
    """Keys, ascending, with their bits, in 16 bytes each."""
    both = list(runs)
    return array("Q", [key for key, _ in both]), array("Q", [mask for _, mask in both])


class Runs:
    """The runs of one pane: a dict while runs still come, 16 bytes a run afterwards."""

    __slots__ = ("_chunks", "_loose", "_open")

    def __init__(self) -> None:
        """Start empty."""
        self._open: dict[int, int] = {}
        self._chunks: list[Packed] = []
        self._loose: Packed | None = None
        """Not ascending."""

    def add(self, key: int, bit: int) -> bool:
        """Note a run's scorer; False if it was noted before."""
        mask = self._open.get(key)
        if mask is None:
            mask = self._packed(key) if self._chunks or self._loose else 0
        if mask & bit:
            return False
        self._open[key] = mask | bit
        return True

    def _packed(self, key: int) -> int:
        mask = 0
        self._sort()
        for keys, masks in self._chunks:
            at = bisect_left(keys, key)
            if at < len(keys) and keys[at] == key:
                mask |= masks[at]
        return mask

    def open(self, runs: Packed) -> None:
        """Note runs of a pane to which more will come."""
        for key, mask in zip(*runs, strict=True):
            self._open[key] = self._open.get(key, 0) | mask

    def close(self, runs: Packed) -> None:
        """Note runs of a pane to which hardly more will come."""
        if len(runs[0]) >= _FEW:
            self._chunks.append(runs)
            return
        if self._loose is None:
            self._loose = array("Q"), array("Q")
        for kept, more in zip(self._loose, runs, strict=True):
            kept.extend(more)
        if len(self._loose[0]) >= CHUNK:
            self._sort()

    def _sort(self) -> None:
        """Make a chunk of few runs and few again; most panes are never asked for theirs."""
        if self._loose is not None:
            merged: dict[int, int] = {}
            for key, mask in zip(*self._loose, strict=True):
                merged[key] = merged.get(key, 0) | mask
            self._chunks.append(packed(sorted(merged.items())))
            self._loose = None

    def pack(self, limit: int) -> int:
        """Pack at most so many runs; how many it packed."""
        taken = sorted(self._open.popitem() for _ in range(min(limit, len(self._open))))
        if taken:
            self._chunks.append(packed(taken))
        if not self._open:
            self._open = {}  # an emptied dict keeps its memory
        return len(taken)


class Ledger:
    """Remembers per pane what was counted."""

    def __init__(self) -> None:
        """Start empty."""
        self._panes: dict[int, Runs] = {}
        self._open_from: int | None = None
        self._unpacked: list[Runs] = []

    def add(self, pane: int, key: int, bit: int) -> bool:
        """Note a run's scorer; False if it was noted before."""
        return self.of_pane(pane).add(key, bit)

    def of_pane(self, pane: int) -> Runs:
        """The runs of a pane, until that is forgotten."""
        runs = self._panes.get(pane)
        if runs is None:
            runs = self._panes[pane] = Runs()
        return runs

    def include(self, pane: int, runs: Packed, *, open_from: int) -> None:
        """Note runs of which none was noted with the same scorer before."""
        if pane < open_from:
            self.of_pane(pane).close(runs)
        else:
            self.of_pane(pane).open(runs)

    def pack(self) -> None:
        """Pack every pane, however long that takes."""
        for runs in self._panes.values():
            runs.pack(sys.maxsize)

    def keep(self, first: int, *, open_from: int) -> None:
        """Forget panes before `first`, and pack a share of those before `open_from`.

        To be called again and again: each call packs at most `CHUNK` runs.
        """
        if open_from != self._open_from:
            self._open_from = open_from
            self._panes = {pane: runs for pane, runs in self._panes.items() if pane >= first}
            self._unpacked = [runs for pane, runs in self._panes.items() if pane < open_from]
        left = CHUNK
        while self._unpacked and left:
            packed = self._unpacked[-1].pack(left)
            if packed < left:
                self._unpacked.pop()
            left -= packed
