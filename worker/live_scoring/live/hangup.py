"""SIGHUP from the first moment on: before anyone can reload it is kept, not obeyed."""

import asyncio
import signal
from collections.abc import Callable


def hold_hangups() -> None:
    """Keep hang-ups until they are taken: by itself one would end a process that still starts.

    To be called before there are other threads, which would not keep them.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})


def take_hangups(on_hangup: Callable[[], None]) -> None:
    """Call at each hang-up from now on until the running loop closes, and for one that is kept."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, on_hangup)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})


def drop_hangups() -> None:
    """Obey none any more: a loop that closes leaves the signal to end the process."""
    hold_hangups()
    asyncio.get_running_loop().remove_signal_handler(signal.SIGHUP)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
