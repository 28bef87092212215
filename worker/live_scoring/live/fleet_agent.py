"""The Faust agent that keeps the fleet's last verdicts, of whichever worker gave them."""

import logging
import uuid
from collections.abc import Callable

import faust
from faust.types import StreamT

from live_scoring.config import WorkerConfig
from live_scoring.live.agent_app import AgentApp
from live_scoring.live.fleet import Fleet

logger = logging.getLogger(__name__)

MakeApp = Callable[[WorkerConfig, Fleet], faust.App]


def fleet_app(config: WorkerConfig, fleet: Fleet) -> faust.App:
    """An app whose agent reads the whole verdicts topic, from its beginning, into a fleet.

    The group is this app's alone, so every worker sees every partition, and it never commits:
    the topic, compacted by the same keys, is the table's changelog. Nothing else is created.
    """
    group_id = f"{config.kafka.group_id}-fleet-{uuid.uuid4().hex[:12]}"
    app = AgentApp(group_id, config.kafka, consumer_auto_offset_reset="earliest")
    topic = app.topic(
        config.topics.verdicts, key_serializer="raw", value_serializer="raw", acks=False
    )

    @app.agent(topic, name="live_scoring.fleet")
    async def keep_last_verdicts(records: StreamT[bytes]) -> None:
        async for event in records.events():
            failure = fleet.note(event.key, event.value)
            if failure is not None:
                facts = {"partition": event.message.partition, "offset": event.message.offset}
                logger.warning("not a verdict", extra={**facts, "reason": failure.reason})

    return app
