import signal
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from tests.integration.kafka.logs import logged
from tests.integration.lab import WINDOW, Lab
from tests.integration.runs import native_run, runs_saying
from tests.integration.waiting import wait_until
from tests.integration.workers import Figures, Worker

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

AGENTS = {f"agent-{number}" for number in range(8)}


def asked(agent: str) -> dict[str, object]:
    return {"agent": agent, "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}}


def verdicts_of(page: Figures) -> dict[str, str]:
    return {
        labels["agent"]: labels["verdict"]
        for labels, value in page.having("verdict_state")
        if value == 1
    }


def share(*workers: Worker, verdict: str) -> bool:
    """Whether each worker speaks for some agents, all for all, and always with this verdict."""
    pages = [verdicts_of(worker.figures()) for worker in workers]
    told = [agent for page in pages for agent in page]
    return (
        all(pages)
        and sorted(told) == sorted(AGENTS)
        and all({verdict} == set(page.values()) for page in pages)
    )


def shows_all_failed(worker: Worker) -> bool:
    shown = {verdict["agent_id"]: verdict["verdict"] for verdict in worker.verdicts()}
    return shown == dict.fromkeys(AGENTS, "failed")


@contextmanager
def paused(worker: Worker) -> Iterator[None]:
    worker.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        worker.process.send_signal(signal.SIGCONT)


def test_a_worker_paused_for_longer_than_its_session_says_nothing_until_it_is_a_member_again(
    lab: Lab,
) -> None:
    lab.configure(*map(asked, AGENTS))
    lab.send([native_run(f"run-{agent}", agent) for agent in AGENTS])
    sleeper, other = lab.start_worker(), lab.start_worker()
    wait_until("both speak", lambda: share(sleeper, other, verdict="passed"))
    with ThreadPoolExecutor() as threads:
        with paused(sleeper):
            wait_until("the other took over", lambda: share(other, verdict="passed"))
            lab.send([native_run(f"bad-{agent}", agent, "bad") for agent in AGENTS])
            wait_until("all have failed", lambda: share(other, verdict="failed"))
            first_scrape = threads.submit(sleeper.figures)
        assert verdicts_of(first_scrape.result()) == {}
    wait_until("both speak again", lambda: share(sleeper, other, verdict="failed"))
    told = defaultdict(list)
    for verdict in lab.read_json(lab.verdicts):
        told[verdict["agent_id"]].append(verdict["verdict"])
    assert told == {agent: ["passed", "failed"] for agent in AGENTS}
    # The sleeper's view of the fleet has to join its group again before it hears of anything.
    wait_until("both show the fleet", lambda: all(map(shows_all_failed, (sleeper, other))))


def test_a_worker_started_again_goes_on_where_its_group_has_committed(lab: Lab) -> None:
    lab.configure(asked("agent-0"))
    lab.send(runs_saying("agent-0", ["fine"] * 50))
    first = lab.start_worker()
    wait_until("all are read", lambda: first.figures().total("runs_consumed_total") == 50)
    assert first.stop() == 0
    lab.send([native_run("one-more", "agent-0")])
    second = lab.start_worker()
    wait_until("it is read", lambda: second.figures().total("runs_consumed_total"))
    samples = {"agent": "agent-0", "scorer": "fine"}
    wait_until("all count", lambda: second.figures().value("window_samples", **samples) == 51)
    assert second.figures().total("runs_consumed_total") == 1
    assert {line["offset"] for line in logged(first, "no commit, starting anew")} == {0}
