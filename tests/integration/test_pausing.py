"""A group member that has no room for records stays one and loses none."""

import asyncio
from collections.abc import Sequence

import pytest

from live_scoring.adapters.kafka import GroupConsumer
from live_scoring.config import KafkaConfig
from tests.integration.from_the_start import FromTheStart
from tests.integration.lab import Lab
from tests.integration.topics import Sending

pytestmark = pytest.mark.integration


async def poll(kafka: KafkaConfig, lab: Lab, sizes: Sequence[int]) -> list[list[bytes]]:
    """The values that turns for so many records give; a turn for some waits for them."""
    handover = FromTheStart()
    consumer = handover.consumer = GroupConsumer(kafka, lab.group, [lab.runs], handover)
    await consumer.start()
    polled: list[list[bytes]] = []
    try:
        for size in sizes:
            found: list[bytes] = []
            while not found:
                async with consumer.turn(size) as records:
                    found = [r.value for some in records.values() for r in some]
                if not size:
                    break
            polled.append(found)
    finally:
        await consumer.stop()
    return polled


def test_a_turn_for_no_records_reads_none_and_loses_none(lab: Lab) -> None:
    lab.send(Sending(b"%d" % number, 0) for number in range(5))
    kafka = KafkaConfig(bootstrap_servers=lab.address)
    polled = asyncio.run(poll(kafka, lab, [2, 0, 0, 2, 0, 1]))
    assert polled == [[b"0", b"1"], [], [], [b"2", b"3"], [], [b"4"]]
