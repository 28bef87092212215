"""Letting calls to Kafka go: what nobody took of them is not told, all else is."""

import asyncio

import pytest
from aiokafka.conn import AIOKafkaConnection
from aiokafka.errors import KafkaConnectionError

from live_scoring.adapters.kafka.closing import close_consumer, drop_given_up


class Consumer:
    """One that ends as aiokafka's does where a fetch waits to be sent again."""

    def __init__(self) -> None:
        self._client = self
        self.is_closed = False

    async def stop(self) -> None:
        raise asyncio.CancelledError

    async def close(self) -> None:
        self.is_closed = True


def test_a_consumer_that_ends_cancelled_is_closed_and_cancels_nobody() -> None:
    consumer = Consumer()

    async def play() -> None:
        try:
            raise KafkaConnectionError("closed")
        finally:
            await close_consumer(consumer)

    with pytest.raises(KafkaConnectionError):
        asyncio.run(play())
    assert consumer.is_closed


@pytest.mark.parametrize(
    ("error", "is_told"), [(KafkaConnectionError("closed"), False), (ValueError("ours"), True)]
)
def test_an_error_that_nobody_takes_is_told_unless_it_is_kafkas(
    error: Exception, caplog: pytest.LogCaptureFixture, *, is_told: bool
) -> None:
    async def fail() -> None:
        raise error

    async def play() -> None:
        asyncio.get_running_loop().set_exception_handler(drop_given_up)
        task = asyncio.create_task(fail())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        del task

    asyncio.run(play())
    assert ("never retrieved" in caplog.text) is is_told


def test_a_connection_that_was_given_up_is_not_told(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        connection = AIOKafkaConnection("127.0.0.1", 9)
        context = {
            "conn": connection,
            "message": "Unclosed AIOKafkaConnection",
        }
        drop_given_up(asyncio.get_running_loop(), context)
        drop_given_up(asyncio.get_running_loop(), {"message": "something else"})

    asyncio.run(play())
    assert [record.message for record in caplog.records] == ["something else"]
