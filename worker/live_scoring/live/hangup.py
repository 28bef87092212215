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
    """Call at each hang-up from now on, in the running loop, and for one that is kept."""
    loop = asyncio.get_running_loop()
    # Not as the loop's own handler: to remove that one, as a loop that closes does, leaves the
    # signal to end the process, whichever thread it comes to.
    signal.signal(signal.SIGHUP, lambda *_: loop.call_soon_threadsafe(on_hangup))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})


def drop_hangups() -> None:
    """Obey none any more."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
