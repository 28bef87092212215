import signal
import tempfile
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from live_scoring.adapters.embedded_broker import BrokerError
from live_scoring.demo import show


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the demo puts its logs."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(signal, "signal", lambda _number, _handler: None)
    return tmp_path


def ended_by(
    ending: BaseException, monkeypatch: pytest.MonkeyPatch, *, logged: str
) -> tuple[int, str]:
    """Exit code and words of a demo whose broker logs something and then ends so."""

    def start_broker(log: Path) -> None:
        log.write_text(logged, encoding="utf-8")
        raise ending

    monkeypatch.setattr(show, "start_broker", start_broker)
    page = StringIO()
    return show.run_demo(15, Console(file=page)), page.getvalue()


def test_what_went_wrong_names_the_logs_and_keeps_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, page = ended_by(BrokerError("broker: does not start"), monkeypatch, logged="no memory")
    (logs,) = folder.iterdir()
    assert (code, page) == (1, f"demo: broker: does not start; the logs are in {logs}\n")
    assert (logs / "broker.log").read_text(encoding="utf-8") == "no memory"


def test_logs_that_say_nothing_are_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = ended_by(BrokerError("broker: not installed"), monkeypatch, logged="")
    assert ended == (1, "demo: broker: not installed\n")
    assert list(folder.iterdir()) == []


def test_a_demo_that_is_interrupted_keeps_no_logs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = ended_by(KeyboardInterrupt(), monkeypatch, logged="started")
    assert ended == (130, "demo: stopped\n")
    assert list(folder.iterdir()) == []
