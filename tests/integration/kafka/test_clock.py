"""The wall clock of a running worker is set back or ahead by an hour, and later right again."""

import time
from pathlib import Path

import pytest

from tests.integration.exactness import assert_exact
from tests.integration.fleet import configuration, make_fleet
from tests.integration.kafka.logs import logged
from tests.integration.kafka.wall import NoFaketimeError, Wall
from tests.integration.lab import Lab
from tests.integration.runs import now_ms
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

HOUR = 3_600
RUNS = 3_000
SESSION = 12
LONGER_THAN_A_SESSION = 15.0
"""Seconds, so that a lease or a membership that hung on the wall clock would have run out."""


@pytest.fixture
def wall(tmp_path: Path) -> Wall:
    try:
        return Wall(tmp_path)
    except NoFaketimeError as reason:
        pytest.skip(str(reason))


def start(lab: Lab, wall: Wall, monkeypatch: pytest.MonkeyPatch) -> Worker:
    with monkeypatch.context() as patch:
        for name, value in wall.environment.items():
            patch.setenv(name, value)
        return lab.start_worker()


def judged_at(worker: Worker) -> float:
    """When the worker says that it last judged; 0 if it says nothing."""
    told = worker.figures().having("verdict_evaluated_timestamp_seconds")
    return min((value for _, value in told), default=0)


def times_joined(worker: Worker) -> int:
    """How often it was given scores partitions: again if its group had not heard of it."""
    return len(logged(worker, "partitions taken on"))


def wait_for_runs(worker: Worker, runs: int) -> None:
    def has_all() -> bool:
        page = worker.figures()
        consumed = page.total("runs_consumed_total") + page.total("dead_letters_total")
        return consumed >= runs and page.total("consumer_lag_records") == 0

    wait_until("it has read all", has_all)


@pytest.mark.parametrize("seconds", [-HOUR, HOUR], ids=["back", "ahead"])
def test_a_clock_that_was_wrong_for_a_while_changes_no_figure(
    seconds: int, lab: Lab, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = {"session_timeout_seconds": SESSION, "heartbeat_interval_seconds": 1}
    kafka = {"bootstrap_servers": lab.address, "group_id": lab.group, **session}
    lab.configure(*configuration(), kafka=kafka)
    fleet = make_fleet(now_ms(), RUNS)
    worker = start(lab, wall, monkeypatch)
    worker.wait_ready()
    lab.send(fleet.part(0, of=3))
    wait_until("it is at work", lambda: worker.figures().total("runs_consumed_total") > 100)
    joined = times_joined(worker)
    wall.set(seconds)
    lab.send(fleet.part(1, of=3))
    wait_for_runs(worker, len(fleet.records) * 2 // 3)
    time.sleep(LONGER_THAN_A_SESSION)
    wait_until("it judges", lambda: abs(judged_at(worker) - time.time() - seconds) < 30)
    assert worker.is_ready()
    wall.set(0)
    lab.send(fleet.part(2, of=3))
    assert_exact(lab, [worker], fleet, now_ms())
    assert times_joined(worker) == joined
    assert worker.stop() == 0
    assert_exact(lab, [lab.start_worker()], fleet, now_ms())
