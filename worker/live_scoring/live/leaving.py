"""Ending the process in time: what then still waits for a broker is left."""

import logging
import os
import sys
import threading

logger = logging.getLogger(__name__)

LEAVE_SECONDS = 15.0
"""From when the end begins; those who stop processes wait twice as long."""


def leave_in_time(exit_code: int, seconds: float = LEAVE_SECONDS) -> None:
    """End the process after so long, whatever waits then; not from the event loop, which may hang.

    Nothing is lost: an offset is committed only once all that its record led to is confirmed.
    """
    timer = threading.Timer(seconds, _leave_late, [exit_code])
    timer.daemon = True
    timer.start()


def _leave_late(exit_code: int) -> None:
    logger.info("stopped", extra={"unfinished": True})
    leave(exit_code)


def leave(exit_code: int) -> None:
    """End the process now: clients that were left would tell of their end at length."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(exit_code)
