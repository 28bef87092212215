"""Closing a consumer, and letting calls go, whatever the broker does."""

import asyncio
import logging
from typing import Any

from aiokafka import AIOKafkaConsumer
from aiokafka.conn import AIOKafkaConnection
from aiokafka.errors import KafkaError

logger = logging.getLogger(__name__)

_CLOSE_SECONDS = 2.0
"""To leave the group; a member that could not is taken off it after the session timeout."""


async def close_consumer(consumer: AIOKafkaConsumer) -> None:
    """Leave the group and close the connections, in 2 s each at most; never raises by itself.

    aiokafka asks a broker that is away to let it go for up to a request's timeout, and it ends
    with `CancelledError` where it cancels a fetch that waits to be sent again: raised amid an error
    that waiting mends, it would end whoever waits, without a word.
    """
    if not await _ends(asyncio.ensure_future(consumer.stop())):
        await _ends(asyncio.ensure_future(consumer._client.close()))  # noqa: SLF001 -- left open


async def _ends(step: "asyncio.Future[None]") -> bool:
    """Whether a step came to its end in time; if not, it is cancelled."""
    try:
        await asyncio.wait({step}, timeout=_CLOSE_SECONDS)
    finally:
        if not step.done():
            step.cancel()
    if not step.done() or step.cancelled():
        return False
    if error := step.exception():
        logger.warning("consumer not closed", extra={"error": type(error).__name__})
    return error is None


def drop_given_up(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What a loop does with errors that nobody took: none of a call to Kafka is told.

    Whoever gave the call up has told so; aiokafka shields it and nobody takes its error then. Given
    up while it connects, it lets go of a connection that is closed only when it is collected.
    """
    is_given_up = isinstance(context.get("exception"), KafkaError) or (
        isinstance(context.get("conn"), AIOKafkaConnection)
    )
    if not is_given_up:
        loop.default_exception_handler(context)
