"""Hang-ups, in this very process, and where they might end it in one of its own."""

import asyncio
import signal
import subprocess
import sys
import threading

from live_scoring.live.hangup import hold_hangups, take_hangups

UNDER_FIRE = """
import asyncio, signal, threading
from live_scoring.live.hangup import drop_hangups, hold_hangups, take_hangups

async def serve():
    take_hangups(lambda: None)
    drop_hangups()

signal.signal(signal.SIGHUP, signal.SIG_IGN)
threading.Thread(target=threading.Event().wait, daemon=True).start()  # holds no signal back
print("ready", flush=True)
for _ in range(500):
    hold_hangups()
    asyncio.run(serve())
"""


def test_no_hangup_ends_a_process_while_it_is_dropped() -> None:
    command = [sys.executable, "-c", UNDER_FIRE]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:  # noqa: S603
        assert process.stdout is not None
        process.stdout.readline()
        while process.poll() is None:
            process.send_signal(signal.SIGHUP)
    assert process.returncode == 0


def test_a_hangup_that_comes_too_early_is_kept_until_it_is_taken() -> None:
    async def take() -> None:
        is_taken = asyncio.Event()
        take_hangups(is_taken.set)
        await asyncio.wait_for(is_taken.wait(), 10)

    hold_hangups()
    # To this thread: threads that other tests have left hold nothing back.
    signal.pthread_kill(threading.get_ident(), signal.SIGHUP)
    asyncio.run(take())
