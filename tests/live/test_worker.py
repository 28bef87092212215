"""The worker: two loops that end together, and a plan that only a good configuration replaces."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest

from live_scoring.core.errors import LiveScoringError
from live_scoring.live.worker import Worker
from tests.live.fakes import FakeClock, FakeLoop, plan_of, setting_of, worker_of


async def _nothing(_worker: Worker) -> None:
    pass


def _run(worker: Worker, meanwhile: Callable[[Worker], Awaitable[None]] = _nothing) -> None:
    """Run a worker, do something once its loops run, and stop it."""

    async def play() -> None:
        running = asyncio.create_task(worker.run())
        await worker.has_topics.wait()
        await meanwhile(worker)
        await worker.stop()
        await running

    asyncio.run(play())


def _page(worker: Worker) -> str:
    return worker.metrics.render()[0].decode()


def test_stopping_lets_every_loop_end_its_turn() -> None:
    loops = FakeLoop(), FakeLoop()
    _run(worker_of(*loops))
    assert all(loop.has_ended for loop in loops)


def test_what_cannot_mend_in_one_loop_ends_the_other_too() -> None:
    bad, good = FakeLoop(error=LiveScoringError("no such right")), FakeLoop()
    worker = worker_of(bad, good)
    with pytest.raises(LiveScoringError, match="no such right"):
        asyncio.run(worker.run())
    assert good.is_stopped
    assert good.has_ended
    assert not worker.is_alive


def test_a_loop_that_is_cancelled_by_what_it_waits_for_is_not_missing_in_silence() -> None:
    lost, good = FakeLoop(error=asyncio.CancelledError()), FakeLoop()
    worker = worker_of(lost, good)
    with pytest.raises(LiveScoringError, match="start the worker again"):
        asyncio.run(worker.run())
    assert good.has_ended
    assert not worker.is_alive


def test_a_good_configuration_reaches_every_loop() -> None:
    loops, plan = (FakeLoop(), FakeLoop()), plan_of("new-agent", config_hash="hash-2")
    worker = worker_of(*loops, load=lambda: setting_of(plan))
    _run(worker, Worker.reload)
    assert [loop.plans for loop in loops] == [[plan], [plan]]
    assert worker.setting.plan == plan
    assert 'config_info{hash="hash-2"} 1' in _page(worker)


def test_a_reload_while_the_broker_is_away_reaches_the_loops_once_it_is_back() -> None:
    loop, plan = FakeLoop(), plan_of("new-agent", config_hash="hash-2")
    _run(worker_of(loop, load=lambda: setting_of(plan), waiting=Worker.reload))
    assert loop.plans == [plan]


def test_a_bad_configuration_keeps_the_old_plan_and_shows_in_the_metrics() -> None:
    loop = FakeLoop()
    worker = worker_of(loop)
    _run(worker, Worker.reload)
    assert loop.plans == []
    assert "config_last_reload_successful 0" in _page(worker)
    assert 'config_info{hash="hash-1"} 1' in _page(worker)


def test_a_worker_that_waits_for_its_broker_is_alive_and_not_ready() -> None:
    worker = worker_of(FakeLoop())
    assert worker.is_alive
    assert worker.readiness == {}


@pytest.mark.parametrize(("seconds", "is_alive"), [(299, True), (301, False)])
def test_a_loop_that_has_not_turned_for_long_is_not_alive(seconds: int, *, is_alive: bool) -> None:
    time = FakeClock()

    async def wait(worker: Worker) -> None:
        time.monotonic_seconds = seconds
        assert worker.is_alive is is_alive

    _run(worker_of(FakeLoop(), clock=time.as_clock()), wait)


def test_a_reload_says_what_it_cannot_take_up(caplog: pytest.LogCaptureFixture) -> None:
    plan = plan_of("weather-agent")
    _run(worker_of(FakeLoop(), load=lambda: setting_of(plan)), Worker.reload)
    assert not _warnings(caplog)
    _run(worker_of(FakeLoop(), load=lambda: setting_of(plan, brokers="other:9092")), Worker.reload)
    assert _warnings(caplog) == [
        "worker.yaml has changed beyond its windows, restart to take it up"
    ]


def test_what_is_not_taken_up_is_told_at_each_reload_until_it_is_put_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    plan = plan_of("weather-agent")
    changed, as_it_was = setting_of(plan, brokers="other:9092"), setting_of(plan)
    files, told = iter((changed, changed, as_it_was)), []

    async def reload_thrice(worker: Worker) -> None:
        for _ in range(3):
            await worker.reload()
            told.append(len(_warnings(caplog)))

    _run(worker_of(FakeLoop(), load=lambda: next(files)), reload_thrice)
    assert told == [1, 2, 2]


def _warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records if record.levelno >= logging.WARNING]
