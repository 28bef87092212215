import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from live_scoring.adapters.embedded_broker import start_broker
from tests.integration.exactness import assert_exact
from tests.integration.fleet import configuration, make_fleet
from tests.integration.lab import Lab, free_port
from tests.integration.proxy import HOST, Proxy
from tests.integration.replays import end_of, scores_in, start_replay
from tests.integration.runs import now_ms
from tests.integration.waiting import wait_until

pytestmark = pytest.mark.integration

GONE_SECONDS = 20
END_SECONDS = 17
"""After 15 a worker leaves all as it is; without that limit it takes 60 and more."""


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    """A proxy before a broker of its own, whose clients are all sent through it."""
    port = free_port()
    with (
        start_broker(tmp_path / "broker.log", advertised=f"{HOST}:{port}") as broker,
        Proxy(port, broker.port) as started,
    ):
        yield started


def test_a_worker_whose_broker_is_gone_for_20_seconds_waits_and_loses_nothing(
    proxy: Proxy, tmp_path: Path
) -> None:
    lab = Lab(f"{HOST}:{proxy.port}", "gone", tmp_path)
    lab.configure(*configuration())
    fleet = make_fleet(now_ms(), runs=6_000)
    lab.send(fleet.part(0, of=2))
    worker = lab.start_worker()
    try:
        wait_until("it is at work", lambda: worker.figures().total("runs_consumed_total") > 500)
        proxy.cut()
        time.sleep(GONE_SECONDS)
        proxy.restore()
        lab.send(fleet.part(1, of=2))
        assert_exact(lab, [worker], fleet, now_ms())
    finally:
        lab.close()


def test_a_replay_whose_broker_is_gone_waits_and_loses_nothing(
    proxy: Proxy, tmp_path: Path
) -> None:
    lab = Lab(f"{HOST}:{proxy.port}", "gone", tmp_path)
    lab.configure(*configuration())
    fleet, out = make_fleet(now_ms(), runs=3_000), tmp_path / "out.jsonl"
    lab.send(fleet.records)
    started = start_replay(
        *(lab, "--to-file", out, "--to-topic", "past", "--checkpoint", tmp_path / "checkpoint"),
        *("--rate", "1000", "--json"),
    )
    wait_until("some is written", lambda: out.exists() and out.stat().st_size)
    proxy.cut()
    time.sleep(5)
    proxy.restore()
    ended = end_of(started)
    assert ended.exit_code == 0, ended.said
    assert ended.summary["records"] == len(fleet.records)
    wanted = {(fact.run_id, fact.scorer) for fact in fleet.facts}
    for scores in (scores_in(out), lab.read_json("past")):
        assert {(score["run_id"], score["scorer"]) for score in scores} == wanted


def test_what_a_worker_leaves_that_ends_while_its_broker_is_gone_the_next_one_does(
    proxy: Proxy, tmp_path: Path
) -> None:
    lab = Lab(f"{HOST}:{proxy.port}", "gone", tmp_path)
    lab.configure(*configuration())
    fleet = make_fleet(now_ms(), runs=6_000)
    lab.send(fleet.records)
    first = lab.start_worker()
    try:
        wait_until("it is at work", lambda: first.figures().total("runs_consumed_total") > 500)
        proxy.is_mute = True  # what it sends is taken, what it asks for is done, and nobody says so
        time.sleep(3)
        assert first.stop() == 0
        proxy.is_mute = False
        assert_exact(lab, [lab.start_worker()], fleet, now_ms())
    finally:
        lab.close()


@pytest.mark.parametrize("away", ["cut", "mute"])
def test_a_worker_whose_broker_is_gone_ends_in_time_and_without_a_traceback(
    proxy: Proxy, tmp_path: Path, away: str
) -> None:
    lab = Lab(f"{HOST}:{proxy.port}", "gone", tmp_path)
    lab.configure(*configuration(), notify={"hook": {"url": "http://127.0.0.1:9/"}})
    lab.send(make_fleet(now_ms(), runs=500).records)
    worker = lab.start_worker()
    try:
        worker.wait_ready()
        if away == "cut":
            proxy.cut()
        else:
            proxy.is_mute = True
        time.sleep(5)
        asked_at = time.monotonic()
        assert worker.stop() == 0
        assert time.monotonic() - asked_at < END_SECONDS
    finally:
        lab.close()
    log = worker.log.read_text()
    assert log.count('"message": "stopped"') == 1
    assert "Traceback" not in log
    assert "Task was destroyed" not in log
