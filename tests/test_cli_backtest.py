"""The command `backtest`: what it prints, writes and ends with."""

import json
import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from live_scoring.cli import main
from tests.backtest.pasts import policy, run, write_runs


def backtest(folder: Path, *options: str, runs: tuple[dict[str, object], ...] = ()) -> Result:
    path = write_runs(folder / "runs.jsonl", runs or (run(0), run(10, "none")))
    new = policy(folder / "new")
    return CliRunner().invoke(main, ["backtest", str(path), "--config", str(new), *options])


def test_it_prints_text_and_exits_0_whatever_the_verdict(tmp_path: Path) -> None:
    result = backtest(tmp_path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "weather-agent: 2 runs" in result.stdout


def test_json_is_one_object(tmp_path: Path) -> None:
    old = policy(tmp_path / "old", "{called-weather: {called_tool: other}}")
    record = json.loads(backtest(tmp_path, "--json", "--against", str(old)).stdout)
    assert record["against"] == old.as_posix()
    assert record["agents"][0]["new"]["windows"]["1m"]["verdict"] == "failed"


def test_a_page_is_written_beside_the_text(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = backtest(tmp_path, "--html", str(page))
    assert (result.exit_code, page.read_text()[:15]) == (0, "<!doctype html>")
    assert "weather-agent: 2 runs" in result.stdout


def test_a_page_is_written_even_if_nobody_reads_the_text(tmp_path: Path) -> None:
    page, runs = tmp_path / "page.html", write_runs(tmp_path / "runs.jsonl", (run(0),))
    asked = [str(runs), "--config", str(policy(tmp_path / "new")), "--html", str(page)]
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        program = [sys.executable, "-m", "live_scoring", "backtest"]
        subprocess.run([*program, *asked], stdout=closed, check=False)  # noqa: S603 -- our own command
    assert page.read_text()[:15] == "<!doctype html>"


def test_it_exits_1_if_the_new_policy_ends_as_it_must_not(tmp_path: Path) -> None:
    assert backtest(tmp_path, "--fail-on", "failed").exit_code == 1
    assert backtest(tmp_path, "--fail-on", "failed", runs=(run(0),)).exit_code == 0


def test_notes_go_to_standard_error(tmp_path: Path) -> None:
    result = backtest(tmp_path, "--json", runs=(run(0), run(0, agent_id="stranger")))
    assert result.stderr == "note: stranger: no file names this agent of 1 run\n"
    assert json.loads(result.stdout)["notes"] == [result.stderr[6:-1]]


def test_what_cannot_be_used_exits_2_in_one_line(tmp_path: Path) -> None:
    for options in (
        ("--from", "yesterday"),
        ("--against", str(tmp_path / "nowhere")),
        ("--topic", "agent-runs"),
    ):
        result = backtest(tmp_path, *options)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
