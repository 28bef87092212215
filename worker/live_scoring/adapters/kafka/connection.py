"""How every client of this package connects: address, security, and waiting for a broker."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from ssl import SSLCertVerificationError, SSLContext
from typing import Any, TypeVar

from aiokafka.conn import collect_hosts, create_conn
from aiokafka.errors import (
    BrokerNotAvailableError,
    ClusterAuthorizationFailedError,
    GroupAuthorizationFailedError,
    KafkaConnectionError,
    KafkaError,
    KafkaTimeoutError,
    KafkaUnavailableError,
    SaslAuthenticationFailed,
    TopicAuthorizationFailedError,
    UnsupportedSaslMechanismError,
)
from aiokafka.helpers import create_ssl_context

from live_scoring.config import KafkaConfig
from live_scoring.core.errors import LiveScoringError

logger = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
_SAY_EVERY = 10
_FETCH_BYTES = 4 * 1024 * 1024
_REQUEST_SECONDS = 40.0
_SILENCE_SECONDS = 10.0
"""After so long we tell that a step is under way: an address behind a wall never answers."""
_PASSING = (OSError, BrokerNotAvailableError, KafkaTimeoutError, KafkaUnavailableError)
_IF_CLOSED = "check security_protocol, and ssl_certfile where brokers ask for a certificate"
"""A broker that is spoken to in the wrong way closes the connection, as one that stops does."""
_UNKNOWN_AUTHORITY = "set ssl_cafile to the authority that signed the brokers' certificates"
_AS_CERTIFIED = (
    "name the brokers as their certificates do, in bootstrap_servers and in their own "
    "advertised.listeners"
)
_OUT_OF_DATE = "renew the brokers' certificates, or set the clock"
_BY_VERIFY_CODE = {9: _OUT_OF_DATE, 10: _OUT_OF_DATE, 62: _AS_CERTIFIED, 64: _AS_CERTIFIED}
"""By OpenSSL's number of what is wrong with a certificate."""
_UNAUTHORISED = (
    TopicAuthorizationFailedError,
    GroupAuthorizationFailedError,
    ClusterAuthorizationFailedError,
)

T = TypeVar("T")


class KafkaFatalError(LiveScoringError):
    """What waiting cannot mend: a refused login, a missing right, a topic that does not fit."""


def client_options(kafka: KafkaConfig) -> dict[str, Any]:
    """The options that every aiokafka client takes.

    Raises:
        KafkaFatalError: A file for TLS cannot be used.
    """
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


def fetch_options(kafka: KafkaConfig) -> dict[str, Any]:
    """What a client that reads whole topics takes beside."""
    return client_options(kafka) | {
        "enable_auto_commit": False,
        "auto_offset_reset": "earliest",
        "max_partition_fetch_bytes": _FETCH_BYTES,
        "fetch_max_wait_ms": kafka.fetch_max_wait_ms,
    }


def request_seconds(kafka: KafkaConfig) -> float:
    """How long to wait for an answer: to join a group takes up to a session timeout."""
    return max(_REQUEST_SECONDS, kafka.session_timeout_seconds + _REQUEST_SECONDS / 4)


def _ssl_context(kafka: KafkaConfig) -> SSLContext | None:
    if not kafka.security_protocol.endswith("SSL"):
        return None
    files = {"cafile": kafka.ssl_cafile, "certfile": kafka.ssl_certfile}
    try:
        context: SSLContext = create_ssl_context(**files, keyfile=kafka.ssl_keyfile)
    except OSError as error:
        raise KafkaFatalError(
            f"worker.yaml: kafka: TLS cannot be set up: {error.strerror or error}; check the files "
            "of ssl_cafile, ssl_certfile and ssl_keyfile"
        ) from error
    return context


def may_pass(error: Exception) -> bool:
    """Whether waiting may mend it; aiokafka itself counts no time-out among those."""
    return isinstance(error, _PASSING) or getattr(error, "retriable", False)


async def until_connected(step: Callable[[], Awaitable[T]], kafka: KafkaConfig) -> T:
    """Take a step, from its start again until the broker answers; says meanwhile that it does not.

    Raises:
        KafkaFatalError: The broker answered with an error that waiting cannot mend.
    """
    attempt = 0
    while True:
        with _told_if_slow(kafka):
            try:
                return await step()
            except (KafkaError, TimeoutError) as error:
                reason = await _why(error, kafka)
        if attempt % _SAY_EVERY == 0:
            is_closed = isinstance(reason, KafkaConnectionError | ConnectionResetError)
            told = str(reason) or type(reason).__name__
            _say(kafka, f"{told}; {_IF_CLOSED}" if is_closed else told)
        attempt += 1
        await asyncio.sleep(RETRY_SECONDS)


@contextmanager
def _told_if_slow(kafka: KafkaConfig) -> Iterator[None]:
    sentence = f"not done after {_SILENCE_SECONDS:g} s"
    telling = asyncio.get_running_loop().call_later(_SILENCE_SECONDS, _say, kafka, sentence)
    try:
        yield
    finally:
        telling.cancel()


def _say(kafka: KafkaConfig, reason: str) -> None:
    facts = {"bootstrap_servers": kafka.bootstrap_servers, "error": reason}
    logger.warning("waiting for the broker", extra=facts)


async def _why(error: Exception, kafka: KafkaConfig) -> Exception:
    """What keeps the broker from answering, if waiting may mend it.

    Raises:
        KafkaFatalError: Waiting cannot mend it, such as a refused login.
    """
    if isinstance(error, KafkaConnectionError):
        error = await _why_unconnected(kafka) or error
    if isinstance(error, SSLCertVerificationError) or not may_pass(error):
        where = f"worker.yaml: kafka: {kafka.bootstrap_servers}"
        raise KafkaFatalError(f"{where} cannot be used: {told(error)}") from error
    return error


def told(error: Exception, right: str = "Read") -> str:
    """What the broker says, and what to do about it; `right` is what is needed at that place."""
    return f"{error}; {_remedy(error, right)}"


def _remedy(error: Exception, right: str) -> str:
    if isinstance(error, _UNAUTHORISED):
        return f"grant the worker's user {right} on it, see deploy/README.md"
    if isinstance(error, SSLCertVerificationError):
        return _BY_VERIFY_CODE.get(error.verify_code, _UNKNOWN_AUTHORITY)
    if isinstance(error, SaslAuthenticationFailed | UnsupportedSaslMechanismError):
        return "check sasl_mechanism, sasl_username and sasl_password"
    return "check security_protocol, sasl_mechanism, sasl_username, sasl_password and ssl_cafile"


async def _why_unconnected(kafka: KafkaConfig) -> Exception | None:
    """Why the first server cannot be connected to; aiokafka itself only logs it."""
    options = client_options(kafka)
    host, port, _ = collect_hosts(options.pop("bootstrap_servers"), randomize=False)[0]
    try:
        connection = await create_conn(host, port, **options)
    except (OSError, KafkaError) as error:
        return error
    connection.close()
    return None
