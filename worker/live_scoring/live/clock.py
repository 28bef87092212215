"""The clocks that the loops read; tests put others in their place."""

import time
from collections.abc import Callable
from dataclasses import dataclass


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Clock:
    """Wall time to place and judge by, monotonic time to measure by."""

    now_ms: Callable[[], int] = _wall_ms
    """Milliseconds since the epoch."""
    monotonic: Callable[[], float] = time.monotonic
    """Seconds since an unnamed moment; runs on while the process is stopped."""
    perf: Callable[[], float] = time.perf_counter
    """Seconds, as fine as the machine has them."""
