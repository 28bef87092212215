"""What `dead-letters` says of options that it cannot use, before any broker is asked."""

from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from live_scoring.cli import main
from live_scoring.cli.moment import Moment
from tests.config.folders import write_folder
from tests.live.fakes import NOW_MS, FakeClock

MOMENT = Moment(replace(FakeClock().as_clock(), now_ms=lambda: NOW_MS))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["dead-letters", *arguments])


@pytest.mark.parametrize(
    ("written", "ms"),
    [
        ("7d", NOW_MS - 7 * 86_400_000),
        ("1500ms", NOW_MS - 1_500),
        ("2026-11-01T12:00:02Z", 1_793_534_402_000),
        ("2026-11-01T13:00:02+01:00", 1_793_534_402_000),
    ],
)
def test_a_time_is_a_timestamp_or_how_long_ago(written: str, ms: int) -> None:
    assert MOMENT.convert(written, None, None) == ms


@pytest.mark.parametrize("written", ["yesterday", "2026-11-01", "2026-11-01T12:00:02", "-1d", ""])
def test_what_is_no_time_is_told_with_what_to_write(written: str) -> None:
    with pytest.raises(click.BadParameter, match="is no time; give one such as 2026-"):
        MOMENT.convert(written, None, None)


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
