"""The pages, asked over HTTP of an app whose loops are fakes."""

import asyncio
from typing import Any

import httpx

from live_scoring.config import Config, WorkerConfig
from live_scoring.live.app import LiveApp
from live_scoring.live.worker import Setting
from tests.live.fakes import FakeLoop, no_fleet, plan_of, setting_of, worker_of


def _ask(path: str, *loops: FakeLoop, accept: str = "*/*", **worker: Any) -> httpx.Response:
    async def ask() -> httpx.Response:
        app = LiveApp(worker_of(*loops, **worker), no_fleet)
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
