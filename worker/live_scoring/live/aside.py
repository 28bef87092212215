"""What takes long is read in a thread, so that the event loop turns.

Threads take turns every few milliseconds. Whoever waits for one asks nothing else of the gatherer.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence

from live_scoring.gathering import Find, Found, LongTrace

_LONG_BYTES = 256 * 1024
"""Of a record: some 10 ms or more to decode. To go to a thread and back takes a tenth of one."""


async def gather_aside(gather: Callable[[], Iterable[Find]], size: int) -> Iterable[Find]:
    """What is found in a record, decoded in a thread if its size in bytes is large."""
    return await asyncio.to_thread(gather) if size > _LONG_BYTES else gather()


async def read_aside(find: Found | LongTrace) -> Sequence[Found]:
    """A find itself, or what is found in a trace that takes long to read."""
    return await asyncio.to_thread(find.read) if isinstance(find, LongTrace) else (find,)
