import time

import pytest

from tests.integration.exactness import assert_exact
from tests.integration.fleet import AGENTS, configuration, make_fleet
from tests.integration.kafka.apache import ApacheKafka
from tests.integration.kafka.logs import logged
from tests.integration.lab import Lab
from tests.integration.runs import now_ms
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

GONE_SECONDS = 10
FEWER = 6_000
"""Runs of the tests that need not show how much it can take."""


def wait_until_in_the_middle(worker: Worker, runs: int) -> None:
    def has_begun() -> bool:
        return worker.figures().total("runs_consumed_total") > runs / 20

    wait_until("the worker is at work", has_begun)


def test_a_worker_killed_in_the_middle_and_started_again_changes_no_figure(lab: Lab) -> None:
    lab.configure(*configuration())
    fleet = make_fleet(now_ms())
    lab.send(fleet.part(0, of=2))
    killed = lab.start_worker()
    wait_until_in_the_middle(killed, len(fleet.records))
    killed.kill()
    lab.send(fleet.part(1, of=2))
    assert_exact(lab, [lab.start_worker()], fleet, now_ms())


def test_a_second_worker_that_joins_and_leaves_changes_no_figure(lab: Lab) -> None:
    lab.configure(*configuration())
    fleet = make_fleet(now_ms(), FEWER)
    lab.send(fleet.part(0, of=3))
    first = lab.start_worker()
    wait_until_in_the_middle(first, FEWER)
    second = lab.start_worker()
    lab.send(fleet.part(1, of=3))
    wait_until("the second speaks", lambda: second.figures().having("window_samples"))
    assert second.stop() == 0
    lab.send(fleet.part(2, of=3))
    assert_exact(lab, [first], fleet, now_ms())


@pytest.mark.parametrize("moment", ["while it takes on", "in the middle"])
def test_a_worker_whose_broker_is_restarted_waits_and_loses_nothing(
    lab: Lab, broker: ApacheKafka, moment: str
) -> None:
    lab.configure(*configuration())
    fleet = make_fleet(now_ms(), FEWER)
    lab.send(fleet.part(0, of=2))
    worker = lab.start_worker()
    if moment == "in the middle":
        wait_until_in_the_middle(worker, FEWER)
    else:
        wait_until("it takes partitions on", lambda: logged(worker, "partitions taken on"))
        time.sleep(0.3)  # its verdicts and panes are being read back
    with broker.gone(GONE_SECONDS):
        wait_until("it lives", lambda: (page := worker.get("/livez")) and page.status_code == 200)
    lab.send(fleet.part(1, of=2))
    assert_exact(lab, [worker], fleet, now_ms())
    wait_until("the fleet page is whole", lambda: judged(worker) == set(AGENTS))


def judged(worker: Worker) -> set[str]:
    """The agents of which the fleet page tells a verdict."""
    return {told["agent_id"] for told in worker.verdicts() if told["verdict"] != "no_data"}
