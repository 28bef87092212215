"""A cluster of Apache Kafka for the rounds that CI plays."""

from collections.abc import Iterator

import pytest

from tests.integration.kafka.cluster import Cluster
from tests.integration.kafka.fetching import UnavailableError, fetch_classpath


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    try:
        made = Cluster(fetch_classpath(folder), folder)
    except UnavailableError as reason:
        pytest.skip(f"Apache Kafka: {reason}")
    with made.running():
        yield made
