"""The Faust agent on a real broker: whoever starts when, every worker sees the whole fleet."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack

import faust
import pytest
from aiokafka.admin import AIOKafkaAdminClient
from pydantic import SecretStr

from live_scoring.adapters.embedded_broker import EmbeddedBroker, start_broker
from live_scoring.adapters.kafka import Outgoing, Publisher, TopicNeed, prepare_topics
from live_scoring.config import KafkaConfig, WorkerConfig
from live_scoring.core.transition import Transition
from live_scoring.core.verdict import Verdict
from live_scoring.formats.verdict_json import encode_verdict, verdict_key
from live_scoring.live.agent_app import credentials
from live_scoring.live.fleet import Fleet
from live_scoring.live.fleet_agent import fleet_app
from tests.live.fakes import NOW_MS

pytestmark = pytest.mark.integration

PARTITIONS = 4


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedBroker]:
    with start_broker(tmp_path_factory.mktemp("broker") / "log") as started:
        yield started


def _config(broker: EmbeddedBroker) -> WorkerConfig:
    kafka = {
        "bootstrap_servers": broker.address,
        "session_timeout_seconds": 2,
        "heartbeat_interval_seconds": 1,
    }
    return WorkerConfig.model_validate({"kafka": kafka})


def _record(agent: str, partition: int) -> Outgoing:
    transition = Transition(
        agent, "", "5m", Verdict("passed", ()), "no_data", NOW_MS, partition, 7, "hash-1"
    )
    return Outgoing(verdict_key(agent, "", "5m"), encode_verdict(transition), partition)


async def _topics(broker: EmbeddedBroker) -> set[str]:
    admin = AIOKafkaAdminClient(bootstrap_servers=broker.address)
    await admin.start()
    try:
        return set(await admin.list_topics())
    finally:
        await admin.close()


async def _until_seen(fleet: Fleet, agents: list[str]) -> None:
    async with asyncio.timeout(60):
        while fleet.agents() != agents:  # noqa: ASYNC110 -- a fleet tells nobody of news
            await asyncio.sleep(0.05)


def test_every_worker_sees_all_verdicts_old_and_new_and_no_topic_is_left_behind(
    broker: EmbeddedBroker,
) -> None:
    config = _config(broker)
    topic = config.topics.verdicts

    async def play() -> None:
        await prepare_topics(config.kafka, [TopicNeed(topic, PARTITIONS)], None, create=True)
        async with AsyncExitStack() as stack:
            publisher = Publisher(config.kafka, lambda _topic: None)
            await publisher.start()
            stack.push_async_callback(publisher.stop)
            await publisher.publish(topic, [_record("a", 0), _record("b", 3)])
            fleets = Fleet(), Fleet()
            for fleet in fleets:
                app = fleet_app(config, fleet)
                await app.start()
                stack.push_async_callback(app.stop)
                await _until_seen(fleet, ["a", "b"])
            await publisher.publish(topic, [_record("c", 1)])
            for fleet in fleets:
                await _until_seen(fleet, ["a", "b", "c"])
        assert await _topics(broker) == {topic}

    asyncio.run(play())


def test_without_security_there_are_no_credentials() -> None:
    assert credentials(KafkaConfig()) is None


def test_a_login_is_passed_on_to_faust() -> None:
    kafka = KafkaConfig(
        security_protocol="SASL_SSL",
        sasl_mechanism="SCRAM-SHA-256",
        sasl_username="worker",
        sasl_password=SecretStr("secret"),
    )
    found = credentials(kafka)
    assert isinstance(found, faust.SASLCredentials)
    assert (found.protocol.value, found.mechanism.value) == ("SASL_SSL", "SCRAM-SHA-256")
    assert (found.username, found.password) == ("worker", "secret")
    assert found.ssl_context is not None


def test_tls_alone_is_passed_on_to_faust() -> None:
    assert isinstance(credentials(KafkaConfig(security_protocol="SSL")), faust.SSLCredentials)
