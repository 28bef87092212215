"""The process: how it starts without a broker, how it ends, and with which exit code."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from tests.live.fakes import NOBODY

COMMANDS = {
    "live-scoring": ["live_scoring", "run", "--config", "."],
    "faust": ["faust", "-A", "live_scoring.live.app", "worker"],
}
AGENT = "agent: weather-agent\ngates: {polite: {includes: hello}}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A configuration whose broker never answers."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "weather.yaml").write_text(AGENT)
    (tmp_path / "worker.yaml").write_text(f"kafka: {{bootstrap_servers: '{NOBODY}'}}\n")
    return tmp_path


@contextmanager
def _started(
    command: str, folder: Path, environment: dict[str, str]
) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(  # noqa: S603 -- this very program
        [sys.executable, "-m", *COMMANDS[command]],
        cwd=folder,
        env=os.environ | {"LIVE_SCORING_CONFIG": "."} | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _wait_for(message: str, stderr: IO[str] | None) -> dict[str, Any]:
    """The first line with this message."""
    assert stderr is not None
    for text in stderr:
        line: dict[str, Any] = json.loads(text)
        if line["message"] == message:
            return line
    raise AssertionError(f"the log ended without {message!r}")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_waits_for_its_broker_and_ends_well_when_asked(
    command: str, number: signal.Signals, folder: Path
) -> None:
    with _started(command, folder, {"LIVE_SCORING_WEB__PORT": "0"}) as process:
        _wait_for("waiting for the broker", process.stderr)
        process.send_signal(number)
        assert process.wait(180) == 0


def test_a_taken_port_ends_the_worker_with_one_line_that_names_it(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with _started("live-scoring", folder, {"LIVE_SCORING_WEB__PORT": port}) as process:
            error = _wait_for("cannot go on", process.stderr)["error"]
            assert process.wait(180) == 1
    assert f"cannot listen on http://127.0.0.1:{port}: Address already in use" in error


@pytest.mark.parametrize("port", ["0", "9464"])
@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_an_address_that_is_not_ours_ends_the_worker_with_one_line(
    host: str, port: str, folder: Path
) -> None:
    web = {"LIVE_SCORING_WEB__HOST": host, "LIVE_SCORING_WEB__PORT": port}
    with _started("live-scoring", folder, web) as process:
        _, errors = process.communicate(timeout=180)
        assert process.returncode == 1
    assert "Traceback" not in errors
    assert json.loads(errors.splitlines()[0])["error"].startswith(
        f"worker.yaml: web: cannot listen on http://{host}:{port}: "
    )


def test_a_hangup_while_it_ends_leaves_it_to_end_well(folder: Path) -> None:
    with _started("live-scoring", folder, {"LIVE_SCORING_WEB__PORT": "0"}) as process:
        _wait_for("waiting for the broker", process.stderr)
        process.send_signal(signal.SIGTERM)
        _wait_for("stopping", process.stderr)
        while process.poll() is None:
            process.send_signal(signal.SIGHUP)
            time.sleep(0.001)
        assert process.returncode == 0


def test_a_hangup_with_a_bad_configuration_keeps_the_worker_going(folder: Path) -> None:
    with _started("live-scoring", folder, {"LIVE_SCORING_WEB__PORT": "0"}) as process:
        _wait_for("waiting for the broker", process.stderr)
        (folder / "agents" / "weather.yaml").write_text(AGENT + "nonsense: 1\n")
        process.send_signal(signal.SIGHUP)
        refused = _wait_for("configuration refused, the old one stands", process.stderr)
        assert "nonsense" in refused["error"]
        (folder / "agents" / "weather.yaml").write_text(AGENT.replace("hello", "good day"))
        process.send_signal(signal.SIGHUP)
        _wait_for("configuration reloaded", process.stderr)


def test_a_bad_configuration_starts_nothing(folder: Path) -> None:
    (folder / "worker.yaml").write_text("nonsense: 1\n")
    with _started("live-scoring", folder, {}) as process:
        _, errors = process.communicate(timeout=180)
        assert process.returncode == 2
    assert errors.startswith("worker.yaml: nonsense: unknown key")
