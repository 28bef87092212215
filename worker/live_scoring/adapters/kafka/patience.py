"""Giving up on a broker that is away, for commands that someone waits for."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from live_scoring.adapters.kafka.connection import until_connected
from live_scoring.config import KafkaConfig
from live_scoring.core.errors import LiveScoringError

_PATIENCE_SECONDS = 15.0
_log = logging.getLogger("aiokafka")

T = TypeVar("T")


async def unless_away(step: Callable[[], Awaitable[T]], kafka: KafkaConfig) -> T:
    """Take a step as `until_connected` does, for 15 seconds at most.

    Raises:
        LiveScoringError: No broker answered, or it refuses and waiting cannot mend it.
    """
    level = _log.level
    _log.setLevel(logging.CRITICAL)  # of a broker that is away it tells at length; we in one line
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            return await until_connected(step, kafka)
    except TimeoutError:
        raise LiveScoringError(
            f"kafka.bootstrap_servers: {kafka.bootstrap_servers} gave no answer in "
            f"{_PATIENCE_SECONDS:g} s; check the address, or wait for the broker"
        ) from None
    finally:
        _log.setLevel(level)
