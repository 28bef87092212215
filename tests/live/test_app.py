"""The Faust app as host: what breaks, what goes on, and what an import does."""

import asyncio
import subprocess
import sys
from itertools import count
from pathlib import Path

import faust
import pytest

from live_scoring.config import WorkerConfig
from live_scoring.core.errors import LiveScoringError
from live_scoring.live import app as module
from live_scoring.live.app import LiveApp
from live_scoring.live.fleet import Fleet
from tests.live.fakes import FakeLoop, no_fleet, worker_of

CONFIG = Path(__file__).parents[2] / "config"


def test_the_app_runs_its_loops_and_lets_them_end_when_it_stops() -> None:
    loops = FakeLoop(), FakeLoop()

    async def play() -> None:
        app = LiveApp(worker_of(*loops), no_fleet)
        await app.start()
        await app.worker.has_topics.wait()
        await app.stop()

    asyncio.run(play())
    assert all(loop.is_stopped and loop.has_ended for loop in loops)


def test_a_line_sums_up_the_work_again_and_again(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    runs, has_summed_up = count(1), asyncio.Event()

    def summary() -> dict[str, int]:
        number = next(runs)
        if number == 3:
            has_summed_up.set()
        return {"runs": number}

    async def play() -> None:
        app = LiveApp(worker_of(FakeLoop(), summary=summary), no_fleet, summary_seconds=0.01)
        await app.start()
        await has_summed_up.wait()
        await app.stop()

    asyncio.run(play())
    lines = [record for record in caplog.records if record.getMessage() == "summary"]
    assert [vars(line)["runs"] for line in lines[:2]] == [1, 2]


def test_a_line_says_once_that_the_worker_is_ready(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    loop = FakeLoop(is_ready=False)

    async def play() -> None:
        app = LiveApp(worker_of(loop), no_fleet)
        await app.start()
        await app.worker.has_topics.wait()
        await asyncio.sleep(0.3)
        assert "ready" not in caplog.messages
        for is_ready in (True, False, True):
            loop.is_ready = is_ready
            await asyncio.sleep(0.3)
        await app.stop()

    asyncio.run(play())
    assert caplog.messages.count("ready") == 1


def test_what_cannot_mend_in_a_loop_ends_the_app_with_that_error() -> None:
    error = LiveScoringError("no such right")

    async def play() -> BaseException | None:
        app = LiveApp(worker_of(FakeLoop(error=error)), no_fleet)
        await app.start()
        await app.wait_until_stopped()
        await app.stop()
        return app.crash_reason

    assert asyncio.run(play()) is error


def test_a_fleet_agent_that_cannot_run_leaves_the_loops_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    loop, has_broken = FakeLoop(), asyncio.Event()

    def broken(_config: WorkerConfig, _fleet: Fleet) -> faust.App:
        has_broken.set()
        raise RuntimeError("no such topic")

    async def play() -> None:
        app = LiveApp(worker_of(loop), broken)
        await app.start()
        await has_broken.wait()
        await asyncio.sleep(0)
        assert not loop.has_ended
        await app.stop()
        assert app.crash_reason is None

    asyncio.run(play())
    assert "agent broken, starting it anew" in caplog.messages


def test_importing_the_module_makes_no_app() -> None:
    code = "import live_scoring.live.app as m; print('app' in vars(m))"
    done = subprocess.run(  # noqa: S603 -- this very interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_the_module_makes_one_app_of_the_folder_that_the_environment_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LIVE_SCORING_CONFIG", str(CONFIG))
    app = module.app
    assert isinstance(app, LiveApp)
    assert module.app is app
    monkeypatch.delitem(vars(module), "app")


def test_the_module_has_no_other_name_that_is_made_when_asked_for() -> None:
    with pytest.raises(AttributeError, match="no attribute 'worker'"):
        _ = module.worker
