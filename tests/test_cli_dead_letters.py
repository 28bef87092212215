"""What `dead-letters` says of options that it cannot use, before any broker is asked."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from live_scoring.cli import main
from tests.config.folders import write_folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["dead-letters", *arguments])


def test_what_is_no_time_exits_2_in_one_line() -> None:
    for since, until in (("yesterday", "1d"), ("1d", "2d")):
        result = run("retry", "--yes", "--from", since, "--to", until)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("position", ["17", "0:", "-1:2", "0:1:2", "a:b", "0:" + "9" * 30])
def test_what_is_no_position_is_told_with_what_to_write(position: str) -> None:
    result = run("show", "--", position)
    assert result.exit_code == 2
    assert "is no position; give partition:offset, such as 0:17" in result.stderr


def test_a_configuration_that_cannot_be_used_exits_2(tmp_path: Path) -> None:
    write_folder(tmp_path, {"worker.yaml": "kafkas: {}"})
    for command in (["list"], ["show", "0:1"], ["retry", "--yes"]):
        result = run(*command, "--config", str(tmp_path))
        assert result.exit_code == 2
        assert "kafkas: unknown key" in result.stderr
