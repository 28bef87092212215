"""Panes: a restart counts the last scores again and no others, and is as exact as before."""

from array import array
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from live_scoring.core.pane import AgentPanes, Pane, Sheet, Stretch
from live_scoring.core.window import NANO, Tally
from live_scoring.formats.pane_sheet import encode_sheet
from tests.integration import topics
from tests.integration.exactness import assert_exact
from tests.integration.fleet import Fleet, configuration, make_fleet
from tests.integration.kafka.logs import logged
from tests.integration.lab import PANES_EVERY, PARTITIONS, WINDOW, Lab
from tests.integration.runs import now_ms, runs_saying
from tests.integration.topics import Sending
from tests.integration.waiting import wait_to_equal, wait_until
from tests.integration.workers import Worker

pytestmark = pytest.mark.integration

RUNS = 3_000
AGENT: Mapping[str, Any] = {
    "agent": "agent",
    "windows": [WINDOW],
    "gates": {"fine": {"includes": "fine"}, "good": {"includes": "good"}},
}


def read_back(worker: Worker) -> dict[int, int]:
    """For each partition whose panes a worker has read, from where on it counts scores."""
    return {line["partition"]: line["offset"] for line in logged(worker, "panes read back")}


def wait_for_samples(worker: Worker, **samples: int) -> None:
    def counted() -> dict[str, float]:
        page = worker.figures()
        return {s: page.total("window_samples", agent="agent", scorer=s) for s in samples}

    wait_to_equal("samples", counted, {s: float(number) for s, number in samples.items()})
    wait_until("its windows are rebuilt", worker.is_ready)


def wait_for_panes(lab: Lab, before: int = 0) -> None:
    wait_until("panes are written", lambda: len(lab.read(lab.panes)) > before)


def assert_few_are_counted_again(lab: Lab, worker: Worker) -> None:
    ends = Counter(record.partition for record in lab.read(lab.scores))
    left = {partition: ends[partition] - offset for partition, offset in read_back(worker).items()}
    assert left.keys() == set(range(PARTITIONS))
    assert max(left.values()) < PANES_EVERY


@pytest.fixture
def fleet(lab: Lab) -> Fleet:
    lab.configure(*configuration())
    return make_fleet(now_ms(), RUNS)


def test_workers_killed_one_after_the_other_leave_panes_that_make_one_row(
    lab: Lab, fleet: Fleet
) -> None:
    for part in range(2):
        before = len(lab.read(lab.panes))
        lab.send(fleet.part(part, of=2))
        worker = lab.start_worker()
        wait_for_panes(lab, before)
        worker.kill()
    third = lab.start_worker()
    assert_exact(lab, [third], fleet, now_ms())
    third.kill()
    last = lab.start_worker()
    assert_exact(lab, [last], fleet, now_ms())
    assert_few_are_counted_again(lab, last)


def test_a_changed_scorer_starts_empty_and_leaves_the_others_their_panes(lab: Lab) -> None:
    lab.configure(AGENT, panes_every=50)
    lab.send(runs_saying("agent", ["fine"] * 100))
    first = lab.start_worker()
    wait_for_samples(first, fine=100, good=100)
    wait_for_panes(lab)
    assert first.stop() == 0
    lab.configure_agent({**AGENT, "gates": {**AGENT["gates"], "good": {"includes": "better"}}})
    second = lab.start_worker()
    lab.send(runs_saying("agent", ["better"] * 10, name="later"))
    wait_for_samples(second, fine=110, good=10)
    assert read_back(second)
    assert second.stop() == 0
    lab.configure_agent(AGENT)
    third = lab.start_worker()
    wait_for_samples(third, fine=110, good=100)


def bogus(end: int, ends_ms: int) -> Sheet:
    """A sheet that tells of 999 scores of `agent`."""
    pane_ms = 3_600_000 // 30
    at = now_ms() // pane_ms
    counts = ({at: {"fine": Tally(999, 999, 999 * NANO)}},)
    pane = Pane(at, at * pane_ms, (array("Q"), array("Q")), counts)
    agent = AgentPanes("agent", "", (3_600_000,), (("fine", "0"),), (pane,))
    return Sheet(Stretch(0, end, 0, ends_ms, "elsewhere", ()), 0, is_last=True, agents=(agent,))


def test_panes_of_another_scores_topic_or_another_time_and_what_is_none_are_left_aside(
    lab: Lab,
) -> None:
    lab.configure(AGENT)
    lab.send(runs_saying("agent", ["fine"] * 10))
    first = lab.start_worker()
    wait_for_samples(first, fine=10, good=10)
    assert first.stop() == 0
    first_score = lab.read(lab.scores)[0]
    others = set(range(PARTITIONS)) - {first_score.partition}
    for partition in others:
        for end in (5, 5_000):
            record = Sending(encode_sheet(bogus(end, 1)), partition)
            topics.send(lab.address, lab.panes, [record, Sending(b"{}", partition)])
    fitting = encode_sheet(bogus(1, first_score.timestamp))
    ahead = Sending(fitting, first_score.partition, timestamp_ms=now_ms() + 600_000)
    topics.send(lab.address, lab.panes, [ahead])
    second = lab.start_worker()
    wait_for_samples(second, fine=10, good=10)
    assert read_back(second) == {}
    told = {line["partition"] for line in logged(second, "panes of another scores topic")}
    assert told == others
    assert logged(second, "not a pane")


def test_without_a_panes_topic_all_scores_of_the_window_are_counted_again(lab: Lab) -> None:
    lab.configure(AGENT, panes_every=1)
    for topic in (lab.scores, lab.dead_letters):
        topics.create_topic(lab.address, topic, PARTITIONS)
    topics.create_topic(lab.address, lab.verdicts, PARTITIONS, cleanup_policy="compact")
    lab.send(runs_saying("agent", ["fine"] * 10))
    for _ in range(2):
        worker = lab.start_worker("--no-create-topics")
        wait_for_samples(worker, fine=10, good=10)
        (told,) = logged(worker, "going on without a topic")
        assert f"--create --topic {lab.panes} --partitions {PARTITIONS}" in told["error"]
        assert worker.figures().having("pane_lag_records") == []
        worker.kill()
