"""Why the worker's producer is not idempotent: see decision 15."""

import asyncio

import pytest
from aiokafka import AIOKafkaProducer
from aiokafka.errors import MessageSizeTooLargeError, OutOfOrderSequenceNumber

from tests.integration.lab import Lab

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

BROKERS_LIMIT = 1_048_588


def test_an_idempotent_producer_takes_nothing_more_after_a_record_too_large(lab: Lab) -> None:
    async def send() -> None:
        producer = AIOKafkaProducer(
            bootstrap_servers=lab.address,
            enable_idempotence=True,
            max_request_size=4 * BROKERS_LIMIT,
        )
        await producer.start()
        try:
            await producer.send_and_wait(lab.runs, b"small", partition=0)
            with pytest.raises(MessageSizeTooLargeError):
                await producer.send_and_wait(lab.runs, b"x" * 2 * BROKERS_LIMIT, partition=0)
            with pytest.raises(OutOfOrderSequenceNumber):
                await producer.send_and_wait(lab.runs, b"small again", partition=0)
        finally:
            await producer.stop()

    asyncio.run(send())
    assert [record.value for record in lab.read(lab.runs)] == [b"small"]
