"""One broker for all integration tests, and a lab for each."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from live_scoring.adapters.embedded_broker import EmbeddedBroker, start_broker
from tests.integration.lab import Lab
from tests.integration.otel_collector import UnavailableError, built

pytest.register_assert_rewrite("tests.integration.exactness", "tests.integration.otel_pipe")


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedBroker]:
    with start_broker(tmp_path_factory.mktemp("broker") / "broker.log") as started:
        yield started


@pytest.fixture
def lab(broker: EmbeddedBroker, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Lab]:
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
