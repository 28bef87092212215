"""Ending at a signal: what is under way is finished, a second signal ends at once."""

import asyncio
import os
import signal
from typing import Any

_GRACE_SECONDS = 10.0
"""How long the records under way may take; a scorer that calls out may take longer than that."""
_SIGNALLED = 128
"""A process that a signal ends has this much more than the signal's number as its exit code."""


class Stopping:
    """Whether SIGINT or SIGTERM asked to stop."""

    def __init__(self) -> None:
        """Listen to nothing yet."""
        self.signal: signal.Signals | None = None
        self.is_working = False
        """Whether there is anything to finish first."""

    @property
    def is_asked(self) -> bool:
        """Whether a signal came."""
        return self.signal is not None

    @property
    def exit_code(self) -> int:
        """What the process ends with; 0 without a signal."""
        return 0 if self.signal is None else _SIGNALLED + self.signal

    def listen(self, task: asyncio.Task[Any]) -> None:
        """Take signals from now on; the task is cancelled if it does not end by itself."""
        loop = asyncio.get_running_loop()

        def on_signal(number: signal.Signals) -> None:
            if self.signal is not None:
                os._exit(_SIGNALLED + number)
            self.signal = number
            loop.call_later(_GRACE_SECONDS if self.is_working else 0, task.cancel)

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, on_signal, number)
