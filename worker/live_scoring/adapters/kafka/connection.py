"""How every client of this package connects: address, security, and waiting for a broker."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from ssl import SSLCertVerificationError, SSLContext
from typing import Any

from aiokafka.conn import collect_hosts, create_conn
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


def _ssl_context(kafka: KafkaConfig) -> SSLContext | None:
    if not kafka.security_protocol.endswith("SSL"):
        return None
    context: SSLContext = create_ssl_context(
        cafile=kafka.ssl_cafile, certfile=kafka.ssl_certfile, keyfile=kafka.ssl_keyfile
    )
    return context


async def until_connected(connect: Callable[[], Awaitable[None]], kafka: KafkaConfig) -> None:
    """Call `connect` until the broker answers, saying every ten seconds that it does not.

    Raises:
        KafkaFatalError: The broker answered with an error that waiting cannot mend.
    """
    attempt = 0
    while True:
        try:
            await connect()
        except KafkaConnectionError:
            reason = await _why_unconnected(kafka)
            if attempt % _SAY_EVERY == 0:
                facts = {"bootstrap_servers": kafka.bootstrap_servers, "error": str(reason)}
                logger.warning("waiting for the broker", extra=facts)
            attempt += 1
        except KafkaError as error:
            if not error.retriable:
                raise _fatal(kafka, error) from error
        else:
            return
        await asyncio.sleep(RETRY_SECONDS)


async def _why_unconnected(kafka: KafkaConfig) -> Exception | None:
    """Why the first server cannot be used; aiokafka itself only logs it.

    Raises:
        KafkaFatalError: It refuses the login, or its certificate is not trusted.
    """
    options = client_options(kafka)
    host, port, _ = collect_hosts(options.pop("bootstrap_servers"), randomize=False)[0]
    try:
        connection = await create_conn(host, port, **options)
    except (OSError, KafkaError) as error:
        if isinstance(error, SSLCertVerificationError) or not getattr(error, "retriable", True):
            raise _fatal(kafka, error) from error
        return error
    connection.close()
    return None


def _fatal(kafka: KafkaConfig, error: Exception) -> KafkaFatalError:
    return KafkaFatalError(
        f"worker.yaml: kafka: {kafka.bootstrap_servers} cannot be used: {error}; "
        "check security_protocol, sasl_username, sasl_password and ssl_cafile"
    )
