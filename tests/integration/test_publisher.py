import asyncio
import logging

import pytest

from live_scoring.adapters.kafka import Outgoing, Publisher
from live_scoring.config import KafkaConfig
from tests.integration.lab import Lab

pytestmark = pytest.mark.integration


def test_a_broker_without_the_idempotent_producer_is_published_to_and_told_of_in_one_line(
    lab: Lab, caplog: pytest.LogCaptureFixture
) -> None:
    """As the embedded broker; on Apache Kafka there is nothing to tell."""
    assert lab.read(lab.runs) == []  # a topic just made may have no leader, of which aiokafka tells
    caplog.set_level(logging.INFO, "live_scoring")

    async def send() -> bool:
        publisher = Publisher(KafkaConfig(bootstrap_servers=lab.address), lambda _: None)
        await publisher.start()
        try:
            await publisher.publish(lab.runs, [Outgoing(b"key", b"%d" % n, 0) for n in range(9)])
        finally:
            await publisher.stop()
        return publisher._producer._is_idempotent  # noqa: SLF001 -- users need not know

    is_idempotent = asyncio.run(send())
    lines = [] if is_idempotent else [("INFO", "the broker has no idempotent producer for us")]
    assert [(record.levelname, record.message) for record in caplog.records] == lines
    assert [record.value for record in lab.read(lab.runs)] == [b"%d" % n for n in range(9)]
