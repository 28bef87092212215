"""Which (run, scorer) has been counted: a bit mask of scorers a run, packed once a pane closes."""

import hashlib
import sys
from array import array
from bisect import bisect_left

from live_scoring.core.run import to_utf8


def run_key(run_id: str) -> int:
    """64 bits that stand for a run; two of a million runs meet once in 37 million windows."""
    return int.from_bytes(hashlib.blake2b(to_utf8(run_id), digest_size=8).digest(), "big")


CHUNK = 16_384
"""Runs packed at a time, some 10 ms: a pane of a million would hold the loop for seconds."""


class _Pane:
    """The runs of one pane: a dict while runs still come, 16 bytes a run afterwards."""

    __slots__ = ("_chunks", "_open")

    def __init__(self) -> None:
        self._open: dict[int, int] = {}
        self._chunks: list[tuple[array[int], array[int]]] = []

    def add(self, key: int, bit: int) -> bool:
        mask = self._open.get(key)
        if mask is None:
            mask = self._packed(key)
        if mask & bit:
            return False
        self._open[key] = mask | bit
        return True

    def _packed(self, key: int) -> int:
        mask = 0
        for keys, masks in self._chunks:
            at = bisect_left(keys, key)
            if at < len(keys) and keys[at] == key:
                mask |= masks[at]
        return mask

    def pack(self, limit: int) -> int:
        """Pack at most so many runs; how many it packed."""
        taken = sorted(self._open.popitem() for _ in range(min(limit, len(self._open))))
        if taken:
            keys, masks = zip(*taken, strict=True)
            self._chunks.append((array("Q", keys), array("Q", masks)))
        if not self._open:
            self._open = {}  # an emptied dict keeps its memory
        return len(taken)


class Ledger:
    """Remembers per pane what was counted."""

    def __init__(self) -> None:
        """Start empty."""
        self._panes: dict[int, _Pane] = {}
        self._open_from: int | None = None
        self._unpacked: list[_Pane] = []

    def add(self, pane: int, key: int, bit: int) -> bool:
        """Note a run's scorer; False if it was noted before."""
        runs = self._panes.get(pane)
        if runs is None:
            runs = self._panes[pane] = _Pane()
        return runs.add(key, bit)

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
