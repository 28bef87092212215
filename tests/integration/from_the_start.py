"""A member of a group that takes on whatever it is dealt from the first record."""

from aiokafka import TopicPartition

from live_scoring.adapters.kafka import GroupConsumer


class FromTheStart:
    """Takes on every partition from its first record."""

    consumer: GroupConsumer

    async def on_assigned(self, partitions: frozenset[TopicPartition]) -> None:
        for at in partitions:
            self.consumer.seek(at, 0)

    async def on_revoked(self, partitions: frozenset[TopicPartition]) -> None:
        """Hold nothing."""
