import asyncio
from pathlib import Path

import pytest
from aiokafka.errors import (
    GroupAuthorizationFailedError,
    KafkaConnectionError,
    KafkaTimeoutError,
    SaslAuthenticationFailed,
    TopicAuthorizationFailedError,
    UnsupportedVersionError,
)

from live_scoring.adapters.kafka import connection
from live_scoring.adapters.kafka.connection import KafkaFatalError, client_options, until_connected
from live_scoring.config import KafkaConfig

NOWHERE = KafkaConfig(bootstrap_servers="127.0.0.1:1")


def test_a_step_is_taken_again_while_the_broker_is_away() -> None:
    errors = [KafkaTimeoutError(), KafkaConnectionError()]

    async def step() -> None:
        if errors:
            raise errors.pop()

    asyncio.run(until_connected(step, NOWHERE))
    assert not errors


def test_a_step_without_end_is_told_while_it_is_under_way(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connection, "_SILENCE_SECONDS", 0.01)

    async def step() -> None:
        while not caplog.messages:  # noqa: ASYNC110 -- a log tells nobody of news
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(until_connected(step, NOWHERE), 10))
    assert caplog.messages == ["waiting for the broker"]


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        (TopicAuthorizationFailedError("runs"), "grant the worker's user Read on it"),
        (GroupAuthorizationFailedError("group"), "grant the worker's user Read on it"),
        (SaslAuthenticationFailed("no"), "check sasl_mechanism, sasl_username and"),
        (UnsupportedVersionError("no"), "check security_protocol"),
    ],
)
def test_what_waiting_cannot_mend_is_told_with_what_to_do(error: Exception, remedy: str) -> None:
    async def step() -> None:
        raise error

    told = rf"^worker.yaml: kafka: 127.0.0.1:1 .*; {remedy}"
    with pytest.raises(KafkaFatalError, match=told):
        asyncio.run(until_connected(step, NOWHERE))


@pytest.mark.parametrize("name", ["missing.pem", "no-certificate.pem"])
def test_a_file_for_tls_that_cannot_be_used_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "no-certificate.pem").write_text("nothing of the kind")
    kafka = KafkaConfig(security_protocol="SSL", ssl_cafile=str(tmp_path / name))
    with pytest.raises(KafkaFatalError, match=r"TLS cannot be set up: .*; check the files of ssl_"):
        client_options(kafka)
