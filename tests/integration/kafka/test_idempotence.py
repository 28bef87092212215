"""What is published stands in its partition once: see decision 16."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import pytest
from aiokafka import AIOKafkaProducer, TopicPartition
from aiokafka.errors import MessageSizeTooLargeError, OutOfOrderSequenceNumber
from pydantic import SecretStr

from live_scoring.adapters.kafka import Outgoing, Publisher, producer
from live_scoring.config import KafkaConfig
from tests.integration import topics
from tests.integration.kafka import admin
from tests.integration.kafka.cluster import Cluster
from tests.integration.kafka.fixtures import started_cluster
from tests.integration.kafka.logs import logged
from tests.integration.kafka.rights import Right, grant
from tests.integration.kafka.secured import LOCKED, PASSWORDS, SecuredLab
from tests.integration.lab import PARTITIONS, WINDOW, Lab
from tests.integration.proxy import Proxy
from tests.integration.runs import native_run
from tests.integration.waiting import wait_until

pytestmark = [pytest.mark.integration, pytest.mark.kafka]

LIMIT = 1_500
"""Bytes that a topic's `max.message.bytes` lets through in one batch."""
TOO_LARGE = b"x" * 2 * LIMIT


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One node behind a proxy."""
    with started_cluster(tmp_path_factory.mktemp("node"), nodes=1) as cluster:
        yield cluster


@pytest.fixture
def proxy(node: Cluster) -> Proxy:
    (proxy,) = node.proxies
    proxy.restore()
    return proxy


@pytest.fixture
def topic(node: Cluster, request: pytest.FixtureRequest) -> str:
    name = re.sub(r"\W+", "-", request.node.name)[-60:]
    topics.create_topic(node.address, name, 1)
    return name


def at(address: str) -> KafkaConfig:
    return KafkaConfig(bootstrap_servers=address)


def ignore(_: str) -> None:
    """What failed, to those who do not care."""


@asynccontextmanager
async def publishing(
    kafka: KafkaConfig, on_failure: Callable[[str], None] = ignore, *, is_idempotent: bool = True
) -> AsyncIterator[Publisher]:
    publisher = Publisher(kafka, on_failure)
    publisher._producer._is_idempotent = is_idempotent  # noqa: SLF001 -- users have no say in it
    await publisher.start()
    try:
        yield publisher
    finally:
        await publisher.stop()


def outgoing(*values: bytes) -> list[Outgoing]:
    return [Outgoing(b"key", value, 0) for value in values]


def values_of(address: str, topic: str) -> list[bytes | None]:
    return [record.value for record in topics.read(address, topic)]


async def until_standing(node: Cluster, topic: str, records: int) -> None:
    async with asyncio.timeout(20):
        while len(await asyncio.to_thread(values_of, node.address, topic)) < records:  # noqa: ASYNC110 -- a broker tells nobody
            await asyncio.sleep(0.05)


def test_aiokafka_alone_takes_nothing_more_after_a_record_too_large(lab: Lab) -> None:
    """Once this fails, numbers need not be given back any more."""
    admin.create_topic(lab.address, lab.scores, PARTITIONS, max_message_bytes=str(LIMIT))

    async def send() -> None:
        alone = AIOKafkaProducer(bootstrap_servers=lab.address, enable_idempotence=True)
        await alone.start()
        try:
            await alone.send_and_wait(lab.scores, b"small", partition=0)
            with pytest.raises(MessageSizeTooLargeError):
                await alone.send_and_wait(lab.scores, TOO_LARGE, partition=0)
            with pytest.raises(OutOfOrderSequenceNumber):
                await alone.send_and_wait(lab.scores, b"small again", partition=0)
        finally:
            await alone.stop()

    asyncio.run(send())
    assert values_of(lab.address, lab.scores) == [b"small"]


def test_records_too_large_cost_themselves_alone(lab: Lab) -> None:
    admin.create_topic(lab.address, lab.scores, PARTITIONS, max_message_bytes=str(LIMIT))
    sizes = (5, 400, 2 * LIMIT)
    queue = [
        Outgoing(b"key", b"%03d" % n + b"x" * sizes[n % 3], n % PARTITIONS) for n in range(400)
    ]
    failures: list[str] = []

    async def send() -> list[Outgoing]:
        async with publishing(at(lab.address), failures.append) as publisher:
            refused = await publisher.publish(lab.scores, queue[:200])
            refused += await publisher.publish(lab.scores, queue[200:])
            return [each.record for each in refused]

    refused = asyncio.run(send())
    assert {id(record) for record in refused} == {
        id(record) for record in queue if record.value and len(record.value) > LIMIT
    }
    for partition in range(PARTITIONS):
        assert [r.value for r in lab.read(lab.scores) if r.partition == partition] == [
            r.value for r in queue if r.partition == partition and r not in refused
        ]
    assert set(failures) == {lab.scores}


def test_a_thousand_records_too_large_are_not_all_sent_in_vain(lab: Lab) -> None:
    admin.create_topic(lab.address, lab.scores, PARTITIONS, max_message_bytes=str(LIMIT))
    flood = [Outgoing(b"key", TOO_LARGE, n % PARTITIONS) for n in range(1_000)]
    failures: list[str] = []

    async def send() -> int:
        async with publishing(at(lab.address), failures.append) as publisher:
            refused = await publisher.publish(lab.scores, flood)
            assert not await publisher.publish(lab.scores, outgoing(*[b"small"] * 100))
            return len(refused)

    assert asyncio.run(send()) == 1_000
    assert len(failures) < 100
    assert len(lab.read(lab.scores)) == 100


@pytest.mark.parametrize("is_idempotent", [True, False], ids=["on", "off"])
def test_a_batch_whose_confirmation_was_lost_stands_there_once(
    is_idempotent: bool, node: Cluster, proxy: Proxy, topic: str
) -> None:
    """Off, as with a broker that cannot: this test does lose a confirmation."""

    async def send() -> None:
        async with publishing(at(node.address_behind), is_idempotent=is_idempotent) as publisher:
            await publisher.publish(topic, outgoing(b"before"))
            proxy.is_mute = True
            sending = asyncio.create_task(publisher.publish(topic, outgoing(b"lost")))
            await until_standing(node, topic, 2)
            proxy.is_mute = False
            await asyncio.to_thread(proxy.cut)
            await asyncio.to_thread(proxy.restore)
            await sending
            await publisher.publish(topic, outgoing(b"after"))

    asyncio.run(send())
    twice = [] if is_idempotent else [b"lost"]
    assert values_of(node.address, topic) == [b"before", b"lost", *twice, b"after"]


def test_a_producer_whose_numbers_do_not_fit_is_made_anew(node: Cluster, topic: str) -> None:
    failures: list[str] = []

    async def send() -> None:
        async with publishing(at(node.address), failures.append) as publisher:
            await publisher.publish(topic, outgoing(b"before"))
            numbers = publisher._producer._started.aiokafka._txn_manager  # noqa: SLF001 -- broken
            numbers.increment_sequence_number(TopicPartition(topic, 0), 7)
            await publisher.publish(topic, outgoing(b"after"))
            await publisher.publish(topic, outgoing(b"at last"))

    asyncio.run(send())
    assert values_of(node.address, topic) == [b"before", b"after", b"at last"]
    assert failures == [topic]


def test_a_producer_is_made_anew_before_its_numbers_end(
    node: Cluster, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(producer, "_MOST_NUMBERS", 5)
    sent = [b"%d" % number for number in range(20)]

    async def send() -> set[int]:
        ids = set[int]()
        async with publishing(at(node.address)) as publisher:
            for value in sent:
                await publisher.publish(topic, outgoing(value))
                numbers = publisher._producer._started.aiokafka._txn_manager  # noqa: SLF001 -- to see
                ids.add(numbers.producer_id)
        return ids

    assert len(asyncio.run(send())) == 4
    assert values_of(node.address, topic) == sent


def test_what_is_given_up_while_the_broker_is_away_is_not_sent_once_it_is_back(
    node: Cluster, proxy: Proxy, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(producer, "_PATIENCE_SECONDS", 0.5)
    failures: list[str] = []

    async def send() -> None:
        async with publishing(at(node.address_behind), failures.append) as publisher:
            await publisher.publish(topic, outgoing(b"before"))
            await asyncio.to_thread(proxy.cut)
            await publisher.publish(topic, outgoing(b"late"), lambda: len(failures) < 3)
            await asyncio.to_thread(proxy.restore)
            await publisher.publish(topic, outgoing(b"after"))
            await asyncio.sleep(1)

    asyncio.run(send())
    assert values_of(node.address, topic) == [b"before", b"after"]


def test_a_stop_waits_for_nothing_that_was_given_up(
    node: Cluster, proxy: Proxy, topic: str
) -> None:
    async def send() -> None:
        async with publishing(at(node.address_behind)) as publisher:
            await publisher.publish(topic, outgoing(b"before"))
            await asyncio.to_thread(proxy.cut)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(publisher.publish(topic, outgoing(b"late")), 0.5)
            await asyncio.wait_for(publisher.stop(), 5)
        await asyncio.to_thread(proxy.restore)

    asyncio.run(send())
    assert values_of(node.address, topic) == [b"before"]


def test_write_on_one_topic_is_right_enough(secured_lab: SecuredLab) -> None:
    """From Kafka 2.8 on; before, the producer would not be idempotent."""
    grant(secured_lab.address, LOCKED, [Right("Write", "topic", secured_lab.runs)])
    kafka = KafkaConfig(
        bootstrap_servers=secured_lab.broker.at("login"),
        security_protocol="SASL_SSL",
        ssl_cafile=secured_lab.broker.file("ca.pem"),
        sasl_mechanism="SCRAM-SHA-512",
        sasl_username=LOCKED,
        sasl_password=SecretStr(PASSWORDS[LOCKED]),
    )

    async def send() -> bool:
        async with publishing(kafka) as publisher:
            await publisher.publish(secured_lab.runs, outgoing(b"value"))
            return publisher._producer._is_idempotent  # noqa: SLF001 -- users need not know

    assert asyncio.run(send())
    assert values_of(secured_lab.address, secured_lab.runs) == [b"value"]


def test_a_worker_whose_scores_are_all_too_large_stays_a_member_and_buries_them(lab: Lab) -> None:
    lab.configure({"agent": "agent", "windows": [WINDOW], "gates": {"fine": {"includes": "fine"}}})
    admin.create_topic(lab.address, lab.scores, PARTITIONS, max_message_bytes=str(LIMIT))
    longest = 1_024
    lab.send(
        native_run(
            f"{n}", "agent", conversation_id="x" * longest, trace_id="y" * (longest - n // 2)
        )
        for n in range(1_000)
    )
    worker = lab.start_worker()
    wait_until("all are buried", lambda: len(lab.read(lab.dead_letters)) >= 1_000)
    assert len(lab.read(lab.dead_letters)) == 1_000
    assert not lab.read(lab.scores)
    assert not logged(worker, "commit not taken")
