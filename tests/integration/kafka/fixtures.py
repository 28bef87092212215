"""Apache Kafka for tests that stand on it: where it cannot be had they skip and say why."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.integration.kafka.apache import ApacheKafka
from tests.integration.kafka.cluster import NODES, Cluster
from tests.integration.kafka.fetching import UnavailableError, fetch_classpath


@contextmanager
def started_node(folder: Path) -> Iterator[ApacheKafka]:
    """One node that runs until the block ends."""
    with _or_skip():
        node = ApacheKafka(fetch_classpath(), folder)
    try:
        node.start()
        yield node
    finally:
        node.stop()


@contextmanager
def started_cluster(folder: Path, nodes: int = NODES) -> Iterator[Cluster]:
    """So many nodes that run until the block ends."""
    with _or_skip():
        cluster = Cluster(fetch_classpath(), folder, nodes)
    with cluster.running():
        yield cluster


@contextmanager
def _or_skip() -> Iterator[None]:
    try:
        yield
    except UnavailableError as reason:
        pytest.skip(f"Apache Kafka: {reason}")
