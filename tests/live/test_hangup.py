"""Hang-ups, in this very process."""

import asyncio
import signal
import threading

from live_scoring.live.hangup import hold_hangups, take_hangups


def test_a_hangup_that_comes_too_early_is_kept_until_it_is_taken() -> None:
    async def take() -> None:
        is_taken = asyncio.Event()
        take_hangups(is_taken.set)
        await asyncio.wait_for(is_taken.wait(), 10)

    hold_hangups()
    # To this thread: threads that other tests have left hold nothing back.
    signal.pthread_kill(threading.get_ident(), signal.SIGHUP)
    asyncio.run(take())
