"""One attempt at a webhook, against a server on this machine."""

import asyncio
import socket

from live_scoring.adapters.webhook import Address, Unanswered, post
from tests.integration.hook_server import serving


def _post(url: str, seconds: float = 10) -> int | Unanswered:
    address = Address(url, {"Authorization": "Bearer secret"}, seconds)
    return asyncio.run(post(address, b'{"agent_id":"a"}', {"Idempotency-Key": "a/1"}))


def test_the_body_comes_as_it_is_with_every_header() -> None:
    with serving() as hook:
        assert _post(hook.url) == 200
    [posted] = hook.posts
    assert posted.body == {"agent_id": "a"}
    wanted = {
        "Authorization": "Bearer secret",
        "Content-Type": "application/json",
        "Idempotency-Key": "a/1",
        "User-Agent": "live-scoring",
    }
    assert wanted.items() <= posted.headers.items()


def test_a_redirect_is_an_answer_and_is_not_followed() -> None:
    with serving() as hook:
        hook.statuses = [307]
        assert _post(hook.url) == 307
    assert len(hook.posts) == 1


def test_an_address_where_nobody_listens_gives_no_answer() -> None:
    answer = _post("http://127.0.0.1:1/secret")
    assert isinstance(answer, Unanswered)
    assert "secret" not in answer


def test_a_server_that_says_nothing_runs_out_of_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        answer = _post(f"http://127.0.0.1:{silent.getsockname()[1]}/", seconds=0.1)
    assert isinstance(answer, Unanswered)
    assert "Timeout" in answer
