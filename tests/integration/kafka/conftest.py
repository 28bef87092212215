"""Apache Kafka in the place of the embedded broker: the lab of these tests works on it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.kafka.apache import ApacheKafka
from tests.integration.kafka.fetching import UnavailableError, fetch_classpath
from tests.integration.kafka.fixtures import started_node
from tests.integration.kafka.locked import create_topics
from tests.integration.kafka.secured import Secured, SecuredLab, secured


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApacheKafka]:
    with started_node(tmp_path_factory.mktemp("apache-kafka")) as node:
        yield node


@pytest.fixture(scope="session")
def secured_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    folder: Path = tmp_path_factory.mktemp("secured-kafka")
    try:
        with secured(fetch_classpath(), folder) as running:
            yield running
    except UnavailableError as reason:
        pytest.skip(f"Apache Kafka: {reason}")


@pytest.fixture
def secured_lab(
    secured_broker: Secured, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[SecuredLab]:
    lab = SecuredLab(secured_broker, re.sub(r"\W+", "-", request.node.name)[-60:], tmp_path)
    yield lab
    lab.close()


@pytest.fixture
def locked_lab(secured_lab: SecuredLab) -> SecuredLab:
    """A lab with all topics, for a user who has no rights yet."""
    create_topics(secured_lab)
    return secured_lab
