"""Rights that are taken away from a worker under load: it says so and ends, or goes on without."""

import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from tests.integration.exactness import assert_exact
from tests.integration.fleet import AGENTS, configuration, make_fleet
from tests.integration.kafka.locked import login, rights_of
from tests.integration.kafka.logs import logged, reason_to_end
from tests.integration.kafka.rights import Operation, Right, grant, revoke
from tests.integration.kafka.secured import LOCKED, SecuredLab
from tests.integration.lab import WINDOW
from tests.integration.runs import native_run, now_ms
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

RUNS = 3_000
PARTS = 60
"""Sent one after the other, which takes some seconds, whatever the worker may do meanwhile."""


class Locked:
    """The locked user's workers, and the load that comes in all the while."""

    def __init__(self, lab: SecuredLab, threads: ThreadPoolExecutor) -> None:
        self.lab = lab
        self._threads = threads
        (lab.config / "agents" / "agent.yaml").unlink()
        lab.configure(*configuration())
        self._fleet = make_fleet(now_ms(), RUNS)
        self._sending: Future[None] | None = None
        grant(lab.address, LOCKED, self.rights())

    def rights(self) -> Iterator[Right]:
        """Those of the runbook, its groups one by one."""
        for right in rights_of("run", self.lab):
            if right.kind == "topic":
                yield right
        for name in ("", "-verdicts", "-fleet-*"):
            yield Right("Read", "group", self.lab.group + name)

    def right(self, operation: Operation, what: str) -> Right:
        """A right by what it is called in a lab; of a group by what follows `group`."""
        if what.startswith("group"):
            wanted = Right(operation, "group", self.lab.group + what.removeprefix("group"))
        else:
            wanted = Right(operation, "topic", getattr(self.lab, what))
        assert wanted in set(self.rights())
        return wanted

    def take(self, right: Right) -> None:
        revoke(self.lab.address, LOCKED, right)

    def give_back(self, right: Right) -> None:
        grant(self.lab.address, LOCKED, [right])

    def start(self) -> Worker:
        return self.lab.start_at("login", "--no-create-topics", **login(self.lab))

    def at_work(self) -> Worker:
        """A worker to which runs come in."""
        worker = self.start()
        worker.wait_ready()
        self._sending = self._threads.submit(self._send)
        wait_until("it is at work", lambda: worker.figures().total("scores_published_total") > 100)
        return worker

    def _send(self) -> None:
        for number in range(PARTS):
            self.lab.send(self._fleet.part(number, of=PARTS))

    @property
    def is_sending(self) -> bool:
        return self._sending is not None and not self._sending.done()

    def assert_exact(self, worker: Worker) -> None:
        """Once all has been sent, every figure is what it must be."""
        assert self._sending is not None
        self._sending.result()
        assert_exact(self.lab, [worker], self._fleet, now_ms())


@pytest.fixture
def locked(locked_lab: SecuredLab) -> Iterator[Locked]:
    with ThreadPoolExecutor(1) as threads:
        yield Locked(locked_lab, threads)


def told_of(right: Right) -> str:
    return f"{re.escape(right.name)}.*grant the worker's user {right.operation} on it"


@pytest.mark.parametrize(
    ("operation", "what"),
    [
        pytest.param("Read", "runs", id="read-runs"),
        pytest.param("Write", "scores", id="write-scores"),
        pytest.param("Write", "dead_letters", id="write-dead-letters"),
        pytest.param("Read", "group", id="group"),
        pytest.param("Read", "group-verdicts", id="group-verdicts"),
        pytest.param("Read", "scores", id="read-scores"),
    ],
)
def test_a_worker_that_loses_a_right_says_so_and_ends_and_nothing_is_lost(
    operation: Operation, what: str, locked: Locked
) -> None:
    right = locked.right(operation, what)
    worker = locked.at_work()
    assert locked.is_sending
    locked.take(right)
    assert re.search(told_of(right), reason_to_end(worker))
    locked.give_back(right)
    locked.assert_exact(locked.start())


def test_a_worker_that_may_write_no_verdict_ends_when_there_is_one(locked: Locked) -> None:
    lab, right = locked.lab, locked.right("Write", "verdicts")
    worker = locked.at_work()
    locked.assert_exact(worker)
    locked.take(right)
    locked.assert_exact(worker)
    passing = next(a for a in AGENTS if worker.verdict(a, WINDOW) == "passed")
    lookup = {
        "role": "assistant",
        "text": "abcd",
        "tool_invocations": [{"name": "x", "is_error": True}],
    }
    lab.send([native_run("bad", passing, output=[lookup])])
    assert re.search(told_of(right), reason_to_end(worker))
    locked.give_back(right)
    again = locked.start()
    wait_until("it is told", lambda: again.verdict(passing, WINDOW) == "failed")
    told = [v["verdict"] for v in lab.read_json(lab.verdicts) if v["agent_id"] == passing]
    assert told[-2:] == ["passed", "failed"]


def test_a_worker_that_may_write_no_panes_says_so_and_goes_on_without(locked: Locked) -> None:
    right = locked.right("Write", "panes")
    worker = locked.at_work()
    locked.take(right)
    locked.assert_exact(worker)
    (line,) = logged(worker, "panes cannot be kept")
    assert re.search(told_of(right), line["error"])


def test_a_worker_that_may_read_no_panes_counts_all_scores_again(locked: Locked) -> None:
    right = locked.right("Read", "panes")
    worker = locked.at_work()
    locked.take(right)
    locked.assert_exact(worker)
    assert not logged(worker, "panes cannot be kept")
    assert worker.stop() == 0
    again = locked.start()
    locked.assert_exact(again)
    (line,) = logged(again, "panes cannot be kept")
    assert re.search(told_of(right), line["error"])


@pytest.mark.parametrize("what", ["verdicts", "group-fleet-*"])
def test_without_the_rights_of_the_fleet_page_a_worker_goes_on_and_shows_it_once_it_has_them(
    what: str, locked: Locked
) -> None:
    right = locked.right("Read", what)
    worker = locked.at_work()
    locked.take(right)
    locked.assert_exact(worker)
    broken = "agent broken, starting it anew"
    wait_until("it is told, and of the next one too", lambda: len(logged(worker, broken)) > 1)
    locked.give_back(right)
    wait_until("the page is whole", lambda: shown(worker) == set(AGENTS))
    assert worker.stop() == 0


def shown(worker: Worker) -> set[str]:
    """The agents of which the fleet page tells a verdict."""
    return {told["agent_id"] for told in worker.verdicts() if told["verdict"] != "no_data"}


def test_rights_that_are_missing_for_a_moment_lose_nothing(locked: Locked) -> None:
    worker = locked.at_work()
    for right in locked.rights():
        locked.take(right)
        locked.give_back(right)
        worker = kept_up(worker, locked)
    for _ in locked.rights():
        try:
            locked.assert_exact(worker)
        except RuntimeError:  # it has met one that was missing only now
            worker = kept_up(worker, locked)
    locked.assert_exact(worker)


def kept_up(worker: Worker, locked: Locked) -> Worker:
    """The worker, or another once it has ended, as whoever keeps workers running does."""
    if worker.process.poll() is None:
        return worker
    reason_to_end(worker)
    again = locked.start()
    again.wait_ready()
    return again
