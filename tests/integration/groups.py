"""What a consumer group has committed, asked without any of the worker's own code."""

import asyncio

from aiokafka import AIOKafkaConsumer, TopicPartition


def has_committed(address: str, group: str, topic: str, partitions: int) -> bool:
    """Whether a group has an offset in each partition of a topic."""

    async def look() -> bool:
        wanted = [TopicPartition(topic, partition) for partition in range(partitions)]
        consumer = AIOKafkaConsumer(bootstrap_servers=address, group_id=group)
        consumer.assign(wanted)
        await consumer.start()
        try:
            return all([await consumer.committed(at) is not None for at in wanted])
        finally:
            await consumer.stop()

    return asyncio.run(look())
