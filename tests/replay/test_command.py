"""A file as the past: the whole way, without a broker."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console

from live_scoring.adapters.durable import DurableError
from live_scoring.adapters.files import FileError, RunFile
from live_scoring.formats.score_json import decode_score
from live_scoring.offline.eval_command import EvalOptions, evaluate_file
from live_scoring.replay.checkpoint import CheckpointError
from live_scoring.replay.history import HistoryError
from live_scoring.replay.summary import to_json_line, to_text
from tests.config.folders import agent_of, write_folder
from tests.integration.traces import AGENT, make_traces, records_of
from tests.offline.folders import run_line
from tests.replay.replays import NOW_MS, KilledError, Replays

FILES = agent_of(
    "{calls: {called_tool: get_weather}}",
    "{sunny: {includes: sun}, half: {includes: sun, sampling: 0.5}}",
)
TIME = "2026-11-01T12:00:00Z"
TIME_MS = NOW_MS - 2_000


@pytest.fixture
def replays(tmp_path: Path) -> Replays:
    return Replays(write_folder(tmp_path / "config", FILES), tmp_path)


def lines(number: int, **fields: Any) -> list[bytes]:
    known = {"timestamp": TIME} | fields
    return [run_line(f"run-{n}", "sun", "get_weather", **known) for n in range(number)]


def test_a_file_of_scores_holds_what_the_live_topic_would_and_the_replays_name(
    replays: Replays,
) -> None:
    replays.write(lines(1))
    replays.summary(to_file=replays.scores, name="backfill")
    calls, sunny = replays.read()[:2]
    assert (calls["scorer"], sunny["scorer"]) == ("calls", "sunny")
    assert (calls["replay"], calls["run_timestamp"]) == ("backfill", "2026-11-01T12:00:00.000Z")
    assert calls["scored_at"] == "2026-11-01T12:00:02.000Z"
    assert (calls["source_topic"], calls["source_offset"]) == (replays.runs.as_posix(), 1)
    scores = [decode_score(line) for line in replays.scores.read_bytes().splitlines()]
    assert [s.score_id for s in scores] == [s["score_id"] for s in replays.read()]  # type: ignore[union-attr]


def test_what_became_of_everything_is_told(replays: Replays) -> None:
    strangers = [run_line("x", agent_id="stranger", timestamp=TIME)]
    late = lines(1, timestamp="2026-11-02T12:00:00Z")
    replays.write([*lines(20), *strangers, *late, b"{", b"no\x1b[2Jjson"])
    summary = replays.summary(until="2026-11-02", is_dry_run=True)
    drawn = summary.tally["scored"] - 40
    name = replays.runs.as_posix()
    assert list(to_text(summary)) == [
        f"{name}: 24 records, 21 runs, {40 + drawn} scores",
        f"  scores: {40 + drawn} scored",
        f"  not scored: {20 - drawn} sampled out",
        "  runs left out: 1 of agents that no file names",
        "  records left out: 1 outside --from and --to",
        "  unreadable: 1 truncated_json, 1 not_json",
        f"      {name}: line 23: truncated_json: "
        "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
        f"      {name}: line 24: not_json: Expecting value: line 1 column 1 (char 0)",
        "nothing written",
    ]
    record = json.loads(to_json_line(summary))
    assert (record["records"], record["unreadable"]) == (24, {"truncated_json": 1, "not_json": 1})


def test_a_file_is_read_as_eval_reads_it(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "sun"}]
    topics = {"runs": ["one"], "agents": {"one": "weather-agent"}}
    files = FILES | {"worker.yaml": yaml.safe_dump({"topics": topics})}
    replays = Replays(write_folder(tmp_path / "config", files), tmp_path)
    replays.write(json.dumps(said, indent=2).encode().splitlines())
    tally = replays.summary(to_file=replays.scores).tally
    assert (tally["records"], tally["runs"]) == (1, 1)
    assert {score["agent_id"] for score in replays.read()} == {"weather-agent"}
    evaluation = evaluate_file(
        RunFile(replays.runs, None, Console()),
        tmp_path / "config",
        {},
        EvalOptions(None, None, None, is_strict=False),
    )
    assert evaluation.exit_code == 1


def test_only_the_agents_asked_for_are_scored(replays: Replays) -> None:
    replays.write(lines(3))
    assert replays.summary(agents=("other-*", "w*"), is_dry_run=True).tally["scored"] >= 6
    assert replays.summary(agents=("other-*",), is_dry_run=True).tally["other_agent"] == 3


def test_a_run_of_a_file_is_placed_by_its_own_end_and_without_one_by_the_files_change(
    replays: Replays,
) -> None:
    replays.write([*lines(1, timestamp="2031-01-01T00:00:00Z"), run_line("run-2")])
    os.utime(replays.runs, (TIME_MS / 1000, TIME_MS / 1000))
    replays.summary(to_file=replays.scores)
    placed = {score["run_id"]: score["run_timestamp"] for score in replays.read()}
    assert placed == {"run-0": "2031-01-01T00:00:00.000Z", "run-2": "2026-11-01T12:00:00.000Z"}


def test_an_empty_file_and_an_empty_range_are_told_and_end_well(replays: Replays) -> None:
    replays.write([])
    assert "holds no run" in replays.summary(is_dry_run=True).notes[0]
    replays.write(lines(2))
    summary = replays.summary(since="2026-11-02", is_dry_run=True)
    assert summary.notes == ["nothing lies in the range that was asked for"]
    assert replays.said == "note: nothing lies in the range that was asked for\n"


def test_a_file_that_is_there_is_replaced_whole(replays: Replays) -> None:
    replays.write(lines(2))
    replays.summary(to_file=replays.scores)
    once = {score["score_id"] for score in replays.read()}
    replays.summary(to_file=replays.scores)
    assert {score["score_id"] for score in replays.read()} == once


def test_a_file_that_cannot_be_read_leaves_the_scores_as_they_were(replays: Replays) -> None:
    replays.scores.write_bytes(b"old")
    with pytest.raises(FileError, match="cannot be read"):
        replays.report(to_file=replays.scores)
    assert replays.scores.read_bytes() == b"old"


def test_where_nothing_can_be_written_is_told_before_anything_is_read(replays: Replays) -> None:
    replays.write(lines(1))
    nowhere: Any = replays.scores / "no" / "such"
    for option in ("to_file", "to_openmetrics"):
        with pytest.raises(DurableError, match="cannot be written"):
            replays.report(**{option: nowhere})


def test_the_same_command_goes_on_from_the_checkpoint(replays: Replays, tmp_path: Path) -> None:
    replays.write(lines(4_500))
    whole, history = tmp_path / "whole.jsonl", tmp_path / "history.om"
    replays.summary(to_file=whole, to_openmetrics=history, name="n")
    expected = history.read_bytes()
    given: dict[str, Any] = {
        "to_file": replays.scores,
        "to_openmetrics": history,
        "checkpoint": tmp_path / "checkpoint",
        "name": "n",
    }
    for runs in (500, 2_500, 1_500):
        with pytest.raises(KilledError):
            replays.report(**given, killed_after=runs)
        with replays.scores.open("ab") as torn:
            torn.write(b'{"schema": "live-sc')
    replays.write(lines(4_600))
    summary = replays.summary(**given)
    assert replays.scores.read_bytes() == whole.read_bytes()
    assert history.read_bytes() == expected
    assert summary.tally["records"] == 4_500
    again = replays.summary(**given)
    assert again.is_again
    assert again.tally == summary.tally
    assert next(to_text(again)).startswith("already done by an earlier run; to replay anew, ")


def test_runs_of_a_file_that_come_in_spans_are_each_scored_once(
    replays: Replays, tmp_path: Path
) -> None:
    write_folder(replays.config, {"agents/desk.yaml": yaml.safe_dump(AGENT)})
    # Late spans are in time here: without the records' time nothing is closed before the end.
    traces = [t for t in make_traces(0, 400, TIME_MS, 60_000) if t.number % 20 != 1]
    replays.write(record.value or b"" for record in records_of(traces))
    given: dict[str, Any] = {"to_file": replays.scores, "checkpoint": tmp_path / "checkpoint"}
    with pytest.raises(KilledError):
        replays.report(**given, killed_after=1_100)
    summary = replays.summary(**given)
    scored = [(score["run_id"], score["scorer"], score["score"]) for score in replays.read()]
    assert sorted(scored) == sorted(one for trace in traces for one in trace.expected())
    assert summary.tally["runs"] == len(traces)


def test_another_command_does_not_go_on_from_a_checkpoint(replays: Replays, tmp_path: Path) -> None:
    replays.write(lines(1))
    given: dict[str, Any] = {"to_file": replays.scores, "checkpoint": tmp_path / "checkpoint"}
    replays.summary(**given)
    with pytest.raises(
        CheckpointError, match='is of another replay: --from was not given, now "1h'
    ):
        replays.report(**given, since="1h")
    write_folder(replays.config, {"worker.yaml": "limits: {max_depth: 9}\n"} | FILES)
    with pytest.raises(CheckpointError, match="another replay: the hash of what says how records"):
        replays.report(**given)
    write_folder(replays.config, agent_of("{calls: {called_tool: other}}"))
    with pytest.raises(CheckpointError, match="is of another replay: the configuration's hash was"):
        replays.report(**given)


def test_a_checkpoint_that_is_none_is_told(replays: Replays, tmp_path: Path) -> None:
    replays.write(lines(1))
    checkpoint = tmp_path / "checkpoint"
    checkpoint.write_bytes(b"{}")
    with pytest.raises(CheckpointError, match="is no checkpoint of a replay; name another file"):
        replays.report(to_file=replays.scores, checkpoint=checkpoint)


def test_a_source_that_has_become_shorter_is_told(replays: Replays, tmp_path: Path) -> None:
    replays.write(lines(1_500))
    given: dict[str, Any] = {"to_file": replays.scores, "checkpoint": tmp_path / "checkpoint"}
    with pytest.raises(KilledError):
        replays.report(**given, killed_after=1_200)
    replays.write(lines(20))
    with pytest.raises(HistoryError, match="has fewer lines than when the replay began; put it"):
        replays.report(**given)
