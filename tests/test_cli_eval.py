"""`live-scoring eval`, `explain` and `list-checks` as a user calls them."""

import gzip
import json
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree.ElementTree import parse

import pytest
from click.testing import CliRunner, Result

from live_scoring.cli import main
from tests.config.folders import agent_of, write_folder
from tests.offline.folders import run_line

GOOD = run_line("run-1", "sun", "get_weather")
BAD = run_line("run-2", "rain")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    scorers = "{sunny: {includes: sun, threshold: 0.7}}"
    files = agent_of("{calls: {called_tool: get_weather}}", scorers)
    return write_folder(tmp_path / "config", files)


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


def evaluate(folder: Path, content: bytes, *options: str) -> Result:
    return run("eval", "-", "--config", str(folder), *options, stdin=content)


def test_runs_that_pass_exit_0(folder: Path) -> None:
    result = evaluate(folder, GOOD)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("weather-agent: passed, 1 run\n")


def test_a_failed_gate_exits_1(folder: Path) -> None:
    result = evaluate(folder, BAD)
    assert result.exit_code == 1
    assert "      run-2: called get_weather 0 times" in result.stdout


def test_a_missed_threshold_warns_and_under_strict_exits_1(folder: Path) -> None:
    missed = run_line("run-3", "rain", "get_weather")
    result = evaluate(folder, missed)
    assert result.exit_code == 0
    assert result.stderr == "warning: weather-agent: scored: missed sunny\n"
    assert evaluate(folder, missed, "--strict").exit_code == 1


@pytest.mark.parametrize(
    "command",
    ["eval", "explain", "backtest", "inspect --json", "replay --dry-run --json"],
)
def test_a_file_is_read_by_the_mapping_of_all_topics(
    folder: Path, tmp_path: Path, command: str
) -> None:
    worker = """\
topics: {runs: [one, two], formats: {one: own, two: own}}
mappings: {own: {agent_id: $.bot, text: $.answer, timestamp: $.at}}
"""
    write_folder(folder, {"worker.yaml": worker})
    path = tmp_path / "own.jsonl"
    path.write_text('{"bot": "weather-agent", "answer": "sun", "at": 1793534400}\n')
    told = run(*command.split(), str(path), "--config", str(folder))
    assert told.exit_code in (0, 1)
    assert "unknown_format" not in told.output


def test_a_file_is_read_gzipped_or_not(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl.gz"
    path.write_bytes(gzip.compress(GOOD + b"\n" + BAD))
    result = run("eval", str(path), "--config", str(folder))
    assert "2 runs of 1 agent: failed" in result.stdout


def test_a_run_on_many_lines_is_read_as_one(folder: Path) -> None:
    pretty = json.dumps(json.loads(BAD), indent=2).encode()
    assert "1 run of 1 agent: failed" in evaluate(folder, pretty).stdout
    result = evaluate(folder, pretty[:-1])
    assert (result.exit_code, result.stderr[:22]) == (2, "stdin: truncated_json:")


def test_json_is_all_of_standard_output(folder: Path) -> None:
    result = evaluate(folder, GOOD + b"\n{", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["agents"]["weather-agent"]["verdict"] == "passed"
    assert result.stderr.startswith("stdin: line 2: truncated_json: ")


def test_markdown_is_printed(folder: Path) -> None:
    assert evaluate(folder, GOOD, "--markdown").stdout.startswith("### live-scoring: ✅ passed")


def test_junit_is_written_beside_what_is_printed(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "junit.xml"
    result = evaluate(folder, BAD, "--junit", str(path))
    assert result.stdout
    assert [case.get("name") for case in parse(path).iter("testcase")] == [  # noqa: S314 -- our own writing
        "gate calls",
        "threshold sunny",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["eval"], "Missing argument"),
        (["eval", "missing.jsonl"], "missing.jsonl: cannot be read"),
        (["eval", "-", "--format", "natve"], "is none of"),
        (["eval", "-", "--junit", "missing/junit.xml"], "missing/junit.xml: cannot be written"),
        (["explain", "-"], "stdin: holds no run; give one"),
        (["explain", "-", "--run", "run-9"], "stdin: holds no run run-9"),
    ],
)
def test_what_cannot_be_used_exits_2_with_a_line(
    folder: Path, arguments: list[str], message: str
) -> None:
    result = run(*arguments, "--config", str(folder), stdin=b"")
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def in_a_shell(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """A command of ours as a shell runs it, with its redirections."""
    program = shlex.join([sys.executable, "-m", "live_scoring"])
    config = shlex.quote(str(folder))
    return subprocess.run(  # noqa: S602 -- what is redirected is the point
        command.format(program=program, config=config),
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_file_is_read_while_standard_input_is_closed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "runs.jsonl").write_bytes(GOOD)
    runs = shlex.quote(str(tmp_path / "runs.jsonl"))
    result = in_a_shell(folder, f"{{program}} eval {runs} --config {{config}} <&-")
    assert (result.returncode, result.stderr) == (0, "")


def test_a_closed_standard_input_that_is_asked_for_exits_2(folder: Path) -> None:
    result = in_a_shell(folder, "{program} eval - --config {config} <&-")
    assert result.returncode == 2
    assert result.stderr == "stdin: is closed; name a file or give it runs\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("command", ["check-config --config {config}", "list-checks"])
def test_output_that_cannot_be_written_exits_2_with_a_line(folder: Path, command: str) -> None:
    result = in_a_shell(folder, f"{{program}} {command} >/dev/full")
    assert result.returncode == 2
    assert result.stderr == (
        "stdout: cannot be written (No space left on device); check where it goes\n"
    )


def test_a_bad_configuration_exits_2(tmp_path: Path) -> None:
    write_folder(tmp_path, agent_of("{a: {include: x}}"))
    result = evaluate(tmp_path, GOOD)
    assert result.exit_code == 2
    assert "did you mean includes?" in result.stderr


def test_a_run_is_explained_from_a_file_of_its_own_or_of_many(folder: Path) -> None:
    alone = run("explain", "-", "--config", str(folder), stdin=json.dumps(json.loads(BAD)).encode())
    among = run("explain", "-", "--config", str(folder), "--run", "run-2", stdin=GOOD + b"\n" + BAD)
    assert alone.exit_code == among.exit_code == 0
    assert alone.stdout == among.stdout
    assert "run     run-2 (native)" in alone.stdout


def test_an_explanation_is_printed_as_json(folder: Path) -> None:
    result = run("explain", "-", "--config", str(folder), "--json", stdin=GOOD)
    assert json.loads(result.stdout)["run_id"] == "run-1"


def test_checks_are_listed() -> None:
    assert run("list-checks").stdout.startswith("includes (check-includes)\n")
    assert json.loads(run("list-checks", "matches", "--json").stdout)[0]["id"] == "check-matches"
    assert run("list-checks", "matchs").exit_code == 2
