"""A flood of records that cannot be read, on a real broker."""

import pytest

from tests.integration.lab import PARTITIONS, WINDOW, Lab
from tests.integration.runs import native_run
from tests.integration.topics import Sending
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

pytestmark = pytest.mark.integration

AGENT = {"agent": "agent-1", "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}}


def bad(count: int) -> list[Sending]:
    return [Sending(b"{" * 100, number % PARTITIONS) for number in range(count)]


def samples(worker: Worker) -> float | None:
    return worker.figures().value("window_samples", agent="agent-1")


def test_a_worker_whose_first_thousand_records_are_bad_says_so_and_stops(lab: Lab) -> None:
    lab.configure(AGENT)
    lab.send(bad(1_500))
    worker = lab.start_worker()
    assert worker.process.wait(60) == 1
    assert "cannot be read; check topics.runs and topics.formats" in worker.log.read_text()


def test_a_flood_after_good_records_is_buried_whole_and_stops_nobody(lab: Lab) -> None:
    lab.configure(AGENT)
    lab.send(native_run(f"run-{number}", "agent-1") for number in range(1_000))
    worker = lab.start_worker()
    wait_until("they are counted", lambda: samples(worker) == 1_000)
    lab.send([*bad(5_000), native_run("after", "agent-1")])
    wait_until("the next run is counted", lambda: samples(worker) == 1_001)
    wait_until("all are buried", lambda: len(lab.read(lab.dead_letters)) == 5_000)
