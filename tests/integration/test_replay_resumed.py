"""Replays that a signal ends, and the same command again."""

import signal
import subprocess
from pathlib import Path

import pytest

from tests.integration.fleet import configuration, make_fleet
from tests.integration.lab import Lab
from tests.integration.replays import end_of, replay, scores_in, start_replay
from tests.integration.runs import now_ms
from tests.integration.traces import AGENT, ASSEMBLY, make_traces, records_of
from tests.integration.waiting import wait_until

pytestmark = pytest.mark.integration

RUNS = 6_000
RATE = "3000"
"""Slow enough to be caught in the middle."""


@pytest.fixture
def filled(lab: Lab) -> Lab:
    lab.configure(*configuration())
    lab.send(make_fleet(now_ms(), RUNS).records)
    return lab


def start_until_some_is_written(lab: Lab, out: Path, *options: str) -> subprocess.Popen[str]:
    size = out.stat().st_size if out.exists() else 0
    started = start_replay(lab, *options)
    wait_until("some is written", lambda: out.exists() and out.stat().st_size > size)
    return started


def test_after_kills_the_same_command_gives_the_same_scores_and_the_same_history(
    filled: Lab, tmp_path: Path
) -> None:
    out, whole = tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    history, expected = tmp_path / "history.om", tmp_path / "expected.om"
    assert replay(filled, "--to-file", whole, "--to-openmetrics", expected).exit_code == 0
    asked = ("--to-file", out, "--to-openmetrics", history, "--checkpoint", tmp_path / "checkpoint")
    options = [*map(str, asked), "--rate", RATE]
    for _ in range(2):
        killed = start_until_some_is_written(filled, out, *options)
        killed.kill()
        killed.communicate()
        assert not history.exists()
    # What comes later is not part of it: the end was fixed when the replay began.
    filled.send(make_fleet(now_ms(), 100).records)
    assert replay(filled, *options).exit_code == 0
    ids, wanted = ([score["score_id"] for score in scores_in(path)] for path in (out, whole))
    assert sorted(ids) == sorted(wanted)
    assert history.read_bytes() == expected.read_bytes()
    again = replay(filled, *options)
    assert (again.exit_code, again.out[:12]) == (0, "already done")


def test_a_history_goes_on_from_the_topic_where_there_is_no_file(
    filled: Lab, tmp_path: Path
) -> None:
    history, expected = tmp_path / "history.om", tmp_path / "expected.om"
    checkpoint = tmp_path / "checkpoint"
    name = ("--name", "backfill")
    assert replay(filled, "--to-openmetrics", expected, *name).exit_code == 0
    asked = ("--to-topic", f"{filled.scores}-old", "--to-openmetrics", history, *name)
    options = [*map(str, asked), "--checkpoint", str(checkpoint), "--rate", RATE]
    killed = start_replay(filled, *options)
    wait_until("some is written", lambda: b'"records"' in content_of(checkpoint))
    killed.kill()
    killed.communicate()
    assert replay(filled, *options).exit_code == 0
    assert history.read_bytes() == expected.read_bytes()


def test_runs_that_come_in_spans_are_each_scored_once_whenever_it_is_killed(
    lab: Lab, tmp_path: Path
) -> None:
    lab.configure(AGENT, assembly=ASSEMBLY)
    traces = make_traces(0, 2_000, now_ms() - 300_000, 200_000)
    lab.send(records_of(traces))
    out = tmp_path / "out.jsonl"
    options = ["--to-file", str(out), "--checkpoint", str(tmp_path / "checkpoint"), "--json"]
    for _ in range(2):
        killed = start_until_some_is_written(lab, out, *options, "--rate", "1500")
        killed.kill()
        killed.communicate()
    ended = replay(lab, *options)
    scores = scores_in(out)
    scored = [(score["run_id"], score["scorer"], score["score"]) for score in scores]
    assert sorted(scored) == sorted(one for trace in traces for one in trace.expected())
    assert ended.summary["runs"] == len(traces)
    assert ended.summary["records"] == len(lab.read(lab.runs))


def content_of(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


@pytest.mark.parametrize(("number", "exit_code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_with_what_to_do_to_go_on(
    filled: Lab, tmp_path: Path, number: signal.Signals, exit_code: int
) -> None:
    out = tmp_path / "out.jsonl"
    options = ["--to-file", str(out), "--checkpoint", str(tmp_path / "checkpoint")]
    started = start_until_some_is_written(filled, out, *options, "--rate", "500")
    started.send_signal(number)
    ended = end_of(started)
    assert ended.exit_code == exit_code
    assert f"stopped by {number.name} after" in ended.said
    assert "give the same command to go on" in ended.said
    assert replay(filled, *options).exit_code == 0


def test_a_signal_ends_one_that_waits_for_a_broker(lab: Lab) -> None:
    lab.address = "127.0.0.1:1"
    lab.configure(*configuration())
    waiting = start_replay(lab, "--dry-run")
    assert waiting.stderr is not None
    assert any("waiting for the broker" in line for line in iter(waiting.stderr.readline, ""))
    waiting.send_signal(signal.SIGTERM)
    assert end_of(waiting).exit_code == 143
