"""What commands say that wait for a broker: which one they wait for."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.folders import write_folder
from tests.live.fakes import NOBODY

TOPIC = ("--topic", "t", "--bootstrap-servers", NOBODY)


@pytest.mark.parametrize(
    "command", [("inspect", *TOPIC), ("init", *TOPIC), ("dead-letters", "list", "--config", "mine")]
)
def test_a_command_that_waits_for_a_broker_names_it(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    write_folder(tmp_path / "mine", {"worker.yaml": f"kafka: {{bootstrap_servers: '{NOBODY}'}}\n"})
    with subprocess.Popen(  # noqa: S603 -- this very program
        [sys.executable, "-m", "live_scoring", *command],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
        finally:
            process.kill()
    assert f"waiting for the broker bootstrap_servers={NOBODY} error=" in line
