"""Makes topics with settings of their own, and looks at what Apache Kafka says of them."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic, RecordsToDelete
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

T = TypeVar("T")


def _asking(address: str, question: Callable[[AIOKafkaAdminClient], Awaitable[T]]) -> T:
    async def ask() -> T:
        admin = AIOKafkaAdminClient(bootstrap_servers=address)
        await admin.start()
        try:
            return await question(admin)
        finally:
            await admin.close()

    return asyncio.run(ask())


def create_topic(address: str, name: str, partitions: int, **settings: str) -> None:
    """Make a topic; a setting's `.` is written `_`."""
    configs = {key.replace("_", "."): value for key, value in settings.items()}
    topic = NewTopic(name, partitions, 1, topic_configs=configs)
    _asking(address, lambda admin: admin.create_topics([topic]))


def delete_topic(address: str, name: str) -> None:
    """Delete a topic with all it holds."""
    _asking(address, lambda admin: admin.delete_topics([name]))


def topics(address: str) -> set[str]:
    """Names of all topics."""
    return set(_asking(address, lambda admin: admin.list_topics()))


def partitions_of(address: str, name: str) -> int:
    """How many partitions a topic has."""
    (described,) = _asking(address, lambda admin: admin.describe_topics([name]))
    return len(described["partitions"])


def settings_of(address: str, name: str) -> Mapping[str, str]:
    """A topic's settings, the broker's defaults included."""
    resource = ConfigResource(ConfigResourceType.TOPIC, name)
    (response,) = _asking(address, lambda admin: admin.describe_configs([resource]))
    return {entry[0]: entry[1] for entry in response.resources[0][4]}


def delete_before(address: str, topic: str, partition: int, offset: int) -> None:
    """Delete the records before an offset."""
    records = {TopicPartition(topic, partition): RecordsToDelete(offset)}
    _asking(address, lambda admin: admin.delete_records(records))
