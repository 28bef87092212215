import pytest

from tests.integration.exactness import assert_exact
from tests.integration.fleet import RUNS, Fleet, configuration, make_fleet
from tests.integration.lab import Lab
from tests.integration.runs import now_ms
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

pytestmark = pytest.mark.integration


def wait_until_in_the_middle(worker: Worker, sent: int) -> None:
    def has_begun() -> bool:
        return worker.figures().total("runs_consumed_total") > sent / 10

    wait_until("the worker is at work", has_begun)


@pytest.fixture
def fleet(lab: Lab) -> Fleet:
    lab.configure(*configuration())
    return make_fleet(now_ms())


def test_the_fleet_is_what_its_sentence_says(fleet: Fleet) -> None:
    sent = [record.value for record in fleet.records]
    assert len(sent) == RUNS * 1.06
    assert len(set(sent)) == RUNS * 1.01
    assert len(fleet.malformed) == RUNS * 0.01


def test_windows_verdicts_scores_and_dead_letters_equal_an_offline_computation(
    lab: Lab, fleet: Fleet
) -> None:
    lab.send(fleet.records)
    assert_exact(lab, [lab.start_worker()], fleet, now_ms())


def test_a_worker_killed_in_the_middle_and_started_again_changes_no_figure(
    lab: Lab, fleet: Fleet
) -> None:
    lab.send(fleet.part(0, of=2))
    killed = lab.start_worker()
    wait_until_in_the_middle(killed, len(fleet.records) // 2)
    killed.kill()
    lab.send(fleet.part(1, of=2))
    assert_exact(lab, [lab.start_worker()], fleet, now_ms())


def test_a_second_worker_that_joins_and_leaves_changes_no_figure(lab: Lab, fleet: Fleet) -> None:
    lab.send(fleet.part(0, of=3))
    first = lab.start_worker()
    wait_until_in_the_middle(first, len(fleet.records) // 3)
    second = lab.start_worker()
    lab.send(fleet.part(1, of=3))
    wait_until("the second speaks", lambda: second.figures().having("window_samples"))
    wait_until("the first gave up its share", lambda: len(spoken_for(first)) < 12)
    assert spoken_for(first).isdisjoint(spoken_for(second))
    assert second.stop() == 0
    lab.send(fleet.part(2, of=3))
    assert_exact(lab, [first], fleet, now_ms())


def spoken_for(worker: Worker) -> set[str]:
    return {labels["agent"] for labels, _ in worker.figures().having("verdict_state")}
