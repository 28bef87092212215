"""When a whole worker had read all its scores back, by its own page.

`window_samples` tells for certain, but only once a second. The lag of the scores topic is renewed
every turn, yet may be 0 for a moment in which more is on its way. So the moment is that from which
on the lag stayed 0 until the windows told that they hold all.
"""

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

import httpx

from tests.benchmarks.outcome import SECONDS
from tests.benchmarks.workload import PARTITIONS
from tests.integration.workers import Figures as Page

_SELDOM_SECONDS, _OFTEN_SECONDS = 1.0, 0.2
"""Between two looks while there are runs to be read, and after: a page costs some milliseconds."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What the page said at a time."""

    at: float
    """Seconds since the epoch."""
    runs_behind: float
    scores_behind: float
    counted: float
    """Scores in the windows, as of the last second."""


def caught_up_at(glances: Sequence[Glance]) -> float:
    """Since when nothing was left to be read back, in seconds since the epoch."""
    at_rest = takewhile(lambda glance: not glance.scores_behind, reversed(glances))
    return min((glance.at for glance in at_rest), default=glances[-1].at)


async def watch_page(
    port: int, topics: tuple[str, str], expected: int, look: Callable[[], None]
) -> list[Glance]:
    """Look at a worker's page until its windows hold as many scores as expected.

    Args:
        port: Of its pages.
        topics: Of runs and of scores.
        expected: How many scores.
        look: Raises once the worker has failed.

    Raises:
        TimeoutError: They hold another number after `SECONDS`.
    """
    glances: list[Glance] = []
    deadline = time.monotonic() + SECONDS
    async with httpx.AsyncClient(timeout=SECONDS) as client:
        while time.monotonic() < deadline:
            look()
            glance = await _glance(client, port, topics)
            if glance is not None:
                glances.append(glance)
                if glance.counted == expected:
                    return glances
            is_late = glance is not None and not glance.runs_behind
            await asyncio.sleep(_OFTEN_SECONDS if is_late else _SELDOM_SECONDS)
    last = glances[-1] if glances else None
    raise TimeoutError(f"the windows do not hold {expected} scores in {SECONDS:.0f} s: {last}")


async def _glance(client: httpx.AsyncClient, port: int, topics: tuple[str, str]) -> Glance | None:
    try:
        answer = await client.get(f"http://127.0.0.1:{port}/metrics")
    except httpx.TransportError:
        return None
    page = Page(answer.text)
    runs, scores = (_behind(page, topic) for topic in topics)
    return Glance(time.time(), runs, scores, page.total("window_samples"))


def _behind(page: Page, topic: str) -> float:
    """How many records are left; no end of them before every partition was looked at."""
    lags = page.having("consumer_lag_records", topic=topic)
    return sum(lag for _, lag in lags) if len(lags) == PARTITIONS else math.inf
