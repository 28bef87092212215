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

    @property
    def is_over(self) -> bool:
        """Whether the loop has been held for `HOLD_SECONDS`."""
        return self._monotonic() - self._since >= HOLD_SECONDS

    async def pause(self) -> None:
        """Give way if the turn is over."""
        if self.is_over:
            await asyncio.sleep(0)
            self._since = self._monotonic()
