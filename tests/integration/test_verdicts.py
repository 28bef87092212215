import json

import pytest

from tests.integration.lab import WINDOW, Lab
from tests.integration.runs import runs_saying
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

pytestmark = pytest.mark.integration

AGENT = "agent"
ASKED = {"agent": AGENT, "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}}


def wait_for_verdict(worker: Worker, verdict: str, window: str = WINDOW) -> None:
    wait_until(f"{verdict}", lambda: worker.verdict(AGENT, window) == verdict)


def wait_for_samples(worker: Worker, scorer: str, samples: int) -> None:
    def has_samples() -> bool:
        return worker.figures().value("window_samples", agent=AGENT, scorer=scorer) == samples

    wait_until(f"{scorer} has {samples} samples", has_samples)


def test_a_quiet_agent_goes_to_no_data(lab: Lab) -> None:
    lab.configure(ASKED | {"windows": ["5s"]}, windows={"5s": {"min_samples": 3}})
    worker = lab.start_worker()
    worker.wait_ready()
    assert worker.verdict(AGENT, "5s") == "no_data"
    lab.send(runs_saying(AGENT, ["fine"] * 10))
    wait_for_verdict(worker, "passed", "5s")
    wait_for_verdict(worker, "no_data", "5s")
    told = [(v["previous"], v["verdict"]) for v in lab.read_json(lab.verdicts)]
    assert told == [("no_data", "passed"), ("passed", "no_data")]


def test_an_agent_of_a_glob_that_stays_silent_is_forgotten(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIVE_SCORING_FORGET_AFTER", "2s")
    lab.configure(ASKED | {"agent": "age*", "windows": ["3s"]}, windows={"3s": {"min_samples": 1}})
    worker = lab.start_worker()
    worker.wait_ready()
    lab.send(runs_saying(AGENT, ["fine"] * 3))
    wait_for_verdict(worker, "passed", "3s")
    wait_until("no series names it", lambda: not worker.figures().naming(AGENT))
    wait_until("the fleet has forgotten it", lambda: worker.verdicts() == [])
    *verdicts, tombstone = [record.value for record in lab.read(lab.verdicts)]
    assert [json.loads(verdict)["verdict"] for verdict in verdicts] == ["passed", "no_data"]
    assert tombstone is None


def test_a_rule_with_too_few_samples_does_not_blank_the_others(lab: Lab) -> None:
    rare = {"includes": "fine", "min_samples": 1_000}
    lab.configure(ASKED | {"gates": ASKED["gates"] | {"rare": rare}})  # type: ignore[operator]
    worker = lab.start_worker()
    worker.wait_ready()
    lab.send(runs_saying(AGENT, ["fine"] * 10))
    wait_for_verdict(worker, "passed")
    figures = worker.figures()
    assert figures.value("gate_passed", agent=AGENT, gate="fine") == 1
    assert figures.value("gate_passed", agent=AGENT, gate="rare") is None
    assert figures.value("window_samples", agent=AGENT, scorer="rare") == 10


def test_a_scorer_that_errs_on_one_run_costs_that_one_score(lab: Lab) -> None:
    runaway = {"matches": "(a+)+$", "threshold": 0.5}
    lab.configure(ASKED | {"scorers": {"runaway": runaway}})
    worker = lab.start_worker()
    worker.wait_ready()
    lab.send(runs_saying(AGENT, ["fine a"] * 5 + ["fine " + "a" * 40 + "!"] + ["fine a"] * 4))
    wait_for_samples(worker, "fine", 10)
    wait_for_samples(worker, "runaway", 9)
    assert worker.figures().value("window_errors", agent=AGENT, scorer="runaway") == 1
    wait_for_verdict(worker, "passed")


def test_a_failed_verdict_tells_the_rule_and_the_runs_behind_it(lab: Lab) -> None:
    lab.configure(ASKED)
    worker = lab.start_worker()
    worker.wait_ready()
    lab.send(runs_saying(AGENT, ["fine", "fine", "bad", "fine"]))
    wait_for_verdict(worker, "failed")
    (told,) = wait_until(
        "the fleet knows", lambda: [v for v in worker.verdicts() if v["verdict"] == "failed"]
    )
    (gate,) = told["gates"]
    assert (gate["name"], gate["status"], gate["cause"]) == ("fine", "failed", "score")
    assert [example["run_id"] for example in gate["examples"]] == ["run-2"]


@pytest.mark.parametrize("ending", ["stop", "kill"])
def test_a_restart_while_an_agent_is_failed_announces_no_transition(lab: Lab, ending: str) -> None:
    lab.configure(ASKED)
    first = lab.start_worker()
    first.wait_ready()
    lab.send(runs_saying(AGENT, ["fine"] * 5 + ["bad"] * 5))
    wait_for_verdict(first, "failed")
    told = lab.read_json(lab.verdicts)
    getattr(first, ending)()
    second = lab.start_worker()
    wait_for_samples(second, "fine", 10)
    wait_for_verdict(second, "failed")
    assert lab.read_json(lab.verdicts) == told
    assert second.figures().total("verdict_transitions_total") == 0
