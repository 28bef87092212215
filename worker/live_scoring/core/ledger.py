"""Which (run, scorer) has been counted: a bit mask of scorers a run, packed once a pane closes."""

import hashlib
from array import array
from bisect import bisect_left

from live_scoring.core.run import to_utf8


def run_key(run_id: str) -> int:
    """64 bits that stand for a run; two of a million runs meet once in 37 million windows."""
    return int.from_bytes(hashlib.blake2b(to_utf8(run_id), digest_size=8).digest(), "big")


class _Pane:
    """The runs of one pane: a dict while runs still come, 16 bytes a run afterwards."""

    __slots__ = ("_keys", "_masks", "_open")

    def __init__(self) -> None:
        self._open: dict[int, int] = {}
        self._keys = array("Q")
        self._masks = array("Q")

    def add(self, key: int, bit: int) -> bool:
        mask = self._open.get(key)
        if mask is None:
            mask = self._packed(key)
        if mask & bit:
            return False
        self._open[key] = mask | bit
        return True

    def _packed(self, key: int) -> int:
        at = bisect_left(self._keys, key)
        return self._masks[at] if at < len(self._keys) and self._keys[at] == key else 0

    def pack(self) -> None:
        if not self._open:
            return
        merged = dict(zip(self._keys, self._masks, strict=True)) | self._open
        self._keys = array("Q", sorted(merged))
        self._masks = array("Q", (merged[key] for key in self._keys))
        self._open = {}


class Ledger:
    """Remembers per pane what was counted."""

    def __init__(self) -> None:
        """Start empty."""
        self._panes: dict[int, _Pane] = {}
        self._open_from: int | None = None

    def add(self, pane: int, key: int, bit: int) -> bool:
        """Note a run's scorer; False if it was noted before."""
        runs = self._panes.get(pane)
        if runs is None:
            runs = self._panes[pane] = _Pane()
        return runs.add(key, bit)

    def keep(self, first: int, *, open_from: int) -> None:
        """Forget panes before `first` and pack those before `open_from`."""
        if open_from == self._open_from:
            return
        self._open_from = open_from
        for pane in list(self._panes):
            if pane < first:
                del self._panes[pane]
            elif pane < open_from:
                self._panes[pane].pack()
