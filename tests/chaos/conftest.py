"""A cluster of Apache Kafka for the rounds that CI plays."""

from collections.abc import Iterator

import pytest

from tests.integration.kafka.cluster import Cluster
from tests.integration.kafka.fixtures import started_cluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with started_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running
