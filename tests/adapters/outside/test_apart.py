"""Plain functions run in threads, and what becomes of them when nobody waits any longer."""

import asyncio
import threading
from functools import partial
from typing import Any

import pytest

from live_scoring.adapters.outside.apart import apart


def test_a_plain_function_runs_in_a_thread_of_its_own() -> None:
    async def ask() -> Any:
        return await apart(lambda _: threading.current_thread(), None)

    thread = asyncio.run(ask())
    assert thread is not threading.main_thread()
    assert thread.daemon


def test_a_coroutine_function_runs_in_the_event_loop() -> None:
    async def asked(_: None) -> threading.Thread:
        return threading.current_thread()

    assert asyncio.run(apart(asked, None)) is threading.main_thread()


def test_what_a_plain_function_answers_is_awaited_if_it_must_be() -> None:
    async def later(word: str) -> str:
        return word.upper()

    assert asyncio.run(apart(partial(later), "so")) == "SO"


@pytest.mark.parametrize("error", [ValueError("no"), StopIteration()])
def test_what_a_plain_function_raises_is_raised(error: Exception) -> None:
    def raising(_: None) -> None:
        raise error

    with pytest.raises((ValueError, RuntimeError)):
        asyncio.run(apart(raising, None))


def test_a_plain_function_cannot_end_the_process() -> None:
    def leaving(_: None) -> None:
        raise SystemExit(3)

    with pytest.raises(RuntimeError, match=r"^SystemExit$"):
        asyncio.run(apart(leaving, None))


def test_a_cancelled_call_is_under_way_until_its_thread_has_ended() -> None:
    may_end = threading.Event()

    async def cancel_and_look() -> bool:
        task = asyncio.create_task(apart(lambda _: may_end.wait(), None))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.sleep(0.01)
        was_under_way = not task.done()
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        return was_under_way

    assert asyncio.run(cancel_and_look())


def test_a_thread_that_never_ends_does_not_keep_the_loop_from_ending() -> None:
    may_end = threading.Event()

    async def leave_behind() -> None:
        task = asyncio.create_task(apart(lambda _: may_end.wait(), None))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.sleep(0.01)

    asyncio.run(leave_behind())
    may_end.set()
