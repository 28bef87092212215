"""How every client of this package connects: address, security, and waiting for a broker."""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable
from typing import Any

from aiokafka.errors import KafkaConnectionError, KafkaError
from aiokafka.helpers import create_ssl_context

from live_scoring.config import KafkaConfig
from live_scoring.core.errors import LiveScoringError

logger = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
_SAY_EVERY = 10


class KafkaFatalError(LiveScoringError):
    """What waiting cannot mend: a refused login, a missing right, a topic that does not fit."""


def client_options(kafka: KafkaConfig) -> dict[str, Any]:
    """The options that every aiokafka client takes."""
    password = kafka.sasl_password.get_secret_value() if kafka.sasl_password else None
    return {
        "bootstrap_servers": kafka.bootstrap_servers,
        "client_id": "live-scoring",
        "security_protocol": kafka.security_protocol,
        "ssl_context": _ssl_context(kafka),
        "sasl_mechanism": kafka.sasl_mechanism or "PLAIN",
        "sasl_plain_username": kafka.sasl_username,
        "sasl_plain_password": password,
    }


def _ssl_context(kafka: KafkaConfig) -> ssl.SSLContext | None:
    if not kafka.security_protocol.endswith("SSL"):
        return None
    context: ssl.SSLContext = create_ssl_context(
        cafile=kafka.ssl_cafile, certfile=kafka.ssl_certfile, keyfile=kafka.ssl_keyfile
    )
    return context


async def until_connected(connect: Callable[[], Awaitable[None]], servers: str) -> None:
    """Call `connect` until the broker answers, saying every ten seconds that it does not.

    Raises:
        KafkaFatalError: The broker answered with an error that waiting cannot mend.
    """
    attempt = 0
    while True:
        try:
            await connect()
        except KafkaConnectionError:
            if attempt % _SAY_EVERY == 0:
                logger.warning("waiting for the broker", extra={"bootstrap_servers": servers})
            attempt += 1
            await asyncio.sleep(RETRY_SECONDS)
        except KafkaError as error:
            if not error.retriable:
                raise KafkaFatalError(
                    f"kafka {servers}: {error}; see kafka in worker.yaml"
                ) from error
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return
