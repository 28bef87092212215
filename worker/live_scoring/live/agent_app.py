"""Faust apps of one agent on the verdicts topic, and the service that keeps such an app alive.

Each runs beside the app that hosts the record loops: whatever breaks here costs its own work and
nothing else. See worker/decisions/0002-fleet-table.md.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import faust
from faust.transport.drivers.aiokafka import AIOKafkaConsumerThread, Consumer, Transport
from faust.types.auth import CredentialsT
from faust.types.transports import TransportT

from live_scoring.adapters.kafka.closing import close_consumer
from live_scoring.adapters.kafka.connection import client_options, request_seconds
from live_scoring.config import KafkaConfig
from live_scoring.live.logs import FAUST_LOGGER

logger = logging.getLogger(__name__)

_RETRY_SECONDS = 10.0
_CHECK_SECONDS = 1.0
_STOP_SECONDS = 3.0
"""For an app to end; what it had not committed is read again."""
_METADATA_MS = 10_000
"""A broker that has just started may name no topics yet, and Faust assigns nothing until it asks
again, which it does by default after five minutes."""


class AgentApp(faust.App):
    """A Faust app that makes no topic, serves no page and leaves no folder behind."""

    logger = FAUST_LOGGER

    def __init__(self, group_id: str, kafka: KafkaConfig, **options: Any) -> None:
        """Prepare a member of a consumer group; `options` are Faust's."""
        super().__init__(
            group_id,
            broker=brokers(kafka),
            broker_credentials=credentials(kafka),
            broker_request_timeout=request_seconds(kafka),
            broker_session_timeout=kafka.session_timeout_seconds,
            broker_heartbeat_interval=kafka.heartbeat_interval_seconds,
            consumer_metadata_max_age_ms=_METADATA_MS,
            store="memory://",
            stream_wait_empty=False,
            topic_allow_declare=False,
            topic_disable_leader=True,
            web_enabled=False,
            **options,
        )

    def _new_transport(self) -> TransportT:
        return _Transport(self.conf.broker_consumer, self)

    def _create_directories(self) -> None:
        pass


class _Thread(AIOKafkaConsumerThread):
    """Ends whatever the broker does; the one of Faust may end in the middle, and nobody hears."""

    logger = FAUST_LOGGER

    async def on_thread_stop(self) -> None:
        await super(AIOKafkaConsumerThread, self).on_thread_stop()
        if self._consumer is not None:
            await close_consumer(self._consumer)

    async def check_group(self) -> None:
        """Raise what keeps the group from going on, such as a right that was taken away."""
        if self._consumer is not None:
            self._consumer._coordinator.check_errors()  # noqa: SLF001 -- Faust asks nobody else


class _Consumer(Consumer):
    """Breaks where the group cannot go on; the one of Faust may wait for ever, and nobody hears.

    aiokafka tells such an error to a fetch that waits just then, and goes on once it was asked.
    """

    logger = FAUST_LOGGER
    _thread: _Thread

    def _new_consumer_thread(self) -> _Thread:
        return _Thread(self, loop=self.loop, beacon=self.beacon)

    @faust.Service.task
    async def _check_group(self) -> None:
        while not self.should_stop:
            await self._thread.call_thread(self._thread.check_group)
            await self.sleep(_CHECK_SECONDS)


class _Transport(Transport):
    Consumer = _Consumer


class AgentKeeper(faust.Service):
    """Runs an app from when the topics are there; starts it anew whenever it breaks."""

    logger = FAUST_LOGGER

    def __init__(
        self,
        name: str,
        has_topics: Callable[[], Awaitable[object]],
        make_app: Callable[[], Awaitable[faust.App]],
    ) -> None:
        """Keep apps made by `make_app`.

        Args:
            name: What it is called in the log.
            has_topics: Waits until the topics are there.
            make_app: Makes an app that was not started before.
        """
        super().__init__()
        self._name = name
        self._has_topics = has_topics
        self._make_app = make_app
        self._app: faust.App | None = None

    @faust.Service.task
    async def _keep(self) -> None:
        await self.wait_for_stopped(self._has_topics())
        while not self.should_stop:
            try:
                await self._follow()
            except Exception:
                logger.exception("agent broken, starting it anew", extra={"agent": self._name})
            await self.sleep(_RETRY_SECONDS)

    async def _follow(self) -> None:
        self._app = app = await self._make_app()
        try:
            await app.start()
            await app.wait_until_stopped()
        finally:
            await app.stop()
        if not self.should_stop:
            raise app.crash_reason or RuntimeError(f"{self._name} stopped by itself")

    async def on_stop(self) -> None:
        """End the app with the worker."""
        if self._app is not None:
            await asyncio.wait({asyncio.create_task(self._app.stop())}, timeout=_STOP_SECONDS)


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
