"""Nothing that is asked of the pages breaks them or makes them grow."""

import asyncio
import random  # noqa: TID251 -- a fuzzer repeats by its seed
from urllib.parse import urlsplit

import pytest

from live_scoring.live.app import LiveApp
from tests.live.fakes import FakeLoop, no_fleet, worker_of

PATHS = ("/", "/metrics", "/livez", "/readyz", "/api/verdicts", "/api/agents", "/login", "/nowhere")
QUERIES = (
    "",
    "?",
    "?agent=" + "a" * 7_000,
    "?" + "&" * 2_000,
    "?state=%00%ff%ed%a0%80&x[]=1",
    "?%",
)
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW", "get", "")
HEADERS = (
    b"",
    b"Accept: " + b"a/b," * 1_500 + b"\r\n",
    b"Accept: application/openmetrics-text; version=\xff\xfe\r\n",
    b"Accept-Encoding: gzip, br;q=nan, \x7f\r\n",
    b"Authorization: Bearer " + b"\xc3\xa9" * 500 + b"\r\n",
    b"Cookie: " + b"session=;" * 500 + b"\r\n",
    b"Content-Length: -1\r\n",
    b"Content-Length: 5\r\n",
    b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
    b"Range: bytes=0-,5-4\r\nIf-Modified-Since: never\r\n",
    b"X: " + b"x" * 100_000 + b"\r\n",
    b"no colon\r\n",
    b"Host: a\r\nHost: b\r\nExpect: 200-maybe\r\n",
)
RAW = (
    b"",
    b"\0" * 1_000,
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\xfc",
)


def _requests(seed: int, count: int) -> list[bytes]:
    chance = random.Random(seed)  # noqa: S311 -- the same
    return [
        chance.choice(RAW)
        if chance.random() < 0.1
        else b"%b %b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%b\r\n%b"
        % (
            chance.choice(METHODS).encode(),
            (chance.choice(PATHS) + chance.choice(QUERIES)).encode(),
            chance.choice(HEADERS) + chance.choice(HEADERS),
            chance.randbytes(chance.choice((0, 0, 5, 3_000))),
        )
        for _ in range(count)
    ]


async def _status(address: tuple[str, int], request: bytes, patience: float) -> str:
    """What the answer begins with; empty where the rest of the request is waited for."""
    reader, writer = await asyncio.open_connection(*address)
    try:
        writer.write(request)
        line = await asyncio.wait_for(reader.readline(), patience)
    except (ConnectionError, TimeoutError):
        return ""
    finally:
        writer.close()
    return line[9:12].decode("latin-1")


@pytest.mark.parametrize("seed", range(2))
def test_no_request_is_answered_by_an_error_of_ours_and_slow_clients_hold_up_nobody(
    seed: int,
) -> None:
    requests = _requests(seed, 300)

    async def ask() -> tuple[list[str], str]:
        app = LiveApp(worker_of(FakeLoop(), FakeLoop()), no_fleet)
        await app.start()
        parts = urlsplit(app.address)
        address = (str(parts.hostname), int(parts.port or 0))
        try:
            await app.worker.has_topics.wait()
            statuses = await asyncio.gather(*(_status(address, r, 3) for r in requests))
            return statuses, await _status(address, b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n", 60)
        finally:
            await app.stop()

    statuses, alive = asyncio.run(ask())
    assert [r[:200] for r, s in zip(requests, statuses, strict=True) if s[:1] == "5"] == []
    assert {"200", "400", "404", "405"} <= set(statuses)
    assert alive == "200"
