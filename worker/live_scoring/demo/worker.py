"""The demo's worker: the command that everybody runs, as a process of its own."""

import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from live_scoring.adapters.embedded_broker import leashed

_STOP_SECONDS = 15.0


@contextmanager
def running_worker(
    config: Path, environment: Mapping[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """Run `live-scoring run` until the block ends, then ask it to stop and wait for that.

    Args:
        config: The configuration's folder.
        environment: All of its environment.
        log: File for the worker's log.
    """
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 -- this very program
            leashed(sys.executable, "-m", "live_scoring", "run", "--config", str(config)),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port(wanted: int) -> int:
    """The wanted port of this machine if it is free, else any free one."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError("this machine has no free port")
