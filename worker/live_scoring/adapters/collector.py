"""Python's collector of cycles, kept from holding up the event loop.

It looks at every object again and again as their number grows, for a tenth of a second with a large
record in memory. What a record leads to makes no cycles, so there is nothing for it to find; what
makes some are connections, requests and plans that were replaced.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

COLLECT_SECONDS = 300.0
"""Between two looks at all that came since the start."""
_NEW_OBJECTS = 10_000
"""At which those among them that are in no use are collected: a millisecond at most."""
_NEVER = 2**30


@contextmanager
def tamed_collector() -> Iterator[None]:
    """Look by itself at new objects alone, and never at those that are there now.

    Whoever does so calls `gc.collect` from time to time.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, _NEVER, _NEVER)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
