"""Giving the event loop its turn by time, not by record count."""

import asyncio
from collections.abc import Callable

HOLD_SECONDS = 0.002
"""How long work may hold the event loop. What is fetched comes in beside the work, some 100 KB each
time the loop has its turn, and a thousand large runs must be there when the last are done."""


class Turn:
    """Called between two pieces of work: lets others run once enough time has passed."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        """Begin holding now."""
        self._monotonic = monotonic
        self._since = monotonic()

    async def pause(self) -> None:
        """Give way if the loop has been held for `HOLD_SECONDS`."""
        if self._monotonic() - self._since >= HOLD_SECONDS:
            await asyncio.sleep(0)
            self._since = self._monotonic()
