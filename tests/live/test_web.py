"""The pages, asked over HTTP of an app whose loops are fakes."""

import asyncio
import hashlib
import re
from base64 import b64encode
from typing import Any

import httpx

from live_scoring.config import Config, WorkerConfig
from live_scoring.core.transition import Example, Transition
from live_scoring.core.verdict import Gate, RuleResult, Verdict
from live_scoring.formats.verdict_json import encode_verdict, verdict_key
from live_scoring.live.app import LiveApp
from live_scoring.live.worker import Setting, Worker
from tests.live.fakes import NOW_MS, FakeLoop, no_fleet, plan_of, setting_of, worker_of


def _ask(
    path: str, *loops: FakeLoop, accept: str = "*/*", of: Worker | None = None, **worker: Any
) -> httpx.Response:
    async def ask() -> httpx.Response:
        app = LiveApp(of or worker_of(*loops, **worker), no_fleet)
        await app.start()
        try:
            if loops:
                await app.worker.has_topics.wait()
            async with httpx.AsyncClient() as client:
                return await client.get(app.address + path, headers={"Accept": accept})
        finally:
            await app.stop()

    return asyncio.run(ask())


def test_metrics_come_in_prometheus_text_format() -> None:
    answer = _ask("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'live_scoring_config_info{hash="hash-1"} 1' in answer.text


def test_metrics_come_as_openmetrics_when_asked() -> None:
    answer = _ask("/metrics", accept="application/openmetrics-text; version=1.0.0")
    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    assert answer.text.endswith("# EOF\n")


def test_a_worker_whose_loops_are_ready_is_ready() -> None:
    answer = _ask("/readyz", FakeLoop(), FakeLoop())
    assert (answer.status_code, answer.json()["ready"]) == (200, True)


def test_a_worker_is_not_ready_while_a_loop_rebuilds() -> None:
    answer = _ask("/readyz", FakeLoop(), FakeLoop(is_ready=False))
    assert answer.status_code == 503
    assert answer.json() == {"ready": False, "loop-0": True, "loop-1": False}


def test_a_worker_without_loops_yet_is_alive_and_not_ready() -> None:
    assert _ask("/livez").status_code == 200
    assert _ask("/readyz").status_code == 503


def test_verdicts_name_the_agents_that_were_never_heard_of() -> None:
    [verdict] = _ask("/api/verdicts").json()["verdicts"]
    assert (verdict["agent_id"], verdict["verdict"]) == ("weather-agent", "no_data")


def test_agents_are_told_by_plan_by_verdict_and_by_nobody() -> None:
    plan = plan_of("weather-*")
    answer = _ask(
        "/api/agents", FakeLoop(), setting=setting_of(plan), unknown_agents={"stranger": 3}
    ).json()
    assert [agent["agent"] for agent in answer["configured"]] == ["weather-*"]
    assert answer["seen"] == []
    assert answer["unknown"] == {"stranger": 3}


def _worker_that_failed(agent: str, reason: str) -> Worker:
    worker = worker_of(FakeLoop())
    example = Example("<u>run</u>", None, 0.0, reason, NOW_MS)
    failed = RuleResult(Gate("<i>polite</i>"), "failed", 1, 1, 0, 0.0, "score")
    transition = Transition(
        agent,
        "<b>prod</b>",
        "5m",
        Verdict("failed", (failed,)),
        "passed",
        NOW_MS,
        0,
        1,
        "hash-1",
        {"<i>polite</i>": (example,)},
    )
    key = verdict_key(agent, transition.group, "5m")
    assert worker.fleet.note(key, encode_verdict(transition)) is None
    return worker


def test_the_status_page_shows_agents_and_what_fails() -> None:
    page = _ask("/", of=_worker_that_failed("broken-agent", "why")).text
    assert "<title>1 failed · live-scoring</title>" in page
    assert page.index("broken-agent") < page.index("weather-agent")
    assert "1 of 1 run did not pass" in page


def test_the_status_page_shows_the_part_that_was_asked_for() -> None:
    page = _ask("/?q=broken", of=_worker_that_failed("broken-agent", "why")).text
    assert "broken-agent" in page
    assert "weather-agent" not in page
    assert "No agent is like that." in _ask("/?q=%3Cnobody").text


def test_what_comes_from_outside_is_text_on_the_status_page() -> None:
    odd = "</script><script>alert(1)</script>\x1b[31m\ud800"
    page = _ask("/?q=%22%3E%3Cb%3E", of=_worker_that_failed(odd, odd)).text
    page += _ask("/", of=_worker_that_failed(odd, odd)).text
    assert page.count("<script>") == 2
    assert not re.search("<(u|i|b)>[a-z]", page)
    assert not set("\x1b\ud800") & set(page)
    assert "alert(1)&lt;/script&gt;" in page


def test_a_browser_loads_nothing_but_the_status_page() -> None:
    answer = _ask("/")
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    for element, directive in (("script", "script-src"), ("style", "style-src")):
        [inner] = re.findall(f"<{element}>(.*?)</{element}>", answer.text, re.S)
        digest = b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert not re.search(r"""(src=|style=|\son\w+=|href="(https?:)?//)""", answer.text)


def test_the_status_page_says_what_keeps_it_from_being_whole() -> None:
    assert "This worker waits for the broker." in _ask("/").text
    assert "verdicts may be missing yet" in _ask("/", FakeLoop(is_ready=False)).text
    assert 'class="note">' not in _ask("/", FakeLoop()).text


def test_the_first_page_links_the_others() -> None:
    answer = _ask("/")
    assert answer.headers["content-type"].startswith("text/html")
    for path in ("/metrics", "/livez", "/readyz", "/api/verdicts", "/api/agents"):
        assert f'<a href="{path}">' in answer.text


def test_pages_are_served_on_ipv6() -> None:
    config = WorkerConfig.model_validate({"web": {"host": "::1", "port": 0}})
    setting = Setting(Config(config, ()), plan_of())
    assert _ask("/livez", setting=setting).status_code == 200


def test_faust_shows_no_pages_of_its_own() -> None:
    for path in ("/graph", "/router", "/table", "/stats"):
        assert _ask(path).status_code == 404
