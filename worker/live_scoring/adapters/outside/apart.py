"""Calling what may block, without holding the event loop."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from inspect import isawaitable, iscoroutinefunction
from typing import Any, TypeVar

T = TypeVar("T")
_Ended = tuple[Any, BaseException | None]


async def apart(function: Callable[[T], Any], argument: T) -> Any:
    """Call a coroutine function here, and a plain function in a thread of its own.

    A thread cannot be stopped. Cancelled once, this waits until the function has returned, so
    that it still counts as under way; cancelled again, it leaves the thread behind. The thread
    keeps no process from ending.
    """
    is_plain = not iscoroutinefunction(function)
    answer = await _in_thread(function, argument) if is_plain else function(argument)
    return await answer if isawaitable(answer) else answer


async def _in_thread(function: Callable[[T], Any], argument: T) -> Any:
    # Not asyncio.to_thread: its few threads serve the pages too, and an exit waits for them.
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[_Ended] = loop.create_future()

    def work() -> None:
        outcome = _outcome_of(function, argument)
        with suppress(RuntimeError):  # the loop was closed while the function ran
            loop.call_soon_threadsafe(ended.set_result, outcome)

    threading.Thread(target=work, name="outside-scorer", daemon=True).start()
    try:
        answer, error = await asyncio.shield(ended)
    except asyncio.CancelledError:
        await asyncio.wait({ended})
        raise
    if error is not None:
        raise error if isinstance(error, Exception) else RuntimeError(type(error).__name__)
    return answer


def _outcome_of(function: Callable[[T], Any], argument: T) -> _Ended:
    try:
        return function(argument), None
    except BaseException as error:  # noqa: BLE001 -- raised again where it is awaited
        return None, error
