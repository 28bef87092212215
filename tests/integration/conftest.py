"""One broker for all integration tests, and a lab for each."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from live_scoring.adapters.embedded_broker import EmbeddedBroker, start_broker
from tests.integration.kafka.apache import ApacheKafka
from tests.integration.kafka.fixtures import started_node
from tests.integration.lab import Lab
from tests.integration.otel_collector import UnavailableError, built

pytest.register_assert_rewrite("tests.integration.exactness", "tests.integration.otel_pipe")


@pytest.fixture(scope="session")
def broker(
    tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[EmbeddedBroker | ApacheKafka]:
    folder = tmp_path_factory.mktemp("broker")
    if pytestconfig.getoption("--broker") == "kafka":
        with started_node(folder) as node:
            yield node
    else:
        with start_broker(folder / "broker.log") as started:
            yield started


@pytest.fixture
def lab(
    broker: EmbeddedBroker | ApacheKafka, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Lab]:
    name = re.sub(r"\W+", "-", request.node.name)[-60:]
    made = Lab(broker.address, name, tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="session")
def collector() -> Path:
    try:
        return built()
    except UnavailableError as reason:
        pytest.skip(f"OpenTelemetry Collector: {reason}")
