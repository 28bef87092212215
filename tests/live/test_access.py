"""Who gets to see what, asked over HTTP."""

import asyncio
import hashlib
import html
import re
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from time import perf_counter
from typing import Any, TypeVar
from urllib.parse import urlencode

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
        asked = (client.get(path, headers=each) for path in GUARDED for each in headers)
        return {answer.status_code for answer in await asyncio.gather(*asked)}

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


@pytest.mark.parametrize("proto", ["https", "HTTPS, http"])
def test_a_cookie_is_bound_to_tls_where_the_browser_speaks_it(proto: str) -> None:
    async def ask(client: httpx.AsyncClient) -> httpx.Response:
        headers = {"X-Forwarded-Proto": proto}
        return await client.post("/login", data={"token": TOKEN}, headers=headers)

    assert "Secure" in asking({"token": TOKEN}, ask).headers["set-cookie"]


def test_the_form_is_shown_when_asked_for_and_to_browsers_on_every_page() -> None:
    async def ask(client: httpx.AsyncClient) -> list[httpx.Response]:
        paths = ("/login", "/api/verdicts", "/nowhere")
        return [await client.get(path, headers={"Accept": "text/html, */*"}) for path in paths]

    answers = asking({"token": TOKEN}, ask)
    assert [answer.status_code for answer in answers] == [200, 401, 401]
    assert all("<form" in answer.text for answer in answers)
    assert 'role="alert"' not in answers[0].text


def test_the_form_needs_no_script_and_nothing_from_anywhere() -> None:
    async def ask(client: httpx.AsyncClient) -> httpx.Response:
        return await client.get("/login")

    answer = asking({"token": TOKEN}, ask)
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "frame-ancestors 'none'" in policy
    [style] = re.findall("<style>(.*?)</style>", answer.text, re.S)
    assert b64encode(hashlib.sha256(style.encode()).digest()).decode() in policy
    assert not re.search(r"<script|src=|style=|\son\w+=", answer.text)
    assert answer.headers["Cache-Control"] == "no-store"


def _log_in_from(place: str, *tokens: str) -> list[httpx.Response]:
    """Ask for a page as a browser does, and send its form with each token in turn."""

    async def ask(client: httpx.AsyncClient) -> list[httpx.Response]:
        answers = [await client.get(place, headers={"Accept": "text/html"})]
        for token in tokens:
            hidden = dict(
                re.findall(r'name="(place)" type="hidden" value="(.*?)"', answers[-1].text)
            )
            form = {name: html.unescape(value) for name, value in hidden.items()}
            answers.append(await client.post("/login", data={"token": token, **form}))
        return answers

    return asking({"token": TOKEN}, ask)


@pytest.mark.parametrize(
    "place",
    [
        "/",
        "/?q=refund&state=failed",
        "/?q=%22%3E%3Cb%3E%C3%A9+a",
        "/?q=http://evil.example/",
        "/api/verdicts",
    ],
)
def test_who_logs_in_comes_to_the_page_that_was_asked_for(place: str) -> None:
    shown, refused, answer = _log_in_from(place, "wrong", TOKEN)
    assert [shown.status_code, refused.status_code, answer.status_code] == [401, 401, 303]
    assert "<b>" not in shown.text
    assert "That is not the token." in refused.text
    assert "set-cookie" not in refused.headers
    assert answer.headers["location"] == place


@pytest.mark.parametrize(
    "place",
    [
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https://evil.example/",
        "https:/",
        "javascript:alert(1)",
        "evil.example",
        "/\t/evil.example",
        "/..//evil.example",
        "/%2f/evil.example",
        "/@evil.example",
        "/login",
        "/logout",
        "/nowhere",
        "/\r\nSet-Cookie: a=b",
        "/?\r\nSet-Cookie: a=b",
        "/?q=a b",
        "/?q=\x00",
        "/?\u2028\ud800",
        "?q=1",
        "",
        "/?q=" + "a" * 3_000,
    ],
)
def test_nobody_is_sent_to_a_place_that_is_not_ours(place: str) -> None:
    wanted = urlencode({"token": TOKEN, "place": place}, errors="surrogatepass")
    asked = urlencode({"place": place}, errors="surrogatepass")

    async def ask(client: httpx.AsyncClient) -> tuple[httpx.Response, httpx.Response]:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = await client.post("/login", content=wanted, headers=kind)
        return answer, await client.get(f"/login?{asked}")

    for answer in asking({"token": TOKEN}, ask):
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert "a" not in answer.cookies


