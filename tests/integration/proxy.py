"""A TCP proxy that can be cut, so that a broker seems to be gone and come back."""

import asyncio
import socket
import threading
from concurrent.futures import Future
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

HOST = "127.0.0.1"


class Proxy:
    """Passes connections on to a port of this machine; runs on a thread of its own."""

    def __init__(self, port: int, target: int) -> None:
        """Listen on `port` for what is meant for `target`, once entered."""
        self.port = port
        self._held = socket.socket()
        self._held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._held.bind((HOST, port))  # or else someone could take the port during a cut
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: asyncio.Server | None = None
        self._writers: list[asyncio.StreamWriter] = []
        self._passing: list[asyncio.Task[None]] = []
        """All there ever were: asyncio holds neither for sure, and what is collected before it is
        closed is a warning, and so a failure, of whichever test runs just then."""
        self.is_mute = False
        """Whether answers are lost, while what is asked still goes through."""

    def __enter__(self) -> Self:
        """Begin to pass on."""
        self._thread.start()
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
        self._run(self._settle())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._held.close()

    def cut(self) -> None:
        """Drop every connection and refuse new ones."""
        self._run(self._cut())

    def restore(self) -> None:
        """Take connections again."""
        self._run(self._listen())

    def _run(self, step: Any) -> None:
        done: Future[None] = asyncio.run_coroutine_threadsafe(step, self._loop)
        done.result(timeout=10)

    async def _listen(self) -> None:
        if self._server is None:
            self._server = await asyncio.start_server(self._accept, HOST, self.port)

    async def _cut(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in self._writers:
            writer.transport.abort()

    @staticmethod
    async def _settle() -> None:
        """Let what was passed on end, and every connection close."""
        passing = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.wait([*passing, asyncio.create_task(asyncio.sleep(0.1))], timeout=5)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        self._passing.append(self._loop.create_task(self._pass_on(reader, writer)))

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            to_reader, to_writer = await asyncio.open_connection(HOST, self._target)
        except OSError:  # the broker is down
            writer.transport.abort()
            return
        self._writers.append(to_writer)
        if writer.is_closing():  # cut meanwhile
            to_writer.transport.abort()
        await asyncio.gather(self._pass(reader, to_writer), self._answer(to_reader, writer))

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                if not self.is_mute:
                    writer.write(data)
                    await writer.drain()
        writer.close()

    @staticmethod
    async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        writer.close()
