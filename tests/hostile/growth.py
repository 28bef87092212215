"""How processor time grows, told without seconds: these are of one machine at one moment.

Every figure is a ratio of two times that were measured beside each other, so that a machine that is
slow, or busy with other things, changes both.
"""

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import thread_time

TIMES = 16
"""How much larger the larger is of two that are compared."""
BOUND = 2.5
"""How much longer than in proportion the larger may take: 1 is mostly found, 1.5 where it no longer
fits the processor's caches, and 16 where time grows with the square."""
ROUNDS = 10
"""How often a figure above its bound is measured again, as noise may have made it."""
LOOPS = 20_000
"""Turns of a loop of Python; a millisecond or so."""


def growth(work: Callable[[], object], small: Callable[[], object]) -> float:
    """How many times as long some work takes as smaller work foretells.

    Args:
        work: What is asked about.
        small: The same on a record that is `TIMES` smaller; done twice before and twice after.

    Returns:
        1 where it grows in proportion, `TIMES` where with the square, less where it hardly grows.
    """
    small()  # what is made once is not of its time
    with _no_collector():
        before = _seconds(small) + _seconds(small)
        large = _seconds(work)
        after = _seconds(small) + _seconds(small)
    return large / ((before + after) / 4 * TIMES)


def share(work: Callable[[], object], other: Callable[[], object]) -> float:
    """How many times as long some work takes as another."""
    with _no_collector():
        return _seconds(work) / _seconds(other)


def loops(work: Callable[[], object], spared_seconds: float = 0.0) -> float:
    """How many times as long some work takes as a short loop of Python.

    Args:
        work: What is asked about.
        spared_seconds: What it may take on any machine, as a clock stops it.
    """
    with _no_collector():
        loop = _seconds(_loop)
        return max(0.0, _seconds(work) - spared_seconds) / loop


def above(bound: float, figures: Mapping[str, Callable[[], float]]) -> dict[str, float]:
    """Figures that stay above a bound, however often they are measured; of each the least."""
    found = {name: _least(measure, bound) for name, measure in figures.items()}
    return {name: figure for name, figure in found.items() if figure > bound}


def _least(measure: Callable[[], float], bound: float) -> float:
    least = measure()
    for _ in range(ROUNDS):
        if least <= bound:
            break
        least = min(least, measure())
    return least


def _seconds(work: Callable[[], object]) -> float:
    """Of this thread on a processor, so not while others have it."""
    began = thread_time()
    work()
    return thread_time() - began


def _loop() -> int:
    return sum(number % 7 for number in range(LOOPS))


@contextmanager
def _no_collector() -> Iterator[None]:
    """Without the collector, which goes through all that other tests have left."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
