"""A TCP proxy that can be cut, so that a broker seems to be gone and come back.

By threads: a server of asyncio that is closed while it takes a connection never closes that one
(python/cpython#109564), which is a warning, and so a failure, of whichever test runs just then.
"""

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

HOST = "127.0.0.1"
LOOK_SECONDS = 0.05
"""How long a cut takes at most: to wake a thread that waits for connections is not portable."""


class Proxy:
    """Passes connections on to a port of this machine."""

    def __init__(self, port: int, target: int) -> None:
        """Listen on `port` for what is meant for `target`, once entered."""
        self.port = port
        self._held = _bound(port)  # or else someone could take the port during a cut
        self._target = target
        self._taking: threading.Thread | None = None
        self._is_cut = threading.Event()
        self._passing: list[_Connection] = []
        self.is_mute = False
        """Whether answers are lost, while what is asked still goes through."""

    def __enter__(self) -> Self:
        """Begin to pass on."""
        self.restore()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Cut for good."""
        self.cut()
        self._held.close()

    def cut(self) -> None:
        """Drop every connection and refuse new ones."""
        if self._taking is None:
            return
        self._is_cut.set()
        self._taking.join()
        self._taking = None
        for connection in self._passing:
            connection.drop()
        self._let_go(self._passing)

    def restore(self) -> None:
        """Take connections again."""
        if self._taking is not None:
            return
        listening = _bound(self.port)
        listening.listen()
        listening.settimeout(LOOK_SECONDS)
        self._is_cut.clear()
        self._taking = threading.Thread(target=self._take, args=(listening,), daemon=True)
        self._taking.start()

    def _take(self, listening: socket.socket) -> None:
        with listening:
            while not self._is_cut.is_set():
                with suppress(TimeoutError, ConnectionAbortedError):
                    self._pass_on(listening.accept()[0])

    def _pass_on(self, client: socket.socket) -> None:
        try:
            broker = socket.create_connection((HOST, self._target))
        except OSError:  # it is down
            client.close()
            return
        for end in (client, broker):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._let_go([connection for connection in self._passing if connection.is_over])
        self._passing.append(_Connection(self, client, broker))

    def _let_go(self, over: list["_Connection"]) -> None:
        for connection in list(over):
            connection.close()
            self._passing.remove(connection)


class _Connection:
    """One connection that is passed on, by a thread each way."""

    def __init__(self, proxy: Proxy, client: socket.socket, broker: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._broker = broker
        self._threads = [
            threading.Thread(target=passing, daemon=True) for passing in (self._ask, self._answer)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def is_over(self) -> bool:
        """Whether either end has closed it."""
        return not any(thread.is_alive() for thread in self._threads)

    def drop(self) -> None:
        """End it for both."""
        for end in (self._client, self._broker):
            with suppress(OSError):  # the other side has ended it
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Wait until nothing is passed on, then let go of both ends."""
        for thread in self._threads:
            thread.join()
        self._client.close()
        self._broker.close()

    def _ask(self) -> None:
        with suppress(OSError):
            while data := self._client.recv(1 << 16):
                self._broker.sendall(data)
        self.drop()

    def _answer(self) -> None:
        with suppress(OSError):
            while data := self._broker.recv(1 << 16):
                if not self._proxy.is_mute:
                    self._client.sendall(data)
        self.drop()


def _bound(port: int) -> socket.socket:
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind((HOST, port))
    return bound
