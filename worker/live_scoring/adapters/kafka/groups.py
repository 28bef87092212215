"""Where a consumer group begins that has never committed."""

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import CommitFailedError

from live_scoring.adapters.kafka.closing import close_consumer
from live_scoring.adapters.kafka.connection import client_options, request_seconds
from live_scoring.adapters.kafka.topics import count_partitions
from live_scoring.config import KafkaConfig

_POLL_MS = 200


async def begin_at_end(kafka: KafkaConfig, group_id: str, topic: str) -> None:
    """Commit a topic's end for a group, in each partition of which it has committed nothing.

    Without it a member that dies before its first commit would leave no trace of what it was
    about, and its successor would begin behind that. A group that already has members has been
    through this: it is left alone.
    """
    partitions = (await count_partitions(kafka, [topic]))[topic]
    consumer = AIOKafkaConsumer(
        group_id=group_id,
        enable_auto_commit=False,
        auto_offset_reset="latest",
        request_timeout_ms=int(request_seconds(kafka) * 1000),
        **client_options(kafka),
    )
    wanted = [TopicPartition(topic, partition) for partition in range(partitions)]
    consumer.assign(wanted)
    try:
        await consumer.start()
        new = [at for at in wanted if await consumer.committed(at) is None]
        if new:
            await consumer.commit({at: await _end(consumer, at) for at in new})
    except CommitFailedError:
        return
    finally:
        await close_consumer(consumer)


async def _end(consumer: AIOKafkaConsumer, at: TopicPartition) -> int:
    """The high watermark of a fetch: the embedded broker tells `end_offsets` too low."""
    while (end := consumer.highwater(at)) is None:
        await consumer.getmany(at, timeout_ms=_POLL_MS)
    return int(end)
