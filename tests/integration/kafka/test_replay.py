"""What a replay reads of Apache Kafka, which keeps times, deletes and compacts."""

import signal
from dataclasses import replace
from pathlib import Path

import pytest

from tests.integration.kafka import admin
from tests.integration.lab import PARTITIONS, WINDOW, Lab
from tests.integration.replays import end_of, replay, scores_in, start_replay
from tests.integration.runs import native_run, now_ms
from tests.integration.topics import Sending, send
from tests.integration.waiting import wait_until

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

HOUR_MS = 3_600_000
AGENT = {"agent": "agent", "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}}


def aged(age_hours: int, partition: int = 0) -> Sending:
    """A run's record of so many hours ago."""
    run = native_run(f"run-{age_hours}-{partition}", "agent")
    return replace(run, partition=partition, timestamp_ms=now_ms() - age_hours * HOUR_MS)


def test_a_range_of_time_begins_where_its_first_record_lies(lab: Lab, tmp_path: Path) -> None:
    lab.configure(AGENT)
    lab.send(aged(age, partition) for partition in (0, 1) for age in range(24, 0, -1))
    out = tmp_path / "out.jsonl"
    span = ("--from", "330m", "--to", "90m")
    ended = replay(lab, *span, "--to-file", out, "--json")
    assert sorted(score["run_id"] for score in scores_in(out)) == [
        f"run-{age}-{partition}" for age in range(2, 6) for partition in (0, 1)
    ]
    # The five from 5 h ago on: the broker found them, and what came before was not read.
    assert ended.summary["records"] == 2 * 5
    assert ended.summary["notes"] == [f"{lab.runs}: each of partitions 2, 3: holds no record"]


def test_a_range_after_the_last_record_is_told_and_reads_nothing(lab: Lab) -> None:
    lab.configure(AGENT)
    lab.send([aged(2)])
    ended = replay(lab, "--from", "1h", "--dry-run", "--json")
    assert (ended.exit_code, ended.summary["records"]) == (0, 0)
    assert f"note: {lab.runs}: partition 0: has no record in the range" in ended.said


def test_a_beginning_that_is_gone_is_told(lab: Lab) -> None:
    lab.configure(AGENT)
    lab.send(aged(age) for age in range(24, 0, -1))
    admin.delete_before(lab.address, lab.runs, 0, 10)
    gone = f"note: {lab.runs}: partition 0: begins at offset 10; what stood before is gone"
    for options in ((), ("--from", "30d"), ("--offsets", "0:5-")):
        ended = replay(lab, *options, "--dry-run", "--json")
        assert gone in ended.said
        assert ended.summary["runs"] == 14
    assert "begins at" not in replay(lab, "--from", "5h", "--dry-run").said


def test_what_is_compacted_away_is_counted_and_the_end_is_reached(lab: Lab) -> None:
    lab.configure(AGENT)
    topic = f"{lab.runs}-compacted"
    eager = {
        "segment_ms": "500",
        "min_cleanable_dirty_ratio": "0.01",
        "max_compaction_lag_ms": "500",
    }
    admin.create_topic(lab.address, topic, 1, cleanup_policy="compact", **eager)

    def has_holes() -> bool:
        run = native_run("run", "agent")
        send(lab.address, topic, [replace(run, partition=0, key=b"agent")])
        ended = replay(lab, "--topic", topic, "--dry-run", "--json")
        assert ended.exit_code == 0
        return bool(ended.summary["missing"] and ended.summary["runs"])

    wait_until("there are holes", has_holes)


def test_records_deleted_since_a_replay_stopped_are_told_when_it_goes_on(
    lab: Lab, tmp_path: Path
) -> None:
    lab.configure(AGENT)
    lab.send(replace(native_run(f"run-{n}", "agent"), partition=n % PARTITIONS) for n in range(600))
    out = tmp_path / "out.jsonl"
    options = ("--to-file", out, "--checkpoint", tmp_path / "checkpoint")
    stopped = start_replay(lab, *options, "--rate", "100")
    wait_until("some is written", lambda: out.exists() and out.stat().st_size)
    stopped.send_signal(signal.SIGTERM)
    assert end_of(stopped).exit_code == 143
    for partition in range(PARTITIONS):
        admin.delete_before(lab.address, lab.runs, partition, 149)
    ended = replay(lab, *options, "--json")
    assert ended.exit_code == 0
    assert "records were deleted since the replay stopped" in ended.said
    assert ended.summary["runs"] + ended.summary["missing"] == 600
