"""Nothing that is asked of the pages breaks them or makes them grow."""

import asyncio
import random  # noqa: TID251 -- a fuzzer repeats by its seed
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast
from urllib.parse import urlsplit

import pytest
from faust.web.drivers.aiohttp import Web

from live_scoring.config import Config, WorkerConfig
from live_scoring.live.app import LiveApp
from live_scoring.live.worker import Setting
from tests.live.fakes import FakeLoop, no_fleet, plan_of, worker_of

TOKEN = "correct-horse-battery"  # noqa: S105 -- of no worker but these
PATHS = (
    "/",
    "/metrics",
    "/livez",
    "/readyz",
    "/api/verdicts",
    "/api/agents",
    "/login",
    "/logout",
    "/nowhere",
)
QUERIES = (
    "",
    "?",
    "?agent=" + "a" * 7_000,
    "?" + "&" * 2_000,
    "?state=%00%ff%ed%a0%80&x[]=1",
    "?place=//evil.example%0d%0aX:%20y&place=%5c%ff",
    "?%",
)
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW", "get", "")
HEADERS = (
    b"",
    b"Accept: " + b"a/b," * 1_500 + b"\r\n",
    b"Accept: application/openmetrics-text; version=\xff\xfe\r\n",
    b"Accept-Encoding: gzip, br;q=nan, \x7f\r\n",
    b"Authorization: Bearer " + b"\xc3\xa9" * 500 + b"\r\n",
    b"Authorization: Bearer " + TOKEN.encode() + b"\r\n",
    b"Cookie: " + b"session=;" * 500 + b"\r\n",
    b"Cookie: live_scoring_session=\xff\xfe; live_scoring_session=\r\n",
    b"Accept: text/html\r\n",
    b"Content-Encoding: gzip\r\n",
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


FORMS = (
    b"token=" + TOKEN.encode() + b"&place=%2F%2Fevil.example",
    b"token=%ff%00&place=" + b"%0d%0a" * 500,
    b"token=&token=&" + b"&" * 2_000,
    b"=" * 9_000,
)
PARTS = (
    b"--x\r\nContent-Disposition: form-data; name=token\r\n\r\n\xff\r\n--x--\r\n",
    b"--x\r\nContent-Disposition: form-data; name=place; filename=a\r\n\r\n/\r\n--x--\r\n",
    b"--x\r\n" * 500,
    b"--x\r\nContent-Disposition: " + b"form-data;" * 500,
)


def _form(chance: random.Random) -> bytes:
    """What a browser sends, or nearly."""
    body = chance.choice(FORMS + PARTS)
    kind = (
        b"multipart/form-data; boundary=x"
        if body in PARTS
        else b"application/x-www-form-urlencoded"
    )
    told = b"Content-Type: %b\r\nContent-Length: %d\r\n" % (kind, len(body))
    path = chance.choice((b"/login", b"/logout"))
    more = chance.choice((b"", chance.choice(HEADERS)))
    head = b"POST %b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" % path
    return head + told + more + b"\r\n" + body


def _any(chance: random.Random) -> bytes:
    return b"%b %b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%b\r\n%b" % (
        chance.choice(METHODS).encode(),
        (chance.choice(PATHS) + chance.choice(QUERIES)).encode(),
        chance.choice(HEADERS) + chance.choice(HEADERS),
        chance.randbytes(chance.choice((0, 0, 5, 3_000))),
    )


def _requests(seed: int, count: int) -> list[bytes]:
    chance = random.Random(seed)  # noqa: S311 -- the same
    makers = (_any, _any, _any, _form, lambda chance: chance.choice(RAW))
    return [chance.choice(makers)(chance) for _ in range(count)]


@asynccontextmanager
async def _serving(*, asks_for_token: bool) -> AsyncIterator[LiveApp]:
    web = {"port": 0, "token": TOKEN} if asks_for_token else {"port": 0}
    config = Config(WorkerConfig.model_validate({"web": web}), ())
    app = LiveApp(worker_of(FakeLoop(), FakeLoop(), setting=Setting(config, plan_of())), no_fleet)
    await app.start()
    try:
        await app.worker.has_topics.wait()
        yield app
    finally:
        await app.stop()


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


@pytest.mark.parametrize("asks_for_token", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_no_request_is_answered_by_an_error_of_ours_and_slow_clients_hold_up_nobody(
    seed: int, asks_for_token: bool
) -> None:
    requests = _requests(seed, 300)

    async def ask() -> tuple[list[str], str]:
        async with _serving(asks_for_token=asks_for_token) as app:
            parts = urlsplit(app.address)
            address = (str(parts.hostname), int(parts.port or 0))
            statuses = await asyncio.gather(*(_status(address, r, 3) for r in requests))
            return statuses, await _status(address, b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n", 60)

    statuses, alive = asyncio.run(ask())
    assert [r[:200] for r, s in zip(requests, statuses, strict=True) if s[:1] == "5"] == []
    wanted = {"200", "400", "401"} if asks_for_token else {"200", "400", "404", "405"}
    assert wanted | {"303"} <= set(statuses)
    assert alive == "200"


def test_every_path_that_is_served_is_asked_for() -> None:
    async def served() -> set[str]:
        async with _serving(asks_for_token=True) as app:
            resources = cast(Web, app.web).web_app.router.resources()
            return {resource.canonical for resource in resources}

    assert asyncio.run(served()) | {"/nowhere"} == set(PATHS)
