import time
from typing import Any

import pytest

from tests.integration.lab import WINDOW, Lab
from tests.integration.runs import runs_saying
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

pytestmark = pytest.mark.integration

AGENT = "agent"


def asking(scorer: dict[str, Any]) -> dict[str, Any]:
    return {"agent": AGENT, "windows": [WINDOW], "scorers": {"says-it": scorer}}


@pytest.fixture
def worker(lab: Lab) -> Worker:
    """A worker that counted ten runs, of which six say "fine", under a bound of 0.5."""
    lab.configure(asking({"includes": "fine", "threshold": 0.5}))
    started = lab.start_worker()
    started.wait_ready()
    lab.send(runs_saying(AGENT, ["fine"] * 6 + ["bad"] * 4))
    wait_until("all are counted", lambda: samples(started) == 10)
    wait_until("it passed", lambda: started.verdict(AGENT, WINDOW) == "passed")
    return started


def samples(worker: Worker) -> float | None:
    return worker.figures().value("window_samples", agent=AGENT, scorer="says-it")


def test_a_changed_bound_judges_the_same_window_anew(lab: Lab, worker: Worker) -> None:
    lab.configure_agent(asking({"includes": "fine", "threshold": 0.7}))
    worker.reload()
    wait_until("it is scored", lambda: worker.verdict(AGENT, WINDOW) == "scored")
    wait_until("the window is as it was", lambda: samples(worker) == 10)


def test_at_no_moment_of_a_reload_does_a_verdict_vanish(lab: Lab, worker: Worker) -> None:
    lab.configure_agent(asking({"includes": "fine", "threshold": 0.6}))
    worker.reload()
    seen, until = set(), time.monotonic() + 6
    while time.monotonic() < until:
        seen.add(worker.verdict(AGENT, WINDOW))
    assert seen == {"passed"}


def test_a_changed_check_starts_empty(lab: Lab, worker: Worker) -> None:
    lab.configure_agent(asking({"includes": "bad", "threshold": 0.5}))
    worker.reload()

    wait_until("no data is left", lambda: worker.verdict(AGENT, WINDOW) == "no_data")
    assert not samples(worker)
    lab.send(runs_saying(AGENT, ["bad"] * 3, name="later"))
    wait_until("it passed", lambda: worker.verdict(AGENT, WINDOW) == "passed")
    assert samples(worker) == 3


def test_scores_of_a_worker_with_another_check_are_left_out_and_counted(lab: Lab) -> None:
    lab.configure(asking({"includes": "fine", "threshold": 0.5}))
    scoring = lab.start_worker("--only", "scoring")
    scoring.wait_ready()
    lab.configure_agent(asking({"includes": "bad", "threshold": 0.5}))
    verdicts = lab.start_worker("--only", "verdicts")
    verdicts.wait_ready()
    lab.send(runs_saying(AGENT, ["fine"] * 3))

    def stale() -> float:
        return verdicts.figures().total("scores_ignored_total", reason="stale_scorer")

    wait_until("all are left out", lambda: stale() == 3)
    assert not samples(verdicts)
    assert verdicts.verdict(AGENT, WINDOW) == "no_data"


def test_a_bad_file_keeps_the_old_plan_and_shows(lab: Lab, worker: Worker) -> None:
    lab.configure_agent(asking({"includes": "fine", "threshold": 7}))
    worker.reload()
    shown = "config_last_reload_successful"
    wait_until("the reload failed", lambda: worker.figures().value(shown) == 0)
    assert "threshold" in worker.log.read_text()
    lab.send(runs_saying(AGENT, ["fine"] * 2, name="later"))
    wait_until("later runs are counted", lambda: samples(worker) == 12)
