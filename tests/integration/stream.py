"""Sends records for as long as wanted, whatever happens to the brokers meanwhile."""

import asyncio
import threading
import time
import zlib
from collections.abc import Callable, Iterable

from aiokafka import AIOKafkaProducer
from aiokafka.structs import RecordMetadata

from tests.integration.lab import PARTITIONS

_TICK_SECONDS = 0.05


class Stream:
    """An idempotent producer on a thread of its own; each record to another partition."""

    def __init__(
        self,
        address: str,
        topic: str,
        due: Callable[[float], Iterable[bytes]],
        on_confirmed: Callable[[bytes], None] = lambda _: None,
    ) -> None:
        """Send nothing yet.

        Args:
            address: Of the brokers.
            topic: Where to.
            due: What is to be sent so many seconds after the start that was not sent before.
            on_confirmed: Told each record that the brokers have.
        """
        self._address, self._topic = address, topic
        self._due, self._on_confirmed = due, on_confirmed
        self._is_stopping = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._send_all()))

    def start(self) -> None:
        """Begin to send."""
        self._thread.start()

    def stop(self) -> None:
        """Send no more; returns once the brokers have taken or refused everything."""
        self._is_stopping.set()
        self._thread.join()

    async def _send_all(self) -> None:
        producer = AIOKafkaProducer(bootstrap_servers=self._address, enable_idempotence=True)
        await producer.start()
        began, sent = time.monotonic(), 0
        try:
            while not self._is_stopping.is_set():
                for value in self._due(time.monotonic() - began):
                    partition = zlib.crc32(b"%d" % sent) % PARTITIONS
                    await self._send(producer, value, partition)
                    sent += 1
                await asyncio.sleep(_TICK_SECONDS)
        finally:
            await producer.stop()

    async def _send(self, producer: AIOKafkaProducer, value: bytes, partition: int) -> None:
        def note(delivery: asyncio.Future[RecordMetadata]) -> None:
            if not delivery.cancelled() and delivery.exception() is None:
                self._on_confirmed(value)

        (await producer.send(self._topic, value, partition=partition)).add_done_callback(note)
