"""A webhook that keeps what it is sent, and answers as a test says."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(frozen=True, slots=True)
class Posted:
    """One request, and how it was answered."""

    status: int
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def told(self) -> tuple[str, str]:
        """Agent and verdict."""
        return self.body["agent_id"], self.body["verdict"]


@dataclass
class Hook:
    """What came, in order."""

    url: str = ""
    statuses: list[int] = field(default_factory=list)
    """How the next requests are answered; 200 when there are no more."""
    posts: list[Posted] = field(default_factory=list)

    @property
    def taken(self) -> list[Posted]:
        """Those that were answered with 200."""
        return [posted for posted in self.posts if posted.status == 200]


@contextmanager
def serving() -> Iterator[Hook]:
    """Serve a webhook on this machine."""
    hook = Hook()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status = hook.statuses.pop(0) if hook.statuses else 200
            hook.posts.append(Posted(status, dict(self.headers.items()), body))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hook.url = f"http://127.0.0.1:{server.server_port}/hook"
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield hook
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
