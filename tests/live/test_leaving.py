"""Leaving in time: a process that hangs ends all the same, and says so."""

import subprocess
import sys

import pytest

HANGS = """
import logging, time
from live_scoring.live.leaving import leave_in_time
logging.basicConfig(level="INFO")
leave_in_time({exit_code}, seconds=0.1)
time.sleep(60)  # as an event loop that does not turn
"""


@pytest.mark.parametrize("exit_code", [0, 1])
def test_a_process_that_hangs_at_its_end_is_left_in_time(exit_code: int) -> None:
    done = subprocess.run(  # noqa: S603 -- this very interpreter
        [sys.executable, "-c", HANGS.format(exit_code=exit_code)],
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == exit_code
    assert done.stderr == "INFO:live_scoring.live.leaving:stopped\n"
