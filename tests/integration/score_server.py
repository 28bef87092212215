"""A server that scores runs for a scorer of one's own, and lets some of them wait."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from time import sleep
from typing import Any

_SECONDS = 0.05
"""How long it takes for an answer."""


class ScoreServer:
    """Answers 1 for every run, in its own time."""

    def __init__(self, port: int) -> None:
        """Hold no run."""
        self.url = f"http://127.0.0.1:{port}"
        self.asked: list[str] = []
        """Runs in the order they were asked about."""
        self.held: set[str] = set()
        """Runs that wait for `released`."""
        self.released = Event()

    def answer(self, run_id: str) -> bytes:
        """Score a run."""
        self.asked.append(run_id)
        if run_id in self.held:
            self.released.wait()
        else:
            sleep(_SECONDS)
        return b"1"


@contextmanager
def serve_scores() -> Iterator[ScoreServer]:
    """Serve until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = scores.answer(self.path.removeprefix("/"))
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with _Server(("127.0.0.1", 0), Handler) as server:
        scores = ScoreServer(server.server_port)
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield scores
        finally:
            scores.released.set()
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Say nothing of workers that were killed while they waited."""
