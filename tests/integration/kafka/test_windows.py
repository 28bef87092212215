from dataclasses import replace

import pytest

from tests.integration.kafka import admin
from tests.integration.kafka.logs import logged
from tests.integration.lab import PARTITIONS, WINDOW, Lab
from tests.integration.runs import now_ms, runs_saying
from tests.integration.topics import Sending, send
from tests.integration.waiting import wait_until
from tests.integration.workers import Worker

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

MINUTE_MS = 60_000
AGENT = {"agent": "agent", "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}}


def wait_for_samples(worker: Worker, samples: int) -> None:
    def has_samples() -> bool:
        found = worker.figures().value("window_samples", agent="agent", window=WINDOW)
        return found == samples

    wait_until(f"there are {samples} samples", has_samples)


def wait_for_verdict(worker: Worker, verdict: str, window: str = WINDOW) -> None:
    wait_until(f"it {verdict}", lambda: worker.verdict("agent", window) == verdict)


def test_a_group_without_commits_begins_one_longest_window_back(lab: Lab) -> None:
    lab.configure(AGENT)
    ages_ms = (180 * MINUTE_MS, 61 * MINUTE_MS, 50 * MINUTE_MS)
    lab.send(
        replace(run, timestamp_ms=now_ms() - age_ms)
        for age_ms in ages_ms
        for run in runs_saying("agent", ["fine"] * PARTITIONS, name=f"{age_ms}-ago")
    )
    worker = lab.start_worker()
    wait_for_samples(worker, PARTITIONS)
    assert worker.figures().total("runs_consumed_total") == PARTITIONS


def test_windows_are_rebuilt_from_one_longest_window_back_and_not_from_the_beginning(
    lab: Lab,
) -> None:
    lab.configure(AGENT)
    admin.create_topic(lab.address, lab.scores, PARTITIONS)
    ages_ms = (180 * MINUTE_MS, 70 * MINUTE_MS, 50 * MINUTE_MS)
    not_scores = [
        Sending(b"not a score", partition, timestamp_ms=now_ms() - age_ms)
        for partition in range(PARTITIONS)
        for age_ms in ages_ms
    ]
    send(lab.address, lab.scores, not_scores)
    first = lab.start_worker()
    lab.send(runs_saying("agent", ["fine"] * 10))
    wait_for_samples(first, 10)
    first.wait_ready()
    assert first.stop() == 0
    second = lab.start_worker()
    wait_for_samples(second, 10)
    second.wait_ready()
    for worker in (first, second):
        read = [(line["partition"], line["offset"]) for line in logged(worker, "not a score")]
        assert sorted(read) == [(partition, 2) for partition in range(PARTITIONS)]


def test_a_window_is_incomplete_while_the_scores_log_begins_inside_it(lab: Lab) -> None:
    short = "10s"
    windows = {short: {"min_samples": 1}, WINDOW: {"min_samples": 1}}
    lab.configure(AGENT | {"windows": [short, WINDOW]}, windows=windows)
    first = lab.start_worker()
    lab.send(runs_saying("agent", ["fine"] * 10))
    wait_for_samples(first, 10)
    assert completeness(first) == {short: 1, WINDOW: 1}
    assert first.stop() == 0
    partition = lab.read(lab.scores)[0].partition
    admin.delete_before(lab.address, lab.scores, partition, 4)
    second = lab.start_worker()
    wait_for_samples(second, 6)
    assert completeness(second)[WINDOW] == 0
    wait_until("the short one is whole", lambda: completeness(second) == {short: 1, WINDOW: 0})


def completeness(worker: Worker) -> dict[str, float]:
    found = worker.figures().having("window_complete")
    return {labels["window"]: value for labels, value in found}


def test_a_compacted_verdicts_topic_keeps_the_last_verdict_and_no_transition_is_repeated(
    lab: Lab,
) -> None:
    window = "3s"
    lab.configure(
        AGENT | {"windows": [WINDOW, window]},
        windows={window: {"min_samples": 1}, WINDOW: {"min_samples": 1}},
    )
    eager = {
        "segment_ms": "500",
        "min_cleanable_dirty_ratio": "0.01",
        "max_compaction_lag_ms": "500",
    }
    admin.create_topic(lab.address, lab.verdicts, PARTITIONS, cleanup_policy="compact", **eager)
    first = lab.start_worker()
    first.wait_ready()
    for turn in range(2):
        lab.send(runs_saying("agent", ["fine"], name=f"fine-{turn}"))
        wait_for_verdict(first, "passed", window)
        wait_for_verdict(first, "no_data", window)
    told = first.figures().total("verdict_transitions_total")
    assert told == 5
    wait_until("older ones are gone", lambda: len(lab.read(lab.verdicts)) < told)
    assert first.stop() == 0
    second = lab.start_worker()
    wait_for_verdict(second, "passed")
    second.wait_ready()
    assert second.figures().total("verdict_transitions_total") == 0
