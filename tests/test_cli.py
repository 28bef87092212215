from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from live_scoring.cli import main
from tests.config.folders import agent_of, write_folder

CASE = "cases: [{name: a case, run: {output: []}, expect: {verdict: passed}}]"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def check(folder: Path) -> Result:
    return run("check-config", "--config", str(folder))


def test_a_good_configuration_is_summed_up(tmp_path: Path) -> None:
    result = check(write_folder(tmp_path))
    assert result.exit_code == 0
    assert result.stdout.startswith("weather-agent: 1 gate, 0 scorers, windows 5m, 1h\n1 agent, ")
    assert result.stderr == ""


def test_a_doubt_is_a_warning(tmp_path: Path) -> None:
    result = check(write_folder(tmp_path, agent_of(scorers="{a: {includes: x, threshold: 0}}")))
    assert result.exit_code == 0
    assert result.stderr.startswith("warning: ")


def test_a_case_that_fails_exits_1(tmp_path: Path) -> None:
    result = check(write_folder(tmp_path, {"agents/weather_test.yaml": CASE}))
    assert result.exit_code == 1
    assert "cases[0].expect.verdict: a case: failed" in result.stderr


def test_a_bad_configuration_exits_2_with_a_line_for_each_problem(tmp_path: Path) -> None:
    files = agent_of("{a: {include: x}, b: {includes: x, sampling: 2}}")
    result = check(write_folder(tmp_path, files))
    assert result.exit_code == 2
    assert result.stdout == ""
    path = (tmp_path / "agents" / "weather.yaml").as_posix()
    assert result.stderr == (
        f"{path}: gates.a.include: is no check; did you mean includes?\n"
        f"{path}: gates.b.sampling: 2 is above 1; give a share from 0 to 1\n"
    )


def test_the_folder_is_config_unless_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_folder(tmp_path / "config")
    monkeypatch.chdir(tmp_path)
    assert run("check-config").exit_code == 0
