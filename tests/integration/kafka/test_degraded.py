"""The worst days: what a worker does when what it stands on is gone, and what it cannot mend."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.exactness import assert_exact
from tests.integration.fleet import configuration, make_fleet
from tests.integration.kafka import admin
from tests.integration.kafka.apache import ApacheKafka
from tests.integration.kafka.fixtures import started_node
from tests.integration.lab import PARTITIONS, WINDOW, Lab
from tests.integration.runs import now_ms, runs_saying
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

AGENT = {"agent": "agent", "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}}


def wait_for_samples(worker: Worker, wanted: int | None) -> None:
    def has_samples() -> bool:
        return worker.figures().value("window_samples", agent="agent") == wanted

    wait_until(f"there are {wanted} samples", has_samples)


def is_alive(worker: Worker) -> bool:
    page = worker.get("/livez")
    return page is not None and page.status_code == 200


def test_a_scores_topic_that_is_deleted_takes_its_scores_along_and_no_later_ones(lab: Lab) -> None:
    lab.configure(AGENT)
    worker = lab.start_worker()
    worker.wait_ready()
    lab.send(runs_saying("agent", ["fine"] * 10, name="before"))
    wait_for_samples(worker, 10)
    admin.delete_topic(lab.address, lab.scores)
    lab.send(runs_saying("agent", ["fine"] * 20, name="meanwhile"))
    wait_for_samples(worker, None)
    assert is_alive(worker)
    admin.create_topic(lab.address, lab.scores, PARTITIONS)
    lab.send(runs_saying("agent", ["fine"] * 30, name="after"))
    wait_for_samples(worker, 50)
    wait_until("it passed", lambda: worker.verdict("agent", WINDOW) == "passed")


@pytest.fixture
def own_node(tmp_path: Path) -> Iterator[ApacheKafka]:
    """A broker that no other test uses."""
    folder = tmp_path / "own-node"
    folder.mkdir()
    with started_node(folder) as node:
        yield node


def test_a_broker_whose_disk_is_full_is_waited_for_and_nothing_is_lost(
    own_node: ApacheKafka, tmp_path: Path
) -> None:
    lab = Lab(own_node.address, "full", tmp_path)
    lab.configure(*configuration())
    fleet = make_fleet(now_ms(), runs=3_000)
    lab.send(fleet.part(0, of=2))
    worker = lab.start_worker()
    try:
        wait_until("it is at work", lambda: worker.figures().total("runs_consumed_total") > 200)
        own_node.fill_disk()
        assert is_alive(worker)
        own_node.start()
        lab.send(fleet.part(1, of=2))
        assert_exact(lab, [worker], fleet, now_ms())
    finally:
        lab.close()
