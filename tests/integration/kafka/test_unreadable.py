"""A topic that may no longer be read, of which a member hears by metadata before any fetch."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from live_scoring.adapters.kafka import GroupConsumer
from live_scoring.adapters.kafka.connection import KafkaFatalError
from live_scoring.config import KafkaConfig
from tests.integration.from_the_start import FromTheStart
from tests.integration.kafka.locked import login
from tests.integration.kafka.rights import Right, grant, revoke
from tests.integration.kafka.secured import LOCKED, SecuredLab
from tests.integration.runs import native_run

pytestmark = [pytest.mark.integration, pytest.mark.kafka]


@asynccontextmanager
async def member(lab: SecuredLab) -> AsyncIterator[GroupConsumer]:
    """A member of the lab's group that reads the runs."""
    kafka = KafkaConfig.model_validate({"bootstrap_servers": lab.broker.at("login"), **login(lab)})
    handover = FromTheStart()
    consumer = handover.consumer = GroupConsumer(kafka, lab.group, [lab.runs], handover)
    await consumer.start()
    try:
        yield consumer
    finally:
        await consumer.stop()


async def read(consumer: GroupConsumer) -> int:
    """How many records one turn brings."""
    async with consumer.turn(10) as polled:
        return sum(map(len, polled.values()))


def test_a_member_that_owns_nothing_because_it_may_not_says_so(locked_lab: SecuredLab) -> None:
    lab = locked_lab
    right = Right("Read", "topic", lab.runs)
    grant(lab.address, LOCKED, [right, Right("Read", "group", lab.group)])
    lab.send([native_run("run", "agent")])

    async def lose() -> None:
        async with member(lab) as consumer:
            while not await read(consumer):
                pass
            await asyncio.to_thread(revoke, lab.address, LOCKED, right)
            await consumer._joined._client.force_metadata_update()  # noqa: SLF001 -- as after 10 s
            for _ in range(100):
                await read(consumer)

    with pytest.raises(KafkaFatalError, match=rf"{lab.runs}.*grant the worker's user Read on it"):
        asyncio.run(lose())
