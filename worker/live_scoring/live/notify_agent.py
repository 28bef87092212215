"""The Faust agent that tells a webhook of transitions, each once for the whole fleet."""

import logging
from typing import cast

import faust
from faust.types import StreamT

from live_scoring.adapters.kafka import begin_at_end, until_connected
from live_scoring.config import WorkerConfig
from live_scoring.live.agent_app import AgentApp
from live_scoring.live.notify import Notifier

logger = logging.getLogger(__name__)

_COMMIT_SECONDS = 0.5
"""A worker killed within it after a delivery has that transition delivered again."""


def group_of(config: WorkerConfig, webhook: str) -> str:
    """The consumer group that all workers share for a webhook."""
    return f"{config.kafka.group_id}-notify-{webhook}"


async def notify_app(config: WorkerConfig, notifier: Notifier) -> faust.App:
    """An app whose agent reads the verdicts topic as one member of the webhook's group.

    The group begins at the topic's end. An offset is committed once its transition was
    delivered or given up: Faust's own acknowledgement would count one as done that was cut off.
    """
    group_id, topic_name = group_of(config, notifier.webhook.name), config.topics.verdicts
    await until_connected(lambda: begin_at_end(config.kafka, group_id, topic_name), config.kafka)
    patience = notifier.webhook.give_up_after_ms / 1000 + 300
    app = AgentApp(
        group_id,
        config.kafka,
        broker_commit_interval=_COMMIT_SECONDS,
        broker_commit_livelock_soft_timeout=patience,
        consumer_auto_offset_reset="latest",
        stream_processing_timeout=patience,
    )
    topic = app.topic(topic_name, key_serializer="raw", value_serializer="raw")

    @app.agent(topic, name="live_scoring.notify")
    async def tell(records: StreamT[bytes]) -> None:
        unacked = cast("faust.Stream[bytes]", records).noack()
        async for event in unacked.events():
            try:
                await notifier.tell(event.value)
            except Exception:  # an agent that raises loses more than this one
                logger.exception("notification failed")
            await unacked.ack(event)

    return app
