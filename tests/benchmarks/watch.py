"""Watches a process: the processor time it has used by any moment, and its peak of memory."""

import os
import re
import threading
import time
from bisect import bisect_left
from pathlib import Path
from typing import Self

_EVERY_SECONDS = 0.05
_PEAK = re.compile(r"VmHWM:\s+(\d+) kB")
_TICKS = os.sysconf("SC_CLK_TCK")


def peak_mb(folder: Path = Path("/proc/self")) -> float | None:
    """The most memory that a process has held since it began, in 10^6 bytes; None once it ended."""
    peaks = _PEAK.findall((folder / "status").read_text())
    return int(peaks[0]) * 1024 / 1e6 if peaks else None


class Watch:
    """Samples `/proc` until the block ends; times are seconds since the epoch."""

    def __init__(self, pid: int) -> None:
        """Watch a process of this machine, which must be Linux."""
        self._folder = Path("/proc") / str(pid)
        self._times: list[float] = []
        self._used: list[float] = []
        self.peak_mb = 0.0
        """The most memory the process has held, in 10^6 bytes."""
        self._has_ended = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        self._has_ended.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._has_ended.wait(_EVERY_SECONDS):
            try:
                fields = (self._folder / "stat").read_text().rpartition(")")[2].split()
                peak = peak_mb(self._folder)
            except OSError:
                return
            if peak is None:
                return
            self._times.append(time.time())
            self._used.append((int(fields[11]) + int(fields[12])) / _TICKS)
            self.peak_mb = peak

    def cpu_seconds(self, since: float, until: float) -> float:
        """Processor time used between two moments."""
        return self._used_at(until) - self._used_at(since)

    def _used_at(self, moment: float) -> float:
        if not self._used:
            return 0.0
        return self._used[min(bisect_left(self._times, moment), len(self._used) - 1)]
