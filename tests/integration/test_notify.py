"""Webhooks on real workers: each transition is posted once for the fleet, whatever breaks."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.groups import has_committed
from tests.integration.hook_server import Hook, serving
from tests.integration.lab import PARTITIONS, WINDOW, Lab
from tests.integration.runs import native_run, runs_saying
from tests.integration.waiting import wait_to_equal, wait_until
from tests.integration.workers import Worker

pytestmark = pytest.mark.integration

AGENT = "agent"
ASKED = {"agent": "agent*", "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}}
HIDDEN = "t0p-s3cret"


@pytest.fixture
def hook() -> Iterator[Hook]:
    with serving() as served:
        yield served


def _configure(lab: Lab, hook: Hook) -> None:
    notify = {
        "pager": {
            "url": hook.url + "?key=${PAGER_TOKEN}",
            "verdicts": ["failed"],
            "headers": {"Authorization": "Bearer ${PAGER_TOKEN}"},
        }
    }
    lab.configure(ASKED, notify=notify)


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER_TOKEN", HIDDEN)


def _started(lab: Lab, number: int = 1) -> list[Worker]:
    """Workers whose webhook is told of all that comes from now on."""
    workers = [lab.start_worker() for _ in range(number)]
    for worker in workers:
        worker.wait_ready()
    asked = lab.address, f"{lab.group}-notify-pager", lab.verdicts, PARTITIONS
    wait_until("the webhook's group has begun", lambda: has_committed(*asked))
    return workers


def _told(hook: Hook) -> list[tuple[str, str]]:
    return sorted(posted.told for posted in hook.taken)


def _delivered(*workers: Worker) -> float:
    return sum(w.figures().total("notifications_total", result="delivered") for w in workers)


def test_two_workers_post_each_transition_once_and_no_history(lab: Lab, hook: Hook) -> None:
    lab.configure(ASKED)
    first = lab.start_worker()
    first.wait_ready()
    lab.send(runs_saying("agent-old", ["bad"]))
    wait_until("a verdict from before", lambda: first.verdict("agent-old", WINDOW) == "failed")
    assert first.stop() == 0

    _configure(lab, hook)
    workers = _started(lab, 2)
    agents = [f"agent-{number}" for number in range(8)]
    lab.send(native_run(f"run-{agent}", agent, "bad") for agent in agents)
    wait_to_equal("what was posted", lambda: _told(hook), [(agent, "failed") for agent in agents])
    wait_until("both have counted", lambda: _delivered(*workers) == len(agents))
    lab.send([native_run("run-last", "agent-last", "bad")])
    wait_until("the last is told", lambda: ("agent-last", "failed") in _told(hook))
    assert _told(hook) == [(agent, "failed") for agent in [*agents, "agent-last"]]


def test_a_webhook_that_errs_is_asked_again_and_holds_up_no_stop(lab: Lab, hook: Hook) -> None:
    _configure(lab, hook)
    hook.statuses = [500, 503]
    [worker] = _started(lab)
    lab.send(runs_saying(AGENT, ["bad"]))
    wait_until("it is told", lambda: hook.taken)
    assert [posted.status for posted in hook.posts] == [500, 503, 200]
    posted = hook.taken[0]
    assert posted.headers["Authorization"] == f"Bearer {HIDDEN}"
    assert posted.headers["Content-Type"] == "application/json"
    assert {p.headers["Idempotency-Key"] for p in hook.posts} == {f"agent//{WINDOW}/failed/1"}
    assert posted.body["gates"][0]["examples"][0]["run_id"] == "run-0"
    assert lab.read_json(lab.verdicts) == [posted.body]
    hook.statuses = [500] * 1_000
    lab.send([native_run("run-2", "agent-2", "bad")])
    wait_until("it is asked in vain", lambda: len(hook.posts) > 4)
    assert worker.stop() == 0
    assert HIDDEN not in worker.log.read_text()


def test_a_transition_outlives_a_worker_killed_before_it_was_delivered(
    lab: Lab, hook: Hook
) -> None:
    _configure(lab, hook)
    hook.statuses = [500]
    [worker] = _started(lab)
    lab.send(runs_saying(AGENT, ["bad"]))
    wait_until("it was tried", lambda: hook.posts)
    worker.kill()
    assert not hook.taken
    second = lab.start_worker()
    wait_until("it is told", lambda: hook.taken)
    wait_until("it is counted", lambda: _delivered(second) == 1)
    assert len({posted.headers["Idempotency-Key"] for posted in hook.posts}) == 1


def test_an_agent_of_ones_own_hears_of_transitions_as_the_readme_says(
    lab: Lab, tmp_path: Path
) -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    [script] = [s for s in re.findall(r"^```python\n(.*?)^```", text, re.S | re.M) if "faust" in s]
    script = script.replace("localhost:9092", lab.address).replace("agent-verdicts", lab.verdicts)
    quick = '-guard", broker_session_timeout=6, broker_heartbeat_interval=1,'
    (tmp_path / "guard.py").write_text(script.replace('refund-guard",', lab.group + quick))
    lab.configure(ASKED)
    worker = lab.start_worker()
    worker.wait_ready()
    log = tmp_path / "guard.log"
    options = ("-A", "guard", "worker", "-l", "info", "--without-web")
    command = [sys.executable, "-m", "faust", *options]
    with log.open("wb") as output:
        guard = subprocess.Popen(command, cwd=tmp_path, stdout=output, stderr=subprocess.STDOUT)
    try:
        wait_until("it is ready", lambda: "Worker ready" in log.read_text())
        lab.send(runs_saying(AGENT, ["bad"]))
        wait_until("it acts", lambda: "stop agent: ['fine']" in log.read_text())
    finally:
        guard.kill()
        guard.wait()