def test_a_form_in_parts_is_none() -> None:
    async def ask(client: httpx.AsyncClient) -> list[httpx.Response]:
        whole = await client.post("/login", data={"token": TOKEN}, files={"place": b"/"})
        kind = {"Content-Type": "multipart/form-data; boundary=x"}
        return [whole, await client.post("/login", content=b"--x\r\n\xff", headers=kind)]

    assert [answer.status_code for answer in asking({"token": TOKEN}, ask)] == [401, 401]


def test_who_is_logged_in_is_shown_no_form_and_can_log_out() -> None:
    async def ask(client: httpx.AsyncClient) -> tuple[httpx.Response, ...]:
        await client.post("/login", data={"token": TOKEN})
        page = await client.get("/")
        again = await client.get("/login?place=/?q=refund")
        left = await client.post("/logout")
        return page, again, left, await client.get("/")

    page, again, left, after = asking({"token": TOKEN}, ask)
    assert 'action="/logout"' in page.text
    assert (again.status_code, again.headers["location"]) == (303, "/?q=refund")
    assert (left.status_code, left.headers["location"]) == (303, "/login")
    assert after.status_code == 401


@pytest.mark.parametrize(("site", "refresh"), [("cross-site", "0; url=/?q=a"), ("none", None)])
def test_who_follows_a_link_of_another_site_is_asked_only_without_a_session(
    site: str, refresh: str | None
) -> None:
    async def ask(client: httpx.AsyncClient) -> httpx.Response:
        return await client.get("/?q=a", headers={"Sec-Fetch-Site": site})

    answer = asking({"token": TOKEN}, ask)
    assert (answer.status_code, answer.headers.get("Refresh")) == (401, refresh)


def test_another_site_logs_nobody_out() -> None:
    async def ask(client: httpx.AsyncClient) -> httpx.Response:
        return await client.post("/logout")  # a cookie that is strict does not come along

    answer = asking({"token": TOKEN}, ask)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


def test_who_needs_no_session_is_offered_no_way_out() -> None:
    async def ask(client: httpx.AsyncClient) -> str:
        return (await client.get("/", headers={"Authorization": f"Bearer {TOKEN}"})).text

    assert 'action="/logout"' not in asking({"token": TOKEN}, ask)
    assert 'action="/logout"' not in asking({}, ask)


def test_a_wrong_token_gives_no_cookie() -> None:
    async def ask(client: httpx.AsyncClient) -> list[httpx.Response]:
        forms: list[dict[str, str]] = [{}, *({"token": t} for t in ("", TOKEN + "x", "x" * 20_000))]
        answers = [await client.post("/login", data=form) for form in forms]
        return [*answers, await client.post("/login", files={"token": TOKEN.encode()})]

    answers = asking({"token": TOKEN}, ask)
    assert [answer.status_code for answer in answers] == [401] * 5
    assert not any("set-cookie" in answer.headers for answer in answers)


def test_a_wrong_token_waits_for_its_answer_and_holds_up_nobody() -> None:
    async def ask(client: httpx.AsyncClient) -> list[float]:
        async def seconds(asked: Awaitable[httpx.Response]) -> float:
            began = perf_counter()
            await asked
            return perf_counter() - began

        wrong = {"Authorization": "Bearer wrong"}
        asked = [client.post("/login", data={"token": "wrong"}), client.get("/", headers=wrong)]
        slow = [asyncio.create_task(seconds(each)) for each in asked]
        await asyncio.sleep(0.1)
        right = await client.post("/login", data={"token": TOKEN})
        assert right.status_code == 303
        assert not any(task.done() for task in slow)
        return await asyncio.gather(*slow)

    assert min(asking({"token": TOKEN}, ask)) >= 0.5


@pytest.mark.parametrize(("web", "status"), [({}, 303), ({"host": OTHERS}, 403)])
def test_nobody_logs_in_where_there_is_no_token(web: dict[str, Any], status: int) -> None:
    async def ask(client: httpx.AsyncClient) -> list[httpx.Response]:
        answer = await client.post("/login", data={"token": ""})
        return [answer, await client.get("/login")]

    for answer in asking(web, ask):
        assert answer.status_code == status
        assert "set-cookie" not in answer.headers


def test_a_cookie_of_a_token_that_was_changed_opens_nothing() -> None:
    async def log_in(client: httpx.AsyncClient) -> str:
        answer = await client.post("/login", data={"token": TOKEN})
        return answer.cookies["live_scoring_session"]

    cookie = f"live_scoring_session={asking({'token': TOKEN}, log_in)}"
    assert statuses({"token": TOKEN}, ("/",), Cookie=cookie) == {200}
    assert statuses({"token": TOKEN[::-1]}, ("/",), Cookie=cookie) == {401}


def test_no_address_carries_the_token() -> None:
    assert statuses({"token": TOKEN}, (f"/?token={TOKEN}",)) == {401}
