"""The worker's topics: missing ones are created, the settings of existing ones checked."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import KafkaError, TopicAlreadyExistsError, for_code

from live_scoring.adapters.kafka.connection import (
    KafkaFatalError,
    client_options,
    may_pass,
    until_connected,
)
from live_scoring.config import KafkaConfig

logger = logging.getLogger(__name__)

_OR_BY_HAND = "grant Create, or create it yourself"

Settings = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TopicNeed:
    """A topic as the worker needs it."""

    name: str
    partitions: int
    """For its creation."""
    settings: Settings = field(default_factory=dict)
    """For its creation."""
    policy: str | None = None
    """The `cleanup.policy` that an existing topic must have."""
    min_retention_ms: int = 0
    """The shortest `retention.ms` that an existing topic may have."""
    is_optional: bool = False
    """Whether the worker does without it where it is missing and cannot be created."""


class TopicError(KafkaFatalError):
    """A topic that is missing or does not fit, with the remedy."""


async def prepare_topics(
    kafka: KafkaConfig,
    needs: Iterable[TopicNeed],
    replication_factor: int | None,
    *,
    create: bool,
) -> dict[str, int]:
    """Create what is missing, check what is there, and tell each topic's partitions.

    An optional topic that is not to be had is left out. Waits for an absent broker.

    Args:
        kafka: How to connect.
        needs: The topics.
        replication_factor: Of created topics; None is the broker's default.
        create: Whether missing topics may be created.

    Raises:
        TopicError: A topic is missing and may not be created, or does not fit.
    """
    prepare = partial(_prepare, kafka, list(needs), replication_factor, create=create)
    return await until_connected(prepare, kafka)


async def count_partitions(kafka: KafkaConfig, names: Iterable[str]) -> dict[str, int]:
    """How many partitions each topic has; one that does not exist is left out, never created."""
    admin = AIOKafkaAdminClient(**client_options(kafka))
    try:
        await admin.start()
        return await _partitions(admin, names)
    finally:
        await admin.close()


async def _prepare(
    kafka: KafkaConfig, needs: list[TopicNeed], replication_factor: int | None, *, create: bool
) -> dict[str, int]:
    admin = AIOKafkaAdminClient(**client_options(kafka))
    try:
        await admin.start()
        found = await _partitions(admin, (need.name for need in needs))
        missing = [need for need in needs if need.name not in found]
        if not create:
            _refuse(missing, kafka, replication_factor)
            missing = []
        created = await _create(admin, missing, replication_factor)
        for need in needs:
            if need.name in found:
                _check(need, await _settings(admin, need))
        return found | {need.name: need.partitions for need in created}
    finally:
        await admin.close()


def _refuse(missing: list[TopicNeed], kafka: KafkaConfig, replication_factor: int | None) -> None:
    told = [(need, _how_to_create(need, kafka, replication_factor)) for need in missing]
    if any(not need.is_optional for need in missing):
        raise TopicError("; ".join(how for _, how in told))
    for need, how in told:
        logger.warning("going on without a topic", extra={"topic": need.name, "error": how})


async def _partitions(admin: AIOKafkaAdminClient, names: Iterable[str]) -> dict[str, int]:
    # To describe a missing topic is to have a broker create it, unless it is forbidden to.
    present = set(names) & set(await admin.list_topics())
    described = await admin.describe_topics(sorted(present)) if present else []
    return {
        topic["topic"]: len(topic["partitions"]) for topic in described if not topic["error_code"]
    }


async def _create(
    admin: AIOKafkaAdminClient,
    missing: list[TopicNeed],
    replication_factor: int | None,
) -> list[TopicNeed]:
    """Create topics, and tell which are there now: all but optional ones."""
    if not missing:
        return []
    response = await admin.create_topics(
        [
            NewTopic(
                need.name,
                need.partitions,
                replication_factor or -1,
                replica_assignments=None if replication_factor else {},
                topic_configs=dict(need.settings),
            )
            for need in missing
        ]
    )
    needs = {need.name: need for need in missing}
    for name, code, *_ in response.topic_errors:
        error = for_code(code)
        if not code or error is TopicAlreadyExistsError:
            logger.info("created topic", extra={"topic": name})
        elif needs[name].is_optional:
            facts = {"topic": name, "error": f"cannot create it: {error.__name__}"}
            logger.warning("going on without a topic", extra=facts)
            del needs[name]
        else:
            raise TopicError(f"topic {name}: cannot create it: {error.__name__}; {_OR_BY_HAND}")
    return list(needs.values())


def _how_to_create(need: TopicNeed, kafka: KafkaConfig, replication_factor: int | None) -> str:
    copies = f" --replication-factor {replication_factor}" if replication_factor else ""
    settings = "".join(f" --config {key}={value}" for key, value in need.settings.items())
    return (
        f"topic {need.name}: does not exist, or lacks the right Describe; create it with "
        f"kafka-topics.sh --bootstrap-server {kafka.bootstrap_servers} --create "
        f"--topic {need.name} --partitions {need.partitions}{copies}{settings}"
    )


async def _settings(admin: AIOKafkaAdminClient, need: TopicNeed) -> Settings:
    """The topic's settings; empty where they do not matter, or the broker will not tell them."""
    name = need.name
    if need.policy is None and not need.min_retention_ms:
        return {}
    try:
        responses = await admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, name)])
    except KafkaError as error:
        if may_pass(error):
            raise
        return _unchecked(name, type(error))
    resources = [resource for response in responses for resource in response.resources]
    for code, *_ in resources:
        if code:
            return _unchecked(name, for_code(code))
    return {entry[0]: entry[1] for resource in resources for entry in resource[4]}


def _unchecked(name: str, error: type[Exception]) -> Settings:
    remedy = "grant DescribeConfigs on it, or check cleanup.policy and retention.ms yourself"
    facts = {"topic": name, "error": f"{error.__name__}; {remedy}"}
    logger.warning("cannot check a topic's settings", extra=facts)
    return {}


def _check(need: TopicNeed, settings: Settings) -> None:
    policy = settings.get("cleanup.policy")
    if need.policy is not None and policy is not None and policy != need.policy:
        raise TopicError(
            f"topic {need.name}: cleanup.policy is {policy}; "
            f"set it to {need.policy}, see deploy/README.md"
        )
    retention = int(settings.get("retention.ms") or -1)
    if 0 <= retention < need.min_retention_ms:
        raise TopicError(
            f"topic {need.name}: retention.ms is {retention}, shorter than twice the longest "
            f"window; set it to {need.min_retention_ms} or more"
        )
