"""Who gets to see what, asked over HTTP."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import httpx
import pytest

from live_scoring.config import Config, WorkerConfig
from live_scoring.live.app import LiveApp
from live_scoring.live.worker import Setting
from tests.live.fakes import FakeLoop, no_fleet, plan_of, worker_of

T = TypeVar("T")

TOKEN = "correct-horse-battery"  # noqa: S105 -- of no worker but these
WRONG = ("", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", TOKEN, f"Basic {TOKEN}", "Bearer \xff")
OTHERS = "0.0.0.0"  # noqa: S104 -- every address
GUARDED = ("/", "/api/verdicts", "/api/agents", "/nowhere")
PUBLIC = ("/metrics", "/livez")


def asking(web: Mapping[str, Any], questions: Callable[[httpx.AsyncClient], Awaitable[T]]) -> T:
    """Ask an app that is configured so."""

    async def ask() -> T:
        raw = {"web": {"port": 0, **web}}
        setting = Setting(Config(WorkerConfig.model_validate(raw), ()), plan_of())
        app = LiveApp(worker_of(FakeLoop(), setting=setting), no_fleet)
        await app.start()
        try:
            url = f"http://127.0.0.1:{app.conf.web_port}"
            async with httpx.AsyncClient(base_url=url) as client:
                return await questions(client)
        finally:
            await app.stop()

    return asyncio.run(ask())


def statuses(web: Mapping[str, Any], paths: tuple[str, ...], **headers: str) -> set[int]:
    async def ask(client: httpx.AsyncClient) -> set[int]:
        return {(await client.get(path, headers=headers)).status_code for path in paths}

    return asking(web, ask)


@pytest.mark.parametrize("web", [{}, {"host": OTHERS, "open": True}], ids=["own", "declared open"])
def test_pages_that_are_open_ask_for_nothing(web: dict[str, Any]) -> None:
    assert statuses(web, GUARDED[:3]) == {200}


def test_without_a_token_other_machines_see_no_page() -> None:
    assert statuses({"host": OTHERS}, GUARDED) == {403}


@pytest.mark.parametrize("host", [OTHERS, "127.0.0.1"])
def test_whoever_lacks_the_token_sees_no_page(host: str) -> None:
    async def ask(client: httpx.AsyncClient) -> set[int]:
        headers = [[(b"Authorization", wrong.encode("latin-1"))] for wrong in WRONG]
        return {(await client.get(p, headers=h)).status_code for p in GUARDED for h in headers}

    assert asking({"host": host, "token": TOKEN}, ask) == {401}


def test_whoever_has_the_token_sees_every_page() -> None:
    web = {"host": OTHERS, "token": TOKEN}
    assert statuses(web, GUARDED[:3], Authorization=f"Bearer {TOKEN}") == {200}


@pytest.mark.parametrize("web", [{"host": OTHERS}, {"host": OTHERS, "token": TOKEN}])
def test_metrics_and_health_ask_for_no_token(web: dict[str, Any]) -> None:
    assert statuses(web, PUBLIC) == {200}


def test_a_browser_logs_in_once_and_its_cookie_holds_no_token() -> None:
    async def ask(client: httpx.AsyncClient) -> tuple[httpx.Response, httpx.Response]:
        assert "<form" in (await client.get("/")).text
        answer = await client.post("/login", data={"token": f" {TOKEN}\n"})
        return answer, await client.get("/")

    answer, page = asking({"host": OTHERS, "token": TOKEN}, ask)
    cookie = answer.headers["set-cookie"]
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Secure" not in cookie
    assert TOKEN not in cookie
    assert page.status_code == 200


def test_a_cookie_is_bound_to_tls_where_the_browser_speaks_it() -> None:
    async def ask(client: httpx.AsyncClient) -> httpx.Response:
        headers = {"X-Forwarded-Proto": "https"}
        return await client.post("/login", data={"token": TOKEN}, headers=headers)

    assert "Secure" in asking({"token": TOKEN}, ask).headers["set-cookie"]


def test_a_wrong_token_gives_no_cookie() -> None:
    async def ask(client: httpx.AsyncClient) -> list[httpx.Response]:
        forms: list[dict[str, str]] = [{}, *({"token": t} for t in ("", TOKEN + "x", "x" * 20_000))]
        answers = [await client.post("/login", data=form) for form in forms]
        return [*answers, await client.post("/login", files={"token": TOKEN.encode()})]

    answers = asking({"token": TOKEN}, ask)
    assert [answer.status_code for answer in answers] == [401] * 5
    assert not any("set-cookie" in answer.headers for answer in answers)


@pytest.mark.parametrize("web", [{}, {"host": OTHERS}])
def test_nobody_logs_in_where_there_is_no_token(web: dict[str, Any]) -> None:
    async def ask(client: httpx.AsyncClient) -> httpx.Response:
        return await client.post("/login", data={"token": ""})

    assert asking(web, ask).status_code == 404


def test_a_cookie_of_a_token_that_was_changed_opens_nothing() -> None:
    async def log_in(client: httpx.AsyncClient) -> str:
        answer = await client.post("/login", data={"token": TOKEN})
        return answer.cookies["live_scoring_session"]

    cookie = f"live_scoring_session={asking({'token': TOKEN}, log_in)}"
    assert statuses({"token": TOKEN}, ("/",), Cookie=cookie) == {200}
    assert statuses({"token": TOKEN[::-1]}, ("/",), Cookie=cookie) == {401}


def test_no_address_carries_the_token() -> None:
    assert statuses({"token": TOKEN}, (f"/?token={TOKEN}",)) == {401}
