"""The Faust agent on the verdicts topic, and the service that keeps it alive.

It runs in a Faust app of its own, beside the one that hosts the record loops: whatever breaks
here costs the view of the fleet and nothing else. See worker/decisions/0002-fleet-table.md.
"""

import logging
import uuid
from collections.abc import Callable

import faust
from faust.types import StreamT
from faust.types.auth import CredentialsT

from live_scoring.adapters.kafka.connection import client_options, request_seconds
from live_scoring.config import KafkaConfig, WorkerConfig
from live_scoring.live.fleet import Fleet
from live_scoring.live.logs import FAUST_LOGGER
from live_scoring.live.worker import Worker

logger = logging.getLogger(__name__)

_RETRY_SECONDS = 10.0
_METADATA_MS = 10_000
"""A broker that has just started may name no topics yet, and Faust assigns nothing until it asks
again, which it does by default after five minutes."""

MakeApp = Callable[[WorkerConfig, Fleet], faust.App]


class FleetKeeper(faust.Service):
    """Runs the agent from when the topics are there; starts it anew whenever it breaks."""

    logger = FAUST_LOGGER

    def __init__(self, worker: Worker, make_app: MakeApp) -> None:
        """Keep the fleet of a worker, in apps made by `make_app`."""
        super().__init__()
        self._worker = worker
        self._make_app = make_app
        self._app: faust.App | None = None

    @faust.Service.task
    async def _keep(self) -> None:
        await self.wait_for_stopped(self._worker.has_topics.wait())
        while not self.should_stop:
            try:
                await self._follow()
            except Exception:
                logger.exception("fleet view broken, starting it anew")
            await self.sleep(_RETRY_SECONDS)

    async def _follow(self) -> None:
        self._app = app = self._make_app(self._worker.setting.config.worker, self._worker.fleet)
        try:
            await app.start()
            await app.wait_until_stopped()
        finally:
            await app.stop()
        if not self.should_stop:
            raise app.crash_reason or RuntimeError("the fleet app stopped by itself")

    async def on_stop(self) -> None:
        """End the agent with the worker."""
        if self._app is not None:
            await self._app.stop()


def fleet_app(config: WorkerConfig, fleet: Fleet) -> faust.App:
    """An app whose agent reads the whole verdicts topic, from its beginning, into a fleet.

    The group is this app's alone, so every worker sees every partition, and it never commits:
    the topic, compacted by the same keys, is the table's changelog. Nothing else is created.
    """
    app = _QuietApp(
        f"{config.kafka.group_id}-fleet-{uuid.uuid4().hex[:12]}",
        broker=brokers(config.kafka),
        broker_credentials=credentials(config.kafka),
        broker_request_timeout=request_seconds(config.kafka),
        broker_session_timeout=config.kafka.session_timeout_seconds,
        broker_heartbeat_interval=config.kafka.heartbeat_interval_seconds,
        consumer_auto_offset_reset="earliest",
        consumer_metadata_max_age_ms=_METADATA_MS,
        store="memory://",
        stream_wait_empty=False,
        topic_allow_declare=False,
        topic_disable_leader=True,
        web_enabled=False,
    )
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


class _QuietApp(faust.App):
    """Leaves no folder behind: nothing is stored on disk."""

    logger = FAUST_LOGGER

    def _create_directories(self) -> None:
        pass


def brokers(kafka: KafkaConfig) -> list[str]:
    """The brokers as Faust names them."""
    return [f"kafka://{server.strip()}" for server in kafka.bootstrap_servers.split(",")]


def credentials(kafka: KafkaConfig) -> CredentialsT | None:
    """How Faust secures its connection; None for plain text."""
    options = client_options(kafka)
    if kafka.security_protocol.startswith("SASL"):
        return faust.SASLCredentials(
            username=options["sasl_plain_username"],
            password=options["sasl_plain_password"],
            ssl_context=options["ssl_context"],
            mechanism=options["sasl_mechanism"],
        )
    if kafka.security_protocol == "SSL":
        return faust.SSLCredentials(options["ssl_context"])
    return None
