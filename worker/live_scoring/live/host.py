"""Starting and ending the process: signals and the exit code of `live-scoring run`."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from logging.config import dictConfig
from pathlib import Path

from live_scoring.config.web import WebConfig
from live_scoring.core.errors import LiveScoringError
from live_scoring.live.app import LiveApp, url_of
from live_scoring.live.assembly import build_worker
from live_scoring.live.hangup import drop_hangups
from live_scoring.live.leaving import leave, leave_in_time
from live_scoring.live.logs import logging_config
from live_scoring.live.loops import Half
from live_scoring.live.worker import Worker

logger = logging.getLogger(__name__)

_SIGNALLED = 128
"""A process that a signal ends has this much more than the signal's number as its exit code."""


def run(folder: Path, only: Half | None = None, *, create_topics: bool = True) -> int:
    """Run a worker until SIGTERM or SIGINT, or until something happens that cannot mend.

    Args:
        folder: The configuration.
        only: The half to run; None runs both.
        create_topics: Whether missing topics may be created.

    Returns:
        The exit code after an error, which the log tells: 1. After a signal the process has ended,
        with 0.

    Raises:
        LiveScoringError: The configuration cannot be used; nothing was started.
    """
    dictConfig(logging_config(is_terminal=sys.stderr.isatty()))
    worker = build_worker(folder, only, create_topics=create_topics)
    try:
        asyncio.run(_serve(worker))
    except LiveScoringError:
        return 1  # whoever met the error has logged it
    return 0


async def _serve(worker: Worker) -> None:
    with _told_if_deaf(worker.setting.config.worker.web):
        app = LiveApp(worker)
    is_asked = _asked_to_stop()
    try:
        with _told_if_deaf(worker.setting.config.worker.web):
            await app.start()
        ends = [asyncio.create_task(e) for e in (is_asked.wait(), app.wait_until_stopped())]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        leave_in_time(exit_code=0 if app.crash_reason is None else 1)
        await app.stop()
        drop_hangups()
    if app.crash_reason is not None:
        raise app.crash_reason
    leave(0)


@contextmanager
def _told_if_deaf(web: WebConfig) -> Iterator[None]:
    """Tell that nobody can listen at the address of the pages."""
    try:
        yield
    except OSError as error:
        code = error.errno or 0
        reason = os.strerror(code) if code > 0 else error.strerror  # below 0 the name is unknown
        sentence = (
            f"worker.yaml: web: cannot listen on {url_of(web.host, web.port)}: {reason}; "
            "set another web.host or web.port"
        )
        logger.critical("cannot go on", extra={"error": sentence})
        raise LiveScoringError(sentence) from error


def _asked_to_stop() -> asyncio.Event:
    """An event that the first signal sets; the second ends the process at once."""
    is_asked = asyncio.Event()

    def on_signal(number: int) -> None:
        if is_asked.is_set():
            os._exit(_SIGNALLED + number)
        is_asked.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, on_signal, number)
    return is_asked
