import asyncio
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer, TopicPartition

from live_scoring.adapters.embedded_broker import start_broker
from live_scoring.adapters.kafka import GroupConsumer
from live_scoring.config import KafkaConfig

pytestmark = pytest.mark.integration

TOPIC = "records"


class Member:
    """A consumer that takes turns for ever and notes what it was given."""

    def __init__(self, address: str) -> None:
        kafka = KafkaConfig(
            bootstrap_servers=address, session_timeout_seconds=6, heartbeat_interval_seconds=1
        )
        self.owned: frozenset[TopicPartition] = frozenset()
        self.has_some = asyncio.Event()
        self._consumer = GroupConsumer(kafka, "group", [TOPIC], self)

    async def on_assigned(self, partitions: frozenset[TopicPartition]) -> None:
        self.owned = partitions
        self.has_some.set()

    async def on_revoked(self, partitions: frozenset[TopicPartition]) -> None:
        self.owned -= partitions

    async def run(self) -> None:
        await self._consumer.start()
        try:
            while True:
                async with self._consumer.turn(1_000):
                    pass
        finally:
            await self._consumer.stop()


async def flow(address: str) -> None:
    """Records that never cease, so that every poll is woken by some."""
    producer = AIOKafkaProducer(bootstrap_servers=address)
    await producer.start()
    try:
        while True:
            await producer.send_and_wait(TOPIC, b"record")
    finally:
        await producer.stop()


async def share(address: str) -> tuple[int, int]:
    """Let two members share a topic under load; how many partitions each has at the end."""
    first, second = Member(address), Member(address)
    tasks = [asyncio.create_task(flow(address)), asyncio.create_task(first.run())]
    try:
        await asyncio.wait_for(first.has_some.wait(), 30)
        tasks.append(asyncio.create_task(second.run()))
        await asyncio.wait_for(second.has_some.wait(), 30)
        return len(first.owned), len(second.owned)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def test_a_rebalance_gets_through_while_records_flow(tmp_path: Path) -> None:
    with start_broker(tmp_path / "broker.log") as broker:
        assert asyncio.run(share(broker.address)) == (2, 2)
