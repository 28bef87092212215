"""What a running worker uses and shows, read from outside, and what of it must not grow."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.integration.workers import Worker

_KIB_PER_MIB = 1024
GROWTH = 1.05
"""Memory of the last third over that of the first, after the warm-up: noise of the allocator."""
SLACK_MIB = 4.0
LAG_SECONDS = 10.0
"""How many seconds' worth of runs may wait at most."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a worker."""

    seconds: float
    """Since the start."""
    memory_mib: float
    open_files: int
    lag: float
    """Records behind, over all topics."""
    runs: float
    """Read since the start."""
    scrape_seconds: float


def look_at(worker: Worker, began: float) -> Look:
    """Look at it now; `began` is by the monotonic clock."""
    process = Path("/proc") / str(worker.process.pid)
    asked = time.monotonic()
    page = worker.figures()
    return Look(
        seconds=asked - began,
        memory_mib=_memory_mib(process),
        open_files=len(list((process / "fd").iterdir())),
        lag=page.total("consumer_lag_records"),
        runs=page.total("runs_consumed_total"),
        scrape_seconds=time.monotonic() - asked,
    )


def _memory_mib(process: Path) -> float:
    status = (process / "status").read_text().splitlines()
    (resident,) = (line.split()[1] for line in status if line.startswith("VmRSS:"))
    return int(resident) / _KIB_PER_MIB


def complaints(looks: Sequence[Look], per_second: float, rebalances: int) -> Iterator[str]:
    """What has grown or happened that must not have, after the warm-up.

    Args:
        looks: Those since the warm-up, in the order of time.
        per_second: How many runs were sent.
        rebalances: How often partitions came.
    """
    third = max(1, len(looks) // 3)
    first, last = looks[:third], looks[-third:]

    def both(figure: Callable[[Look], float]) -> tuple[float, float]:
        return statistics.median(map(figure, first)), statistics.median(map(figure, last))

    before, after = both(lambda look: look.memory_mib)
    if after > before * GROWTH + SLACK_MIB:
        yield f"memory grew from {before:.0f} to {after:.0f} MiB"
    before, after = both(lambda look: look.open_files)
    if after > before:
        yield f"open files grew from {before:.0f} to {after:.0f}"
    lag = max(look.lag for look in looks)
    if lag > LAG_SECONDS * per_second:
        yield f"{lag:.0f} records waited, more than those of {LAG_SECONDS:.0f} s"
    if rebalances > 1:
        yield f"partitions were dealt {rebalances} times"
