"""Waits for what other processes do: polls until it holds, with a deadline, never a fixed sleep."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

POLL_SECONDS = 0.1
PATIENCE_SECONDS = 180.0
"""Three times what anything takes where other tests keep a slow machine busy."""


def wait_until(what: str, condition: Callable[[], T], seconds: float = PATIENCE_SECONDS) -> T:
    """The condition's first truthy answer.

    Raises:
        TimeoutError: None came in time; the last answer is told.
    """
    deadline = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {seconds:.0f} s in vain until {what}; last: {answer!r}")
        time.sleep(POLL_SECONDS)


def wait_to_equal(
    what: str, read: Callable[[], T], wanted: T, seconds: float = PATIENCE_SECONDS
) -> None:
    """Wait until what is read equals what is wanted.

    Raises:
        TimeoutError: It did not in time; the last value is told.
    """
    last: list[T] = []

    def is_equal() -> bool:
        last[:] = [read()]
        return last == [wanted]

    try:
        wait_until(what, is_equal, seconds)
    except TimeoutError as error:
        raise TimeoutError(f"{what} is {last[0]!r}, wanted {wanted!r}") from error
