"""Apache Kafka in the place of the embedded broker: the lab of these tests works on it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.kafka.apache import ApacheKafka
from tests.integration.kafka.fetching import UnavailableError, fetch_classpath


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApacheKafka]:
    folder: Path = tmp_path_factory.mktemp("apache-kafka")
    try:
        node = ApacheKafka(fetch_classpath(folder), folder)
    except UnavailableError as reason:
        pytest.skip(f"Apache Kafka: {reason}")
    try:
        node.start()
        yield node
    finally:
        node.stop()
