"""The rules as they are, on real workers, Prometheus and Alertmanager: who is woken, and when.

All tests read one story: an agent that fails one run in a thousand goes to five in a hundred and
is mended again, and both workers are restarted meanwhile; another fails a critical gate once.
"""

from collections.abc import Iterator

import pytest

from live_scoring.adapters.embedded_broker import EmbeddedBroker
from tests.integration.alerting import Stage, Traffic, spread, staged
from tests.integration.lab import Lab
from tests.integration.runs import runs_saying
from tests.integration.waiting import wait_until

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("alerting")]

CHRONIC_RUNS = 20_000
COUNTED = 'sum(live_scoring_gate_runs_total{agent="broken"})'
FIRING = 'ALERTS{severity="page", agent="broken", alertstate="firing"}'


@pytest.fixture(scope="module")
def stage(broker: EmbeddedBroker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The stage after the story."""
    folder = tmp_path_factory.mktemp("alerting")
    lab = Lab(broker.address, "alerting", folder)
    try:
        with staged(lab, folder) as made:
            tell_story(made)
            yield made
    finally:
        lab.close()


def tell_story(stage: Stage) -> None:
    fail_chronically(stage)
    fail_critically(stage)
    stage.note("first bad run")
    traffic = Traffic(stage.lab)
    try:
        wait_until("someone is woken", lambda: stage.pages_of("broken"))
        stage.note("page")
        stage.fleet.restart_in_turn()
        stage.note("mend")
        traffic.every = None
        wait_until("the page is resolved", lambda: "resolved" in stage.pages_of("broken"), 120)
        stage.note("resolve")
    finally:
        traffic.stop()


def fail_chronically(stage: Stage) -> None:
    for number in range(CHRONIC_RUNS // 1_000):
        stage.lab.send(spread(f"chronic-{number}", 1_000, every=1_000))
    wait_until("all are counted", lambda: stage.figure(COUNTED) == CHRONIC_RUNS)
    wait_until(
        "an hour's failures are summed up",
        lambda: stage.figure('live_scoring:gate_failures:increase1h{agent="broken"}') > 15,
    )


def fail_critically(stage: Stage) -> None:
    stage.note("critical run")
    stage.lab.send(runs_saying("careful", ["never"]))
    wait_until("someone is woken", lambda: stage.pages_of("careful"))
    stage.note("critical page")


def test_an_agent_that_fails_one_run_in_a_thousand_wakes_nobody(stage: Stage) -> None:
    before = stage.server.over(FIRING, stage.moments["start"], stage.moments["first bad run"], 1)
    assert before == []
    informed = {alert["labels"]["alertname"] for alert in stage.alerts(stage.info)}
    assert "LiveScoringGateFailed" in informed


def test_one_failed_run_of_a_critical_gate_wakes_someone(stage: Stage) -> None:
    stage.print_time("critical run", "critical page")
    (alert, *_) = [a for a in stage.alerts(stage.page) if a["labels"]["agent"] == "careful"]
    assert alert["labels"]["alertname"] == "LiveScoringCriticalGateFailed"


def test_an_agent_that_goes_bad_wakes_someone_once_until_it_is_mended(stage: Stage) -> None:
    stage.print_time("first bad run", "page")
    stage.print_time("mend", "resolve")
    assert stage.pages_of("broken") == ["firing", "resolved"]
    (alert, *_) = [a for a in stage.alerts(stage.page) if a["labels"]["agent"] == "broken"]
    assert alert["labels"]["alertname"] == "LiveScoringGateBurning"
    assert "of the runs of broken fail its gate fine" in alert["annotations"]["summary"]


def test_a_rolling_restart_neither_resolves_a_page_nor_repeats_it(stage: Stage) -> None:
    start, end = int(stage.moments["page"]) + 1, int(stage.moments["mend"])
    (firing,) = stage.server.over(FIRING, start, end, 1)
    assert len(firing.values) == end - start + 1
    assert stage.pages_of("broken") == ["firing", "resolved"]
